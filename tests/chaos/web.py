"""Crawls of sites that misbehave, and of names that change their address."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.chaos.cases import Case
from tests.chaos.commands import ended, write_documents
from tests.news.newsroom import newsroom
from tests.news.web_tools import Names, fetching, quick
from tests.servers.web import Answer, Asked, site

from uaeval.errors import FetchError

MARK = b"of-a-file-that-no-feed-may-read"
Faulty = Callable[[Answer, str], Answer]


def _xxe(_: Answer, secret: str) -> Answer:
    entity = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{secret}">]>'
    item = "<item><title>&x;</title><link>http://127.0.0.1/&x;</link></item>"
    return _feed(f'<?xml version="1.0"?>{entity}<rss version="2.0"><channel>{item}</channel></rss>')


def _bomb(_: Answer, secret: str) -> Answer:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    item = "<item><title>&e11;</title><link>http://127.0.0.1/a</link></item>"
    return _feed(
        f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "lol">{levels}]>'
        f'<rss version="2.0"><channel>{item}</channel></rss>'
    )


def _feed(text: str) -> Answer:
    return Answer(body=text.encode(), kind="application/rss+xml")


def _huge() -> Iterator[bytes]:
    for _ in range(300):
        yield b" " * 1_000_000


def _bytes(good: Answer) -> bytes:
    assert isinstance(good.body, bytes)
    return good.body


FAULTS: Mapping[str, Faulty] = {
    "429": lambda good, _: Answer(status=429, headers=(("Retry-After", "1"),)),
    "500": lambda good, _: Answer(status=500, body=b"broken"),
    "malformed": lambda good, _: Answer(body=b"\0\xff<rss", kind=good.kind),
    "truncated": lambda good, _: Answer(body=_bytes(good)[:90], kind=good.kind, missing=900),
    "hanging": lambda good, _: Answer(wait_s=20),
    "dripping": lambda good, _: Answer(body=_bytes(good), kind=good.kind, trickle_s=0.5),
    "300 MB": lambda good, _: Answer(body=_huge(), kind=good.kind),
    "long Retry-After": lambda good, _: Answer(status=503, headers=(("Retry-After", "86400"),)),
    "feed with XXE": _xxe,
    "entity bomb": _bomb,
    "robots.txt 503": lambda good, _: good,
}
OPTIONS = ("--categories", "out_of_database", "--size", "2")


def crawls(folder: Path, *, short: bool) -> Iterator[Case]:
    """Yield a case for each fault of a site, and for a name that changes its address."""
    write_documents(folder / "documents", 6)
    (folder / "run.yaml").write_text(
        "host_delay: 0.0\nallow_hosts: [127.0.0.1]\npage_timeout: 2.0\n"
    )
    (folder / "secret").write_bytes(MARK)
    for fault in ("500", "feed with XXE") if short else FAULTS:
        yield crawl(fault, folder)
    yield asyncio.run(rebinding(folder))


def crawl(fault: str, folder: Path) -> Case:
    """Crawl a site whose feed or second story fails, and again once it is repaired."""
    case = Case(fault=fault, command="crawl")
    room, mended = newsroom([1, 2, 3]), threading.Event()
    struck = "/feed" if fault in {"feed with XXE", "entity bomb"} else "/story/2"

    def replies(asked: Asked) -> Answer | None:
        good = room(asked)
        if mended.is_set():
            return good
        if fault == "robots.txt 503" and asked.path == "/robots.txt":
            case.tried += 1
            return Answer(status=503)
        if asked.path != struck or good is None:
            return good
        case.tried += 1
        return FAULTS[fault](good, str(folder / "secret"))

    run = folder / fault.replace(" ", "-")
    with site(replies) as here:
        given = ("--config", folder / "run.yaml", "--news", f"{here.url}/feed", *OPTIONS)
        command = ("synthesize", folder / "documents", "-o", run, *given)
        done = ended(*command)
        case.look(done, run)
        case.compare_records({"exit code": str(done.code)}, {"exit code": _expected(fault)})
        _look_for_mark(case, run)
        mended.set()
        done = ended(*command, "--refresh")
        case.look(done, run)
        clean = folder / "clean"
        ended("synthesize", folder / "documents", "-o", clean, *given, "--refresh")
        names = ("articles.jsonl", "queries.jsonl")
        case.compare(_files(run, names), _files(clean, names))
    return case


def _expected(fault: str) -> str:
    """Return the expected exit code: 2 if no article is left to write from."""
    return "2" if fault in {"feed with XXE", "entity bomb", "robots.txt 503"} else "0"


def _files(folder: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def _look_for_mark(case: Case, run: Path) -> None:
    for path in run.rglob("*"):
        if path.is_file() and MARK in path.read_bytes():
            case.secrets += 1
            case.notes.append(f"{path} holds a file of this machine")


async def rebinding(folder: Path) -> Case:
    """Fetch from a name that first resolves to a public address, and then to this machine."""
    case = Case(fault="DNS rebinding", command="crawl")
    names = Names({"a.example.org": [["8.8.8.8"], ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"]]})
    with site(lambda _: Answer(body=MARK)) as here:
        settings = quick(allow_hosts=(), page_timeout=1.0)
        (folder / "rebinding").mkdir()
        async with fetching(folder / "rebinding", settings, resolve=names.resolve) as fetcher:
            for number in range(6):
                case.tried += 1
                try:
                    page = await fetcher.get(f"http://a.example.org:{here.port}/{number}")
                except FetchError:
                    continue
                case.secrets += MARK in page.body
        case.secrets += len(here.asked)
    return case
