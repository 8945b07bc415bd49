import asyncio
import csv
import io
import os
import tracemalloc
from pathlib import Path

import pytest

from uaeval.errors import StorageError
from uaeval.records import Evidence, Outcome, Rejection
from uaeval.storage import KeyedJournal, csv_text, read_journal, write_journal, write_text

RECORDS = [
    Rejection(id="a", check="c", rationale="a line\u2028break and \u0085 another\nand ümläut"),
    Rejection(id="b", check="c", rationale=""),
]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "records.jsonl"
    write_journal(path, Rejection, RECORDS)
    assert read_journal(path, Rejection) == tuple(RECORDS)


def test_line_ends_of_any_kind_stay_within_their_cell() -> None:
    rows = [{"response": "1%\r100%", "label": "yes"}, {"response": "a\r\nb", "label": "no"}]
    written = csv_text(["response", "label"], rows)
    read = list(csv.DictReader(io.StringIO(written, newline=""), strict=True))
    assert read == [
        {"response": "1%\n100%", "label": "yes"},
        {"response": "a\nb", "label": "no"},
    ]


def test_an_empty_journal_is_read_as_nothing(tmp_path: Path) -> None:
    write_journal(tmp_path / "none.jsonl", Rejection, [])
    assert read_journal(tmp_path / "none.jsonl", Rejection) == ()


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    write_journal(path, Rejection, RECORDS)
    with path.open("a") as file:
        file.write('{"id": 3}\n')
    with pytest.raises(StorageError, match=r"records\.jsonl:3: "):
        read_journal(path, Rejection)


def test_a_folder_that_cannot_be_made_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="choose another -o"):
        write_text(tmp_path / "file" / "run" / "x.json", "{}")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"


def test_a_journal_is_written_record_by_record(tmp_path: Path) -> None:
    path, size = tmp_path / "records.jsonl", 1_000_000
    tracemalloc.start()
    write_journal(
        path, Rejection, (Rejection(id=f"{n}", check="c", rationale="x" * size) for n in range(20))
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 20 * size
    assert peak < 10 * size


def test_a_journal_that_breaks_off_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    write_journal(path, Rejection, RECORDS)
    broken = Rejection(id="a", check="c", rationale="half a character \ud800")
    with pytest.raises(ValueError, match="surrogates"):
        write_journal(path, Rejection, [RECORDS[0], broken])
    assert read_journal(path, Rejection) == tuple(RECORDS)


def test_a_folder_cannot_be_written_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for place in (Path(), tmp_path):
        with pytest.raises(StorageError, match="is a folder; name a file in it"):
            write_text(place, "")


async def test_records_kept_at_once_are_all_on_the_disk_after_few_syncs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []
    path, sync = tmp_path / "journal.jsonl", os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(path.read_text(encoding="utf-8").count("\n"))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    journal = KeyedJournal(path, str, str)
    await asyncio.gather(*(journal.keep(f"record {number}") for number in range(100)))
    assert synced[-1] == 100
    assert len(synced) < 10
    again = KeyedJournal(path, str, str)
    assert again.known.keys() == {f"record {number}" for number in range(100)}


async def test_a_record_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    journal = KeyedJournal(tmp_path / "nowhere" / "journal.jsonl", str, str)
    with pytest.raises(StorageError, match=r"cannot write .*; free some space"):
        await journal.keep("record")
    assert journal.known == {}


def test_evidence_that_an_earlier_version_called_murky_is_inconclusive(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_text('{"claim": "Leave is paid.", "outcome": "murky"}\n', encoding="utf-8")
    (evidence,) = read_journal(path, Evidence)
    assert evidence.outcome is Outcome.INCONCLUSIVE
