"""Feeds of every kind, and the shapes of searches as their documentation and feeds show them."""

import json

import pytest

from uaeval.errors import FetchError
from uaeval.news.page import Page
from uaeval.news.sources import FeedEntry, article_address, read_feed

RSS2 = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Post</title>
<item><title>Boats &amp; harbours</title><link>/boats?a=1&amp;b=2</link>
<pubDate>Sat, 14 Mar 2026 23:30:00 -0500</pubDate></item>
<item><title>No link</title></item>
<item><title><![CDATA[<b>Ferry</b> back]]></title><link>https://news.example.org/ferry</link></item>
</channel></rss>"""
RSS1 = b"""<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/"
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="http://news.example.org/"><title>Post</title></channel>
<item rdf:about="http://news.example.org/boats"><title>Boats</title>
<link>http://news.example.org/boats</link><dc:date>2026-03-14T10:00:00Z</dc:date></item></rdf:RDF>"""
ATOM = b"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Post</title>
<entry><title type="html">Boats &lt;em&gt;sail&lt;/em&gt;</title>
<link rel="alternate" href="http://news.example.org/boats"/>
<link rel="self" href="http://news.example.org/boats.json"/>
<published>2026-03-14T10:00:00Z</published><updated>2026-03-20T10:00:00Z</updated></entry>
<entry><title>Only updated</title><link href="later"/><updated>2026-03-20T10:00:00Z</updated>
</entry></feed>"""
BING = b"""<?xml version="1.0" encoding="utf-8" ?><rss version="2.0"
xmlns:News="https://www.bing.com:443/news/search?q=ferries&amp;format=rss"><channel>
<title>ferries - BingNews</title><link>https://www.bing.com:443/news/search?q=ferries&amp;format=rss
</link><item><title>Ferry runs again</title><link>http://www.bing.com/news/apiclick.aspx?ref=FexRss&amp;aid=&amp;tid=65f2&amp;url=https%3a%2f%2fnews.example.org%2fferry%3fid%3d7&amp;c=1&amp;mkt=en-us</link>
<description>The ferry runs.</description><pubDate>Sat, 14 Mar 2026 10:00:00 GMT</pubDate>
<News:Source>Harbour Post</News:Source></item></channel></rss>"""
GOOGLE = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?><rss version="2.0"
xmlns:media="http://search.yahoo.com/mrss/"><channel><title>"ferries" - Google News</title><item>
<title>Ferry runs again - Harbour Post</title>
<link>https://news.google.com/rss/articles/CBMiQWh0?oc=5</link><guid isPermaLink="false">CBMiQWh0
</guid><pubDate>Sat, 14 Mar 2026 07:00:00 GMT</pubDate>
<description>&lt;a href="https://news.google.com/rss/articles/CBMiQWh0?oc=5"&gt;Ferry&lt;/a&gt;
</description><source url="https://news.example.org">Harbour Post</source></item></channel></rss>"""
GDELT = {
    "articles": [
        {
            "url": "https://news.example.org/ferry",
            "url_mobile": "",
            "title": "Ferry runs again",
            "seendate": "20260314T101500Z",
            "socialimage": "",
            "domain": "news.example.org",
            "language": "English",
            "sourcecountry": "United Kingdom",
        },
        {"title": "no address"},
        "nonsense",
    ]
}


def fed(body: bytes, kind: str = "application/rss+xml", charset: str | None = None) -> Page:
    header = f"{kind}; charset={charset}" if charset else kind
    return Page(url="http://news.example.org/feed", content_type=header, body=body)


def test_rss_2_is_read() -> None:
    boats, ferry = read_feed(fed(RSS2))
    assert boats == FeedEntry(
        url="http://news.example.org/boats?a=1&b=2",
        title="Boats & harbours",
        date="2026-03-15",
        publisher="",
    )
    assert (ferry.title, ferry.date) == ("Ferry back", None)


def test_rss_1_and_atom_are_read() -> None:
    (boats,) = read_feed(fed(RSS1, "application/rdf+xml"))
    assert (boats.url, boats.date) == ("http://news.example.org/boats", "2026-03-14")
    sail, later = read_feed(fed(ATOM, "application/atom+xml"))
    assert (sail.url, sail.title) == ("http://news.example.org/boats", "Boats sail")
    assert sail.date == "2026-03-14"
    assert (later.url, later.date) == ("http://news.example.org/later", "2026-03-20")


def test_the_recorded_shapes_of_bing_google_and_gdelt() -> None:
    (bing,) = read_feed(fed(BING, "text/xml"))
    assert (bing.url, bing.publisher) == ("https://news.example.org/ferry?id=7", "Harbour Post")
    (google,) = read_feed(fed(GOOGLE, "application/xml"))
    assert google.url.startswith("https://news.google.com/rss/articles/")
    assert (google.publisher, google.date) == ("Harbour Post", "2026-03-14")
    (gdelt,) = read_feed(fed(json.dumps(GDELT).encode(), "application/json"))
    assert (gdelt.url, gdelt.date) == ("https://news.example.org/ferry", "2026-03-14")
    assert read_feed(fed(b"{}", "application/json")) == ()


def test_an_address_in_a_bing_link_is_not_trusted_from_other_hosts() -> None:
    hidden = "https://evil.example/news/apiclick.aspx?url=http%3A%2F%2F127.0.0.1%2F"
    assert article_address(hidden) == hidden
    assert article_address("https://www.bing.com/news/apiclick.aspx?x=1").startswith("https://www")


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (RSS2.replace(b"Boats", "Bôats".encode()), "iso-8859-1"),
        (RSS2.replace(b"utf-8", b"iso-8859-1").replace(b"Boats", b"B\xf4ats"), None),
        (RSS2.replace(b"Boats", b"B\xf4ats"), "iso-8859-1"),
        (b"\xff\xfe" + RSS2.decode().replace("Boats", "Bôats").encode("utf-16-le"), None),
    ],
)
def test_feeds_of_wrong_charsets(body: bytes, charset: str | None) -> None:
    assert read_feed(fed(body, charset=charset))[0].title == "Bôats & harbours"


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Not a feed</body></html>",
        b"Your query was too short or too long.",
        b"[1, 2]",
        b'{"articles": 7}',
        b"{" * 100_000,
        b'{"a":' * 100_000,
    ],
)
def test_a_page_that_is_not_a_feed_is_an_error_and_not_an_empty_feed(body: bytes) -> None:
    with pytest.raises(FetchError) as caught:
        read_feed(fed(body, "text/html"))
    assert caught.value.kind == "feed"
