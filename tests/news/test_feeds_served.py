"""Feeds of every kind over real HTTP: compressed, wrongly declared, up to the articles."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import brotli
import pytest
from tests.news.newsroom import newsroom, story
from tests.news.test_crawl import gathered
from tests.servers.web import Answer, Asked, site

TITLE = "Fähre – wieder da"


def rss_2(address: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><item>'
        f"<title>{TITLE}</title><link>{address}</link>"
        "<pubDate>Mon, 16 Mar 2026 08:00:00 GMT</pubDate></item></channel></rss>"
    )


def rss_1(address: str) -> str:
    return (
        '<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/" '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<item rdf:about="{address}"><title>{TITLE}</title><link>{address}</link>'
        "<dc:date>2026-03-16T08:00:00Z</dc:date></item></rdf:RDF>"
    )


def atom(address: str) -> str:
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>Post</title>'
        f'<entry><title>{TITLE}</title><link href="{address}"/>'
        "<published>2026-03-16T08:00:00Z</published></entry></feed>"
    )


def bing(address: str) -> str:
    hidden = quote(address, safe="")
    return rss_2(f"http://www.bing.com/news/apiclick.aspx?ref=FexRss&amp;url={hidden}&amp;c=1")


def gdelt(address: str) -> str:
    found = {"url": address, "title": TITLE, "seendate": "20260316T081500Z"}
    return json.dumps({"articles": [found]})


RSS, RDF, ATOM = "application/rss+xml", "application/rdf+xml", "application/atom+xml"


@pytest.mark.parametrize("coding", ["gzip", "br"])
@pytest.mark.parametrize(
    ("feed", "kind", "encoding"),
    [
        (rss_2, f"{RSS}; charset=iso-8859-1", "utf-8"),
        (rss_2, f"{RSS}; charset=utf-8", "utf-8-sig"),
        (rss_1, f"{RDF}; charset=utf-8", "cp1252"),
        (rss_1, "text/xml", "utf-16"),
        (atom, f"{ATOM}; charset=windows-1252", "cp1252"),
        (atom, "text/html; charset=no-such-thing", "utf-8"),
        (bing, "text/xml; charset=utf-8", "utf-8"),
        (gdelt, "application/json", "utf-8"),
    ],
)
async def test_a_feed_leads_to_its_article(
    tmp_path: Path, feed: Callable[[str], str], kind: str, encoding: str, coding: str
) -> None:
    pack = {"gzip": gzip.compress, "br": brotli.compress}[coding]

    def reply(asked: Asked) -> Answer | None:
        if asked.path != "/moved":
            return newsroom([1])(asked)
        body = feed(f"http://{asked.headers['Host']}/story/1").encode(encoding)
        return Answer(body=pack(body), kind=kind, headers=(("Content-Encoding", coding),))

    def onwards(asked: Asked) -> Answer | None:
        if asked.path != "/feed":
            return None
        return Answer(status=301, headers=(("Location", f"{there.url}/moved"),))

    with site(reply, "127.0.0.2") as there, site(onwards) as here:
        found = await gathered(tmp_path, [f"{here.url}/feed"], since="2026-03-16")
    assert found.failed == ()
    assert [one.title for one in found.articles] == [story(1)[0]]
    assert [one.date for one in found.articles] == ["2026-03-16"]
    assert [one.url for one in found.articles] == [f"{there.url}/story/1"]


async def test_a_feed_that_has_not_changed_is_read_from_the_disk(tmp_path: Path) -> None:
    tag = (("ETag", '"1"'),)

    def reply(asked: Asked) -> Answer | None:
        if asked.path != "/feed":
            return newsroom([1])(asked)
        if asked.headers["If-None-Match"] == '"1"':
            return Answer(status=304, headers=tag)
        return Answer(body=atom("/story/1").encode(), kind=ATOM, headers=tag)

    with site(reply) as here:
        for _ in range(2):
            given = {"since": 1e18}
            found = await gathered(tmp_path, [f"{here.url}/feed"], given=given)
            assert [one.title for one in found.articles] == [story(1)[0]]
    assert here.paths.count("/feed") == 2
