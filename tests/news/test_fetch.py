"""Fetching over real HTTP from local sites."""

import asyncio
import gzip
import ssl
import time
import zlib
from pathlib import Path

import brotli
import pytest
import trustme
from tests.news.web_tools import AGENT, Names, Wires, fetching, quick, refusal
from tests.servers.web import Answer, Asked, pages, site

from uaeval.errors import FetchError
from uaeval.news.page import FEEDS

TEXT = "<p>Café – naïve “quotes”</p>"
LONG = "<p>Le café du théâtre a été rénové ; « voilà », dit-on à l’hôtel de ville.</p>" * 9
ALL = 1e18
"""A moment that no page was fetched after."""


async def test_a_page_is_asked_for_with_an_honest_name_and_without_cookies(tmp_path: Path) -> None:
    cookie = (("Set-Cookie", "who=you; Path=/"),)
    with site(pages({"/a": Answer(body=b"<p>a</p>", headers=cookie), "/b": Answer()})) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await fetcher.get(f"{here.url}/a#part")).text() == "<p>a</p>"
            await fetcher.get(f"{here.url}/b")
    assert here.paths == ["/robots.txt", "/a", "/b"]
    assert {request.headers["User-Agent"] for request in here.asked} == {AGENT}
    assert not any(request.headers["Cookie"] for request in here.asked)


@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("gzip", gzip.compress),
        ("gzip", lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:])),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data)[2:-4]),
        ("br", brotli.compress),
        ("identity", bytes),
    ],
)
async def test_compressed_pages_are_unpacked(tmp_path: Path, coding: str, encode: type) -> None:
    data = TEXT.encode() * 20_000
    answer = Answer(body=encode(data), headers=(("Content-Encoding", coding),))
    with site(pages({"/": answer})) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await fetcher.get(here.url)).body == data


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
async def test_damaged_compression_is_an_error(tmp_path: Path, coding: str) -> None:
    packed = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress}[coding](
        TEXT.encode() * 999
    )
    bad = {"/cut": packed[:-4], "/noise": b"\x13\x37" * 99}
    coded = (("Content-Encoding", coding),)
    replies = {path: Answer(body=data, headers=coded) for path, data in bad.items()}
    with site(pages(replies)) as here:
        async with fetching(tmp_path) as fetcher:
            for path in bad:
                assert (await refusal(fetcher, here.url + path)).kind == "encoding"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (TEXT.encode("utf-8"), "text/html; charset=iso-8859-1"),
        (TEXT.encode("utf-8"), "text/html; charset=no-such-thing"),
        (TEXT.encode("utf-8"), "text/html"),
        (TEXT.encode("cp1252"), 'text/html; charset="ISO-8859-1"'),
        (b'<meta charset="windows-1252">' + TEXT.encode("cp1252"), "text/html"),
        (b'<meta charset="windows-1252">' + TEXT.encode("cp1252"), "text/html; charset=utf-8"),
        (b"\xef\xbb\xbf" + TEXT.encode("utf-8"), "text/html; charset=windows-1252"),
        (TEXT.encode("utf-16"), "text/html; charset=utf-8"),
        (TEXT.encode("utf-16-le"), "text/html; charset=utf-16le"),
    ],
)
async def test_wrong_and_missing_charsets_are_seen_through(
    tmp_path: Path, body: bytes, kind: str
) -> None:
    with site(pages({"/": Answer(body=body, kind=kind)})) as here:
        async with fetching(tmp_path) as fetcher:
            text = (await fetcher.get(here.url)).text()
    assert text.removeprefix('<meta charset="windows-1252">') == TEXT


async def test_a_wrongly_declared_charset_is_guessed_instead(tmp_path: Path) -> None:
    answer = Answer(body=LONG.encode("cp1252"), kind="text/html; charset=utf-8")
    with site(pages({"/": answer})) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await fetcher.get(here.url)).text() == LONG


async def test_other_scripts_by_the_charset_that_is_named(tmp_path: Path) -> None:
    said = {"shift_jis": "日本語の記事", "koi8-r": "Самые популярные", "iso-2022-jp": "日本語"}
    replies = {
        f"/{name}": Answer(body=text.encode(name), kind=f"text/html; charset={name}")
        for name, text in said.items()
    }
    with site(pages(replies)) as here:
        async with fetching(tmp_path) as fetcher:
            for name, text in said.items():
                assert (await fetcher.get(f"{here.url}/{name}")).text() == text


