"""A site as a knowledge base, over real HTTP."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.news.web_tools import QUICK
from tests.servers.web import Answer, Site, pages, site

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings
from uaeval.news.fetch import Fetcher
from uaeval.news.page import PageCache
from uaeval.news.site import read_site
from uaeval.run.progress import ProgressListener

WORDS = "The {} gate of the harbour opens at {} in the morning and closes when the last ferry left."


def page(name: str, links: str = "", hour: int = 6) -> Answer:
    text = "".join(f"<p>{WORDS.format(name, hour + n)}</p>" for n in range(3))
    html = f"<html><head><title>{name}</title></head><body><main><h1>{name}</h1>{text}</main>"
    return Answer(body=f"{html}<nav>{links}</nav></body></html>".encode())


def links(*addresses: str) -> str:
    return "".join(f'<a href="{address}">there</a>' for address in addresses)


def sitemap(*addresses: str, kind: str = "url") -> Answer:
    entries = "".join(f"<{kind}><loc>{address}</loc></{kind}>" for address in addresses)
    root = "urlset" if kind == "url" else "sitemapindex"
    return Answer(body=f"<{root}>{entries}</{root}>\n".encode(), kind="application/xml")


async def read(address: str, cache: Path, most: int = 50) -> LoadedDocuments:
    with PageCache(cache / "site.sqlite") as pages:
        async with Fetcher(QUICK, pages) as web:
            return await read_site(address, web, ReadSettings(), most, ProgressListener())


def urls(loaded: LoadedDocuments, running: Site) -> Mapping[str, str]:
    return {each.id: (each.url or "").removeprefix(running.url) for each in loaded.documents}


async def test_links_within_the_folder_are_followed_once(tmp_path: Path) -> None:
    replies = {
        "/guide/": page("start", links("north.html#a", "/guide/south/", "../news.html", "?q=1")),
        "/guide/north.html": page("north", links("/guide/", "gone.html", "x.png", "http://[::1")),
        "/guide/south/": page("south", links("https://example.org/guide/", "../notes.txt")),
        "/guide/notes.txt": Answer(body=WORDS.encode(), kind="text/plain"),
        "/news.html": page("news"),
    }
    with site(pages(replies)) as running:
        loaded = await read(f"{running.url}/guide/", tmp_path)
    assert urls(loaded, running) == {
        "index.html": "/guide/",
        "north.html": "/guide/north.html",
        "notes.txt": "/guide/notes.txt",
        "south/index.html": "/guide/south/",
    }
    assert [document.title for document in loaded.documents][:2] == ["start", "north"]
    (gone,) = loaded.skipped
    assert (gone.source, gone.reason.endswith("HTTP 404")) == (
        f"{running.url}/guide/gone.html",
        True,
    )
    asked = [path for path in running.paths if "sitemap" not in path]
    assert sorted(asked) == sorted({*replies, "/robots.txt", "/guide/gone.html"} - {"/news.html"})


async def test_a_sitemap_names_the_pages_and_robots_keep_some_out(tmp_path: Path) -> None:
    replies: dict[str, Answer] = {}
    with site(pages(replies)) as running:
        inside = [f"{running.url}/docs/{name}.html" for name in ("a", "b", "secret", "c")]
        robots = f"User-agent: *\nDisallow: /docs/secret\nSitemap: {running.url}/maps.xml\n"
        replies |= {
            "/robots.txt": Answer(body=robots.encode(), kind="text/plain"),
            "/maps.xml": sitemap(f"{running.url}/map-1.xml", kind="sitemap"),
            "/map-1.xml": sitemap(*inside, f"{running.url}/blog/d.html"),
            "/docs/": page("start", links("unnamed.html")),
            **{f"/docs/{name}.html": page(name) for name in ("a", "b", "c", "secret", "unnamed")},
        }
        loaded = await read(f"{running.url}/docs/", tmp_path)
        assert sorted(urls(loaded, running)) == ["a.html", "b.html", "c.html", "index.html"]
        (kept_out,) = loaded.skipped
        assert "robots.txt" in kept_out.reason
        few = await read(f"{running.url}/docs/", tmp_path, most=2)
    assert len(few.documents) == 2
    assert "only the first 2 pages were fetched; raise --site-pages" in few.skipped[-1].reason


async def test_a_sitemap_that_the_site_names_and_cannot_be_read_is_recorded(
    tmp_path: Path,
) -> None:
    replies: dict[str, Answer] = {"/docs/": page("start"), "/docs/a.html": page("a", hour=9)}
    with site(pages(replies)) as running:
        maps = [f"{running.url}/map-{number}.xml" for number in range(60)]
        replies |= {
            "/sitemap.xml": sitemap(*maps, kind="sitemap"),
            "/map-1.xml": sitemap(f"{running.url}/docs/a.html"),
        }
        loaded = await read(f"{running.url}/docs/", tmp_path)
    assert sorted(urls(loaded, running)) == ["a.html", "index.html"]
    reasons = {each.source: each.reason for each in loaded.skipped}
    assert "HTTP 404" in reasons[maps[0]]
    assert "only the first 50 sitemaps were read" in reasons.values()
    assert maps[1] not in reasons


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(status=500), "HTTP 500"),
        (Answer(status=403), "HTTP 403"),
        (Answer(body=b"x" * 5_000_001, kind="application/xml"), "larger than"),
        (Answer(body=b"\x1f\x8b", kind="application/gzip"), "application/gzip"),
        (Answer(body=b"<urlset><url><loc>", kind="text/xml"), "(addresses used: 0)"),
    ],
)
async def test_a_sitemap_at_a_usual_address_that_fails_is_recorded_and_links_are_followed(
    answer: Answer, reason: str, tmp_path: Path
) -> None:
    replies = {
        "/docs/": page("start", links("a.html")),
        "/docs/a.html": page("a", hour=9),
        "/sitemap.xml": answer,
    }
    with site(pages(replies)) as running:
        loaded = await read(f"{running.url}/docs/", tmp_path)
    assert sorted(urls(loaded, running)) == ["a.html", "index.html"]
    (unread,) = loaded.skipped
    assert unread.source == f"{running.url}/sitemap.xml"
    assert reason in unread.reason


async def test_the_addresses_in_a_sitemap_that_breaks_off_are_used(tmp_path: Path) -> None:
    replies: dict[str, Answer] = {"/": page("start"), "/a.html": page("a", hour=9)}
    with site(pages(replies)) as running:
        body = f"<urlset><url><loc>{running.url}/a.html</loc></url><url><lo".encode()
        replies["/sitemap.xml"] = Answer(body=body, kind="application/xml")
        loaded = await read(running.url, tmp_path)
    assert sorted(urls(loaded, running)) == ["a.html", "index.html"]
    (broken,) = loaded.skipped
    assert "no complete XML sitemap (addresses used: 1)" in broken.reason


@pytest.mark.parametrize(
    "answer",
    [Answer(status=410), Answer(status=404), Answer(body=b"<!doctype html><HTML lang=en>none")],
)
async def test_a_missing_sitemap_is_not_recorded(answer: Answer, tmp_path: Path) -> None:
    with site(pages({"/": page("start"), "/sitemap.xml": answer})) as running:
        loaded = await read(running.url, tmp_path)
    assert loaded.skipped == ()


async def test_names_of_pages_cannot_leave_the_folder(tmp_path: Path) -> None:
    odd = ["/%2e%2e/%2e%2e/up.html", "/" + "x" * 300, "/.hidden", "/a%00b", "/ä", "/a", "/a/b"]
    replies = {path: page(str(number), hour=number) for number, path in enumerate(odd)}
    with site(pages({"/": page("start", links(*odd)), **replies})) as running:
        loaded = await read(running.url, tmp_path)
    assert all(".." not in each.id and len(each.id) < 120 for each in loaded.documents)
    assert len(loaded.documents) >= 6


async def test_a_start_page_that_cannot_be_fetched_is_an_error(tmp_path: Path) -> None:
    with site(pages({})) as running, pytest.raises(KnowledgeBaseError, match="HTTP 404"):
        await read(running.url, tmp_path)
