"""`--news` through the command line: local sites, resumed, refreshed, killed, and refused."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.news.newsroom import newsroom, rss, story
from tests.news.test_proxy import NAME, secure
from tests.servers.proxy import proxy
from tests.servers.web import Answer, Asked, Site, site

from uaeval.news import address
from uaeval.resources import shipped

QUICKLY = "host_delay: 0.0\nallow_hosts: [127.0.0.1, 127.0.0.2]\n"
NEWS = shipped("knowledge_bases") / "sample_news"


@pytest.fixture
def asking(tmp_path: Path) -> list[str]:
    """Options of a small run that may fetch from local sites."""
    config = tmp_path / "run.yaml"
    config.write_text(QUICKLY)
    return ["--categories", "out_of_database", "--size", "2", "--config", str(config)]


def articles(run: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (run / "articles.jsonl").read_text().splitlines()]


def test_several_sources_at_once_are_kept_with_the_run(
    tmp_path: Path, uaeval: Uaeval, asking: list[str]
) -> None:
    run = tmp_path / "run"
    searched: list[str] = []

    def search(asked: Asked) -> Answer | None:
        if not asked.path.startswith("/search?q="):
            return newsroom([3])(asked)
        searched.append(asked.path)
        items = [("/story/3", "t", "Sat, 14 Mar 2026 08:00:00 GMT")]
        return Answer(body=rss(items), kind="application/rss+xml")

    with site(newsroom([1, 2])) as feed, site(search, "127.0.0.2") as found:
        sources = [f"{feed.url}/feed", found.url + "/search?q={query}", str(NEWS), "holdout"]
        given = [part for source in sources for part in ("--news", source)]
        topics = ["--pin-topic", "tide mills", "--add-topic", "sea walls", "--forbid-topic", "quay"]
        done = uaeval("synthesize", DOCUMENTS, "-o", run, *given, *topics, *asking)
    assert done.code == 0, done.err
    kept = articles(run)
    by_source = {source: sum(one["source"] == source for one in kept) for source in sources}
    assert by_source == {sources[0]: 2, sources[1]: 1, sources[2]: 26, "holdout": 12}
    assert all({"text", "url", "date", "sha256", "language"} <= one.keys() for one in kept)
    facts = json.loads((run / "manifest.json").read_text())["knowledge_base"]
    assert (facts["articles"], facts["held_out"]) == (41, 12)
    assert len(searched) == len(facts["news"]["topics"]) == 13
    assert facts["news"]["topics"][0] == "tide mills"
    assert facts["news"]["topics"][-1] == "sea walls"
    assert not any("quay" in topic.lower() for topic in facts["news"]["topics"])
    assert len((run / "queries.jsonl").read_text().splitlines()) == 4


def test_running_again_asks_the_web_for_nothing_and_refresh_for_what_changed(
    tmp_path: Path, uaeval: Uaeval, asking: list[str]
) -> None:
    run = tmp_path / "run"
    numbers = [1, 2]
    with site(lambda asked: newsroom(numbers)(asked)) as here:
        given = ["synthesize", str(DOCUMENTS), "-o", str(run), "--news", f"{here.url}/feed"]
        assert uaeval(*given, *asking).code == 0
        before = (run / "articles.jsonl").read_bytes()
        asked = len(here.asked)
        (run / "manifest.json").unlink()
        assert uaeval(*given, *asking).code == 0
        assert len(here.asked) == asked
        assert (run / "articles.jsonl").read_bytes() == before
        numbers.append(3)
        assert uaeval(*given, *asking, "--refresh").code == 0
    assert [one["title"] for one in articles(run)] == [story(n)[0] for n in numbers]


def test_articles_older_than_the_knowledge_base_are_not_taken_unless_asked_for(
    tmp_path: Path, uaeval: Uaeval, asking: list[str]
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for number, path in enumerate(sorted(DOCUMENTS.glob("*.md"))[:8]):
        text = path.read_text().replace("---\n", f"---\nupdated: 2026-0{number + 1}-01\n", 1)
        (documents / path.name).write_text(text)
    with site(newsroom([1, 2])) as here:
        given = ["synthesize", str(documents), "--news", f"{here.url}/feed", *asking]
        done = uaeval(*given, "-o", tmp_path / "run")
        assert done.code == 2
        assert "no article can be used (2 since)" in done.err
        assert "2026-08-01 are taken (--since)" in done.err
        done = uaeval(*given, "-o", tmp_path / "run", "--since", "2026-03-01")
        assert done.code == 0, done.err
    assert len(articles(tmp_path / "run")) == 2


@pytest.mark.parametrize(
    ("news", "said"),
    [
        ("http://127.0.0.9:1/feed", "127.0.0.9 is not a public address"),
        ("http://127.0.0.1:1/feed", "no connection"),
        ("ftp://example.org/feed", "over http and https"),
        ("bung", "there is no such file or folder"),
    ],
)
def test_sources_that_give_nothing_are_named_in_one_sentence(
    tmp_path: Path, uaeval: Uaeval, asking: list[str], news: str, said: str
) -> None:
    done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", "--news", news, *asking)
    assert done.code == 2
    assert said in done.err


def test_an_estimate_says_that_it_fetches_and_the_run_reuses_the_articles(
    tmp_path: Path, uaeval: Uaeval, asking: list[str]
) -> None:
    run = tmp_path / "run"
    with site(newsroom([1, 2])) as here:
        given = [str(DOCUMENTS), "--news", f"{here.url}/feed", "--per-source", "1", *asking]
        refused = uaeval("estimate", *given)
        assert (refused.code, "give -o RUN" in refused.err) == (2, True)
        assert here.asked == []
        told = uaeval("estimate", *given, "-o", run)
        assert told.code == 0, told.err
        assert "Pages are fetched from the web" in told.out
        had = list(here.paths)
        assert had == ["/robots.txt", "/feed", "/story/1"]
        assert "fetched" not in uaeval("estimate", *given, "-o", run).out
        done = uaeval("synthesize", *given, "-o", run)
        assert done.code == 0, done.err
        assert here.paths == had
    assert len(articles(run)) == 1


def test_an_https_feed_through_a_proxy_says_that_the_proxy_resolves(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trust only the site's own authority, which the program cannot be given."""
    links = [("/story/1", "t", ""), ("https://10.0.0.1/x", "t", ""), ("https://nas.local/", "", "")]

    def reply(asked: Asked) -> Answer | None:
        if asked.path == "/feed":
            return Answer(body=rss(links), kind="application/rss+xml")
        return newsroom([1])(asked)

    run = tmp_path / "run"
    selected = ["--categories", "out_of_database", "--size", "1"]
    with secure(reply) as there, proxy({f"{NAME}:443": there.site.port}) as between:
        given = ["--news", f"https://{NAME}/feed", "--web-proxy", between.url, *selected]
        refused = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "no", *given)
        assert (refused.code, "CERTIFICATE_VERIFY_FAILED" in refused.err) == (2, True)
        monkeypatch.setattr(address, "public_certificates", lambda: there.trusted)
        done = uaeval("synthesize", DOCUMENTS, "-o", run, *given)
    assert done.code == 0, done.err
    assert set(between.asked) == {f"{NAME}:443"}
    assert "which resolves names: their addresses go unchecked" in done.err
    assert f"through the proxy 127.0.0.1:{between.port}; the addresses of their hosts" in done.out
    assert [one["url"] for one in articles(run)] == [f"https://{NAME}/story/1"]
    facts = json.loads((run / "manifest.json").read_text())["knowledge_base"]["news"]
    assert facts["failed"] == {"address": 2}


