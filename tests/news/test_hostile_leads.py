"""A hostile web that points to the local network: redirects, pages, robots rules, feed links."""

import asyncio
from pathlib import Path

import pytest
from tests.news.newsroom import page, rss
from tests.news.web_tools import Names, fetching, quick, refusal
from tests.servers.web import Answer, pages, site

from uaeval.errors import FetchError
from uaeval.knowledge.reading import ReadSettings
from uaeval.news.article import extract
from uaeval.news.crawl import CrawlSettings, gather

NOBODY = Names({})
HOPS = {
    "a folded header": b"Location: {}x\r\n\t\r\n",
    "a header in two lines": b"Location: http://\r\n {}\r\n",
    "two headers": b"Location: /nowhere\r\nLocation: {}\r\n",
    "a bare line feed": b"Location: /nowhere\nLocation: {}\r\n",
    "no such header": b"Content-Location: {}\r\n",
    "bytes that are no text": b"Location: \xff\xfe{}\r\n",
}


@pytest.mark.parametrize("hop", HOPS)
async def test_no_shape_of_a_redirect_gets_inside(tmp_path: Path, hop: str) -> None:
    with site(lambda _asked: Answer(body=b"secret"), "127.0.0.2") as inside:
        header = HOPS[hop].replace(b"{}", inside.url.encode())
        raw = b"HTTP/1.1 302 Found\r\n" + header + b"Content-Length: 0\r\n\r\n"
        with site(pages({"/a": Answer(raw=raw)})) as here:
            with_me = quick(allow_hosts=(here.host,))
            async with fetching(tmp_path, with_me, resolve=NOBODY.resolve) as fetcher:
                kind = (await refusal(fetcher, f"{here.url}/a")).kind
    assert kind in ("address", "status", "broken")
    assert inside.asked == []


async def test_what_a_page_says_in_other_ways_leads_nowhere(tmp_path: Path) -> None:
    """Headers and tags that a browser would follow: refresh, other services, hints, frames."""
    with site(lambda _asked: Answer(body=b"secret"), "127.0.0.2") as inside:
        target = f"{inside.url}/x"
        head = (
            f'<meta http-equiv="refresh" content="0; url={target}"><base href="{target}">'
            f'<link rel="preload" href="{target}"><script>location="{target}"</script>'
            f'<link rel="amphtml" href="{target}"><link rel="canonical" href="{target}">'
        )
        leading = (
            ("Refresh", f"0; url={target}"),
            ("Alt-Svc", f'h2="127.0.0.2:{inside.port}"; ma=86400; persist=1'),
            ("Link", f"<{target}>; rel=preload"),
            ("Content-Location", target),
            ("Set-Cookie", "a=b; Domain=127.0.0.2"),
        )
        told = ["The harbour master opened the quay to boats again today, she said. " * 9]
        answer = Answer(body=page("Boats", told, head=head), headers=leading)
        with site(pages({"/a": answer, "/b": Answer()})) as here:
            with_me = quick(
                allow_hosts=(
                    here.host,
                    inside.host,
                )
            )
            async with fetching(tmp_path, with_me) as fetcher:
                got = await fetcher.get(f"{here.url}/a")
                assert extract(got.text(), got.url).url == got.url == f"{here.url}/a"
                await fetcher.get(f"{here.url}/b")
    assert here.paths == ["/robots.txt", "/a", "/b"]
    assert inside.asked == []


async def test_not_modified_is_an_error_if_no_page_is_stored(
    tmp_path: Path,
) -> None:
    with site(pages({"/a": Answer(status=304, headers=(("ETag", '"x"'),))})) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await refusal(fetcher, f"{here.url}/a")).kind == "status"


@pytest.mark.parametrize(
    "rules",
    [
        b"Crawl-delay: nan", b"Crawl-delay: inf", b"Crawl-delay: -9", b"Crawl-delay: 1e999",
        b"Request-rate: 1/0", b"Request-rate: 0/1", b"Request-rate: 1/1s 9999-9999",
        b"Disallow: " + b"*a" * 9_000 + b"$", b"Disallow: %zz%\xff", b"Disallow: http://[::1",
        b"Sitemap: file:///etc/passwd", b"\xff\xfe\x00\xd8" * 99,
    ],
    ids=lambda rules: rules[:24],
)  # fmt: skip
async def test_odd_robots_rules_stop_nothing(tmp_path: Path, rules: bytes) -> None:
    robots = Answer(body=b"User-agent: *\n" + rules + b"\n", kind="text/plain")
    with site(pages({"/robots.txt": robots, "/" + "a" * 2_000: Answer(body=b"<p>a</p>")})) as here:
        async with fetching(tmp_path) as fetcher:
            try:
                async with asyncio.timeout(60):  # no delay of these rules is waited for
                    await fetcher.get(f"{here.url}/{'a' * 2_000}")
            except FetchError as error:
                assert error.kind in ("robots", "charset")


LINKS = (
    "data:text/html,<p>secret</p>", "javascript:alert(1)", "file:///etc/passwd", "ftp://x.org/a",
    "http://[::1", "//127.0.0.2:{port}/x", "http://127.0.0.2:{port}/x",
    "http://user:secret@127.0.0.2:{port}/x",
    "https://www.bing.com/news/apiclick.aspx?url=http%3A%2F%2F127.0.0.2%3A{port}%2Fx",
)  # fmt: skip


async def test_links_of_feeds_lead_to_no_file_and_no_private_host(tmp_path: Path) -> None:
    """Nor does a base that an Atom feed sets for its links."""
    with site(lambda _asked: Answer(body=b"secret"), "127.0.0.2") as inside:
        links = [link.replace("{port}", str(inside.port)) for link in LINKS]
        items = [(link, "Boats", "") for link in links]
        based = (
            f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="{inside.url}/"><title>x</title>'
        )
        based += '<entry><title>Boats</title><link href="y"/></entry></feed>'
        replies = {
            "/rss": Answer(body=rss(items), kind="application/rss+xml"),
            "/atom": Answer(body=based.encode(), kind="application/atom+xml"),
        }
        terms = CrawlSettings(since=None, per_source=99, languages=(), reading=ReadSettings())
        with site(pages(replies)) as here:
            with_me = quick(allow_hosts=(here.host,))
            sources = [f"{here.url}{path}" for path in replies]
            async with fetching(tmp_path, with_me) as fetcher:
                found = await gather(sources, [], terms, fetcher, lambda _text: None)
    assert found.articles == ()
    kinds = {one.kind for one in found.failed if not one.id.endswith("/y")}
    assert kinds == {"address"}
    assert inside.asked == []
