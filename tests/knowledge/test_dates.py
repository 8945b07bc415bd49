from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from uaeval.knowledge.documents import load, write_folder
from uaeval.knowledge.reading import day_of
from uaeval.text.language import languages_of


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-03-14", "2026-03-14"),
        ("2026-03-14T23:59:59-05:00", "2026-03-14"),
        ("20260314T101500Z", "2026-03-14"),
        ("Sat, 14 Mar 2026 10:00:00 GMT", "2026-03-14"),
        (date(2026, 3, 14), "2026-03-14"),
        (datetime(2026, 3, 14, 12, tzinfo=UTC), "2026-03-14"),
        (1_773_482_400, "2026-03-14"),
        (1_773_482_400_000, "2026-03-14"),
        ("2026-13-14", None),
        ("03/04/2026", None),
        ("last week", None),
        ("", None),
        (True, None),
        (-5, None),
        (float("nan"), None),
        (float("inf"), None),
        (None, None),
        (["2026-03-14"], None),
    ],
)
def test_a_day_is_read_from_values(value: object, day: str | None) -> None:
    assert day_of(value) == day


def test_documents_give_their_date_and_address(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("---\nlast_updated: 2026-03-14\nurl: https://x.org/a\n---\nHello.")
    (folder / "b.md").write_text("---\ndate: soon\nurl: file:///etc\n---\nHello again.")
    (folder / "c.jsonl").write_text(
        '{"text": "Hello", "timestamp": 1773482400, "link": "http://x"}\n'
    )
    found = load(folder).documents
    told = [("2026-03-14", "https://x.org/a"), (None, None), ("2026-03-14", "http://x")]
    assert [(one.date, one.url) for one in found] == told
    write_folder(found, tmp_path / "copy")
    assert [(one.date, one.url) for one in load(tmp_path / "copy").documents] == told


def test_a_language_of_few_documents_is_taken_for_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for n in range(12):
        text = "The ferry runs on Sundays and holidays again, the harbour master said."
        (folder / f"{n}.txt").write_text(text if n else "Der Hafenmeister sagte am Sonntag nichts.")
    assert languages_of([document.text for document in load(folder).documents]) == ("en",)