async def test_redirects_are_followed_between_hosts_each_under_its_own_rules(
    tmp_path: Path,
) -> None:
    there_pages = pages({"/end": Answer(body=b"<p>end</p>")})
    with site(there_pages, "127.0.0.2") as there:
        moved = {
            f"/{status}": Answer(status=status, headers=(("Location", f"{there.url}/end"),))
            for status in (301, 302, 303, 307, 308)
        }
        moved["/relative"] = Answer(status=302, headers=(("Location", "301"),))
        with site(pages(moved)) as here:
            async with fetching(tmp_path) as fetcher:
                for path in moved:
                    page = await fetcher.get(here.url + path)
                    assert (page.url, page.text()) == (f"{there.url}/end", "<p>end</p>")
    assert there.paths == ["/robots.txt", "/end"]


async def test_a_resume_asks_for_nothing_that_was_fetched(tmp_path: Path) -> None:
    with site(
        pages({"/a": Answer(body=b"<p>a</p>", headers=(("Cache-Control", "no-store"),))})
    ) as here:
        for _ in range(2):
            async with fetching(tmp_path) as fetcher:
                assert (await fetcher.get(f"{here.url}/a")).text() == "<p>a</p>"
                assert (await refusal(fetcher, f"{here.url}/gone")).kind == "status"
    assert here.paths == ["/robots.txt", "/a", "/gone"]


async def test_a_later_crawl_asks_only_whether_pages_have_changed(tmp_path: Path) -> None:
    tags = {"/a": 'W/"1"', "/b": '"b"'}

    def reply(asked: Asked) -> Answer | None:
        tag = tags.get(asked.path)
        if tag is None:
            return None
        if asked.headers["If-None-Match"] == tag:
            return Answer(status=304, headers=(("ETag", tag),))
        return Answer(body=tag.encode(), headers=(("ETag", tag),))

    with site(reply) as here:
        async with fetching(tmp_path) as fetcher:
            for path in ("/a", "/b"):
                await fetcher.get(here.url + path)
        before = len(here.asked)
        tags["/b"] = '"c"'
        async with fetching(tmp_path, since=ALL) as fetcher:
            got = [(await fetcher.get(here.url + path)).text() for path in ("/a", "/b")]
    assert got == ['W/"1"', '"c"']
    assert here.paths[before:] == ["/robots.txt", "/a", "/b"]


async def test_last_modified_is_sent_back(tmp_path: Path) -> None:
    day = "Sat, 14 Mar 2026 10:00:00 GMT"

    def reply(asked: Asked) -> Answer | None:
        if asked.headers["If-Modified-Since"] == day:
            return Answer(status=304)
        return Answer(body=b"<p>x</p>", headers=(("Last-Modified", day),))

    with site(reply) as here:
        for _ in range(2):
            async with fetching(tmp_path, since=ALL) as fetcher:
                assert (await fetcher.get(f"{here.url}/x")).text() == "<p>x</p>"


ROBOTS = b"""
User-agent: *
Disallow: /
User-agent: uaeval
Disallow: /private*/notes
Allow: /private/notes/open$
Disallow: /*.pdf$
Crawl-delay: 0.2
"""


async def test_robots_rules_and_crawl_delay_are_kept(tmp_path: Path) -> None:
    kept_out = ["/private/notes", "/private-2/notes/x", "/a.pdf"]
    open_paths = ["/", "/private/notes/open", "/a.pdf?x", "/private"]
    replies = {path: Answer(body=b"<p>x</p>") for path in open_paths}
    replies["/robots.txt"] = Answer(body=ROBOTS, kind="text/plain")
    with site(pages(replies)) as here:
        async with fetching(tmp_path) as fetcher:
            await asyncio.gather(*(fetcher.get(here.url + path) for path in open_paths))
            for path in kept_out:
                assert (await refusal(fetcher, here.url + path)).kind == "robots"
    assert sorted(here.paths) == sorted(["/robots.txt", *open_paths])
    starts = [request.at for request in here.asked[1:]]
    assert starts[-1] - starts[0] > 0.2 * (len(starts) - 1) / 2  # half: arrivals waver


@pytest.mark.parametrize(
    ("robots", "kind"),
    [
        (Answer(status=503), "busy"),
        (Answer(status=520), "busy"),
        (Answer(body=b"User-agent: *\nCrawl-delay: 61\n", kind="text/plain"), "robots"),
        (Answer(raw=b"nonsense\r\n\r\n"), "broken"),
        (Answer(body=b"#" * 600_000), "size"),
        (Answer(status=302, headers=(("Location", "http://10.0.0.1/robots.txt"),)), "address"),
    ],
)
async def test_a_site_whose_robots_rules_cannot_be_read_or_kept_is_not_fetched(
    tmp_path: Path, robots: Answer, kind: str
) -> None:
    with site(pages({"/robots.txt": robots, "/a": Answer(body=b"<p>a</p>")})) as here:
        async with fetching(tmp_path) as fetcher:
            for _ in range(2):
                assert (await refusal(fetcher, f"{here.url}/a")).kind == kind
    assert "/a" not in here.paths