def test_a_proxy_is_reported_and_literal_addresses_are_still_checked(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    """The proxy gets whole addresses, and names that resolve nowhere here."""
    run = tmp_path / "run"

    def proxied(asked: Asked) -> Answer | None:
        address = asked.path.removeprefix("http://news.example.org")
        items = [
            ("/story/1", "t", ""),
            ("http://10.0.0.1/x", "t", ""),
            ("http://nas.local/", "", ""),
        ]
        if address == "/feed":
            return Answer(body=rss(items), kind="application/rss+xml")
        return newsroom([1])(Asked(path=address, headers=asked.headers, at=asked.at))

    with site(proxied) as between:
        given = ["--news", "http://news.example.org/feed", "--web-proxy", between.url]
        selected = ["--categories", "out_of_database", "--size", "1"]
        done = uaeval("synthesize", DOCUMENTS, "-o", run, *given, *selected)
        assert done.code == 0, done.err
        assert all(path.startswith("http://news.example.org/") for path in between.paths)
    assert "which resolves names: their addresses go unchecked" in done.err
    facts = json.loads((run / "manifest.json").read_text())["knowledge_base"]["news"]
    assert facts["proxy"] == between.url.removeprefix("http://")
    assert facts["failed"] == {"address": 2}


def test_a_crawl_without_articles_asks_its_sources_again(
    tmp_path: Path, uaeval: Uaeval, asking: list[str]
) -> None:
    room, mended = newsroom([1, 2]), threading.Event()

    def replies(asked: Asked) -> Answer | None:
        empty = Answer(body=rss([]), kind="application/rss+xml")
        return room(asked) if mended.is_set() or asked.path != "/feed" else empty

    with site(replies) as here:
        command = ["synthesize", DOCUMENTS, "-o", tmp_path / "run", "--news", f"{here.url}/feed"]
        assert uaeval(*command, *asking).code == 2
        mended.set()
        done = uaeval(*command, *asking)
    assert done.code == 0, done.err
    assert len(articles(tmp_path / "run")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_crawl_that_was_cut_off_fetches_nothing_twice(
    tmp_path: Path, uaeval: Uaeval, asking: list[str], end: signal.Signals
) -> None:
    run = tmp_path / "run"
    with site(newsroom(range(30), wait_s=0.02)) as here:
        given = ["synthesize", str(DOCUMENTS), "-o", str(run), "--news", f"{here.url}/feed"]
        code = _cut_off(here, [*given, *asking], end)
        assert code in (-signal.SIGKILL, 130)
        had = list(here.paths)
        assert 8 <= len(had) < 32
        assert not (run / "articles.jsonl").exists()
        assert uaeval(*given, *asking).code == 0
        again = here.paths[len(had) :]
    assert set(had[:-1]).isdisjoint(again)
    assert len(articles(run)) == 30


def _cut_off(here: Site, arguments: list[str], end: signal.Signals) -> int:
    """Start a run and end it after some pages; return its exit code."""
    command = [sys.executable, "-m", "uaeval", *arguments]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere) as process:
        while process.poll() is None and len(here.asked) < 12:
            time.sleep(0.005)
        os.kill(process.pid, end)
        return process.wait()
