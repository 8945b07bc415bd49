"""From sources to articles: which are used, which are rejected, and why."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.news.newsroom import newsroom, page, rss, story
from tests.news.test_feeds import GOOGLE
from tests.news.web_tools import Names, Wires, fetching, quick
from tests.servers.web import Answer, Asked, pages, site

from uaeval.config import SynthesisConfig
from uaeval.knowledge.reading import ReadSettings
from uaeval.news.crawl import CrawlResult, CrawlSettings, gather

SATURDAY, SUNDAY = "Sat, 14 Mar 2026 08:00:00 GMT", "Sun, 15 Mar 2026 08:00:00 GMT"


async def gathered(
    folder: Path,
    entries: Sequence[str],
    *,
    topics: Sequence[str] = (),
    settings: SynthesisConfig | None = None,
    given: dict[str, Any] | None = None,
    **terms: Any,
) -> CrawlResult:
    wanted = {"since": None, "per_source": 100, "languages": ("en",)} | terms
    conditions = CrawlSettings(**wanted, reading=ReadSettings())
    async with fetching(folder, settings or quick(), **(given or {})) as fetcher:
        return await gather(entries, topics, conditions, fetcher, lambda _text: None)


def reasons(found: CrawlResult) -> dict[str, str]:
    return {one.id.rpartition("/")[2]: one.check for one in found.rejected}


async def test_a_feed_becomes_articles_with_url_day_language_and_hash(tmp_path: Path) -> None:
    with site(newsroom([1, 2])) as here:
        found = await gathered(tmp_path, [f"{here.url}/feed"])
    first = found.articles[0]
    title, paragraphs = story(1)
    assert [article.title for article in found.articles] == [title, story(2)[0]]
    assert (first.url, first.date, first.language) == (f"{here.url}/story/1", "2026-03-14", "en")
    assert first.source == f"{here.url}/feed"
    assert all(text in first.text for text in paragraphs)
    assert "newsletter" not in first.text
    assert len(first.sha256) == 64
    assert not found.rejected
    assert not found.failed


async def test_a_search_is_asked_for_each_topic_and_its_finds_are_taken_in_turn(
    tmp_path: Path,
) -> None:
    queries: list[str] = []

    def reply(asked: Asked) -> Answer | None:
        if asked.path.startswith("/search?q="):
            topic = asked.path.partition("=")[2]
            queries.append(topic)
            numbers = {"ferry%20lines": [1, 2], "R%26D": [3, 2]}[topic]
            items = [(f"/story/{n}", "A story", SATURDAY) for n in numbers]
            return Answer(body=rss(items), kind="text/xml")
        return newsroom([1, 2, 3])(asked)

    with site(reply) as here:
        found = await gathered(
            tmp_path, [here.url + "/search?q={query}"], topics=["ferry lines", "R&D"]
        )
    assert sorted(queries) == ["R%26D", "ferry%20lines"]
    assert [article.title for article in found.articles] == [story(n)[0] for n in (1, 3, 2)]


async def test_old_undated_foreign_short_or_copied_articles_are_rejected(tmp_path: Path) -> None:
    german = ["Die Fähre fährt wieder über den Fluss, sagte der Hafenmeister am Montag. " * 9]
    long = [*story(1)[1], "The council will meet again about it in the autumn of next year."]
    replies = {
        "/old": page(*story(5)),
        "/old-by-page": page(*story(6), day="2026-03-01"),
        "/undated": page(*story(7), day=""),
        "/german": page("Fähre", german, language="de"),
        "/short": page("Short", ["Log in to read on."]),
        "/one": page(*story(1)),
        "/copy": page(story(1)[0], long),
        "/gone": b"",
    }
    feed = rss(
        [
            (f"/{name[1:]}", "t", {"/old": SATURDAY, "/one": SUNDAY}.get(name, ""))
            for name in replies
        ]
    )
    answers = {name: Answer(body=body) for name, body in replies.items() if body}
    answers["/feed"] = Answer(body=feed, kind="text/xml")
    for name in ("/german", "/short", "/copy"):
        day = b'content="2026-03-14'
        answers[name] = Answer(body=replies[name].replace(day, b'content="2026-03-16'))
    with site(pages(answers)) as here:
        found = await gathered(tmp_path, [f"{here.url}/feed"], since="2026-03-15")
    assert reasons(found) == {
        "old": "since",
        "old-by-page": "since",
        "undated": "undated",
        "german": "language",
        "short": "short",
        "one": "duplicate",
    }
    (kept,) = found.articles
    assert (kept.url, kept.also_at) == (f"{here.url}/copy", (f"{here.url}/one",))
    (failed,) = found.failed
    assert (failed.id, failed.stage, failed.kind) == (f"{here.url}/gone", "fetch", "status")


async def test_a_source_gives_no_more_than_its_share_the_latest_first(tmp_path: Path) -> None:
    items = [(f"/story/{n}", "t", SUNDAY if n == 3 else SATURDAY) for n in (1, 2, 3)]
    feed = Answer(body=rss(items), kind="text/xml")

    def reply(asked: Asked) -> Answer | None:
        return feed if asked.path == "/feed" else newsroom([1, 2, 3])(asked)

    with site(reply) as here:
        found = await gathered(tmp_path, [f"{here.url}/feed"], per_source=2)
    assert [article.title for article in found.articles] == [story(n)[0] for n in (3, 1)]
    assert reasons(found) == {"2": "per_source"}
    assert "/story/2" not in here.paths


async def test_google_news_gives_titles_and_articles_only_where_links_redirect(
    tmp_path: Path,
) -> None:
    feed = GOOGLE.replace(b"https://news.google.com", b"http://news.google.com")
    second = feed.replace(b"CBMiQWh0?oc=5", b"moved")
    item = second[second.index(b"<item>") : second.index(b"</channel>")]
    both = feed.replace(b"</channel>", item + b"</channel>")
    with site(newsroom([4]), "127.0.0.2") as there:
        moved = Answer(status=302, headers=(("Location", f"{there.url}/story/4"),))
        script = Answer(body=b"<html><script>go()</script></html>")
        answers = {
            "/rss/search?q=x": Answer(body=both, kind="application/xml"),
            "/rss/articles/CBMiQWh0?oc=5": script,
            "/rss/articles/moved": moved,
        }
        with site(pages(answers)) as here:
            names = Names({"news.google.com": [["142.250.1.1"]]})
            wires = Wires({"142.250.1.1": here.port, "127.0.0.2": there.port})
            found = await gathered(
                tmp_path,
                ["http://news.google.com/rss/search?q={query}"],
                topics=["x"],
                given={"resolve": names.resolve, "network": wires},
            )
    assert [article.title for article in found.articles] == [story(4)[0]]
    (only,) = found.rejected
    assert (only.check, "Harbour Post" in only.rationale) == ("title_only", True)


async def test_a_feed_that_is_down_is_a_failure_beside_the_others(tmp_path: Path) -> None:
    with site(newsroom([1])) as here:
        broken = f"{here.url}/nothing"
        found = await gathered(tmp_path, [broken, f"{here.url}/feed"])
    assert len(found.articles) == 1
    assert [(one.id, one.stage, one.kind) for one in found.failed] == [(broken, "find", "status")]


async def test_folders_of_pages_texts_and_rows(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "a.html").write_bytes(page(*story(1)))
    (folder / "b.md").write_text("---\ntitle: Boats\ndate: 2026-03-16\n---\nThe boats are back.\n")
    (folder / "c.jsonl").write_text(
        '{"id": "x", "title": "<b>Ferry</b>", "text": "The ferry runs on Sundays again.", '
        '"url": "https://news.example.org/x", "published": "2026-03-17T10:00:00Z"}\n'
        '{"id": "y", "title": "Old", "text": "The old ferry.", "published": "2020-01-01"}\n'
    )
    (folder / "d.pdf").write_bytes(b"no pdf")
    terms = CrawlSettings(
        since="2026-03-14", per_source=9, languages=("en",), reading=ReadSettings()
    )
    found = await gather([str(folder)], [], terms, None, lambda _text: None)
    assert [(one.id, one.title, one.date, one.url) for one in found.articles] == [
        ("a.html", story(1)[0], "2026-03-14", None),
        ("b.md", "Boats", "2026-03-16", None),
        ("c.jsonl/x", "Ferry", "2026-03-17", "https://news.example.org/x"),
    ]
    assert {one.check for one in found.rejected} == {"since", "unreadable"}


@pytest.mark.parametrize(("kept_alive", "delay_s"), [(True, 0.2), (False, 0.0)])
async def test_a_crawl_is_polite(tmp_path: Path, kept_alive: bool, delay_s: float) -> None:
    """Requests to one host keep the pause, and no two are in flight at once."""
    under_way = {"now": 0, "most": 0}
    close = () if kept_alive else (("Connection", "close"),)

    def reply(asked: Asked) -> Answer | None:
        under_way["now"] += 1
        under_way["most"] = max(under_way["most"], under_way["now"])
        time.sleep(0.05)
        answer = newsroom(range(8))(asked)
        under_way["now"] -= 1
        assert answer is not None
        return Answer(status=answer.status, body=answer.body, kind=answer.kind, headers=close)

    with site(reply) as here:
        found = await gathered(tmp_path, [f"{here.url}/feed"], settings=quick(host_delay=delay_s))
    starts = sorted(asked.at for asked in here.asked)
    assert len(found.articles) == 8
    assert starts[-1] - starts[0] > delay_s * (len(starts) - 1) / 2  # half: arrivals waver
    assert under_way["most"] == 1