async def test_temporary_failures_are_requested_again_once(tmp_path: Path) -> None:
    told = {"/busy": Answer(status=429, headers=(("Retry-After", "1"),)), "/cut": Answer(missing=9)}

    def reply(asked: Asked) -> Answer | None:
        return told.pop(asked.path, Answer(body=b"<p>good</p>"))

    with site(reply) as here:
        async with fetching(tmp_path) as fetcher:
            started = time.monotonic()
            assert (await fetcher.get(f"{here.url}/busy")).text() == "<p>good</p>"
            assert time.monotonic() - started >= 1
            assert (await fetcher.get(f"{here.url}/cut")).text() == "<p>good</p>"
    assert here.paths == ["/robots.txt", "/busy", "/busy", "/cut", "/cut"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(status=500), "busy"),
        (Answer(status=429, headers=(("Retry-After", "86400"),)), "busy"),
        (Answer(status=404), "status"),
        (Answer(status=401), "status"),
        (Answer(status=302), "status"),
        (Answer(body=b"x", kind="video/mp4"), "type"),
        (Answer(body=b"x", kind="application/octet-stream"), "type"),
        (Answer(body=b"<p>x</p>", missing=5), "broken"),
        (Answer(raw=b""), "broken"),
        (Answer(raw=b"HTTP/1.1 two hundred\r\n\r\n"), "broken"),
        (Answer(raw=b"\x16\x03\x01 not http"), "broken"),
        (Answer(raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), "broken"),
        (Answer(body=b"<p>x</p>", wait_s=3), "time"),
        (Answer(body=b"<p>slowly</p>" * 9, trickle_s=0.1), "time"),
        (Answer(body=b"\0\1\2\3" * 99), "charset"),
    ],
)
async def test_broken_and_slow_servers_end_in_an_error_with_a_kind(
    tmp_path: Path, answer: Answer, kind: str
) -> None:
    with site(lambda asked: None if asked.path == "/robots.txt" else answer) as here:
        async with fetching(tmp_path, quick(page_timeout=1.0)) as fetcher:
            with pytest.raises(FetchError) as caught:
                (await fetcher.get(f"{here.url}/x")).text()
            assert caught.value.kind == kind


async def test_a_feed_may_be_xml_where_a_page_may_not(tmp_path: Path) -> None:
    answer = Answer(body=b"<rss/>", kind="application/rss+xml")
    with site(pages({"/feed": answer})) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await fetcher.get(f"{here.url}/feed", types=FEEDS)).body == b"<rss/>"
            assert (await refusal(fetcher, f"{here.url}/feed")).kind == "type"


async def test_a_host_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    with site(lambda _asked: None) as here:
        pass
    async with fetching(tmp_path) as fetcher:
        kinds = [(await refusal(fetcher, f"{here.url}/{n}")).kind for n in range(30)]
        assert kinds == ["connect"] * 30
        assert fetcher.requests == 2


async def test_tls_and_host_keep_the_name_while_the_address_is_connected_to(
    tmp_path: Path,
) -> None:
    authority = trustme.CA()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("news.example.org").configure_cert(served)
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    wanted: list[str] = []
    served.sni_callback = lambda _socket, name, _context: wanted.append(name)

    with site(pages({"/a": Answer(body=b"<p>a</p>")}), tls=served) as here:
        names = Names({"news.example.org": [["93.184.216.34"]], "other.example.org": [["8.8.8.8"]]})
        wires = Wires({"93.184.216.34": here.port, "8.8.8.8": here.port})
        async with fetching(
            tmp_path, resolve=names.resolve, network=wires, certificates=trusted
        ) as fetcher:
            assert (await fetcher.get("https://news.example.org/a")).text() == "<p>a</p>"
            assert (await refusal(fetcher, "https://other.example.org/a")).kind == "connect"
    assert wanted[0] == "news.example.org"
    assert {request.headers["Host"] for request in here.asked} == {"news.example.org"}
    assert wires.made[0] == "93.184.216.34"
    assert names.looked_up[:1] == ["news.example.org"]
