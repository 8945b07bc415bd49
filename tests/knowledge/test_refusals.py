"""Faulty knowledge bases: what is reported and what is left out."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from datasets import Dataset
from tests.knowledge.test_documents import jsonl, write

from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.documents import (
    LoadedDocuments,
    ReadSettings,
    fingerprint,
    load,
    write_folder,
)
from uaeval.records import Document

ONE = Document(id="a", title="T", text="Text.", source="x")
SHORT = ReadSettings(max_file_bytes=100)


def left_out(loaded: LoadedDocuments) -> dict[str, str]:
    return {skipped.source: skipped.reason for skipped in loaded.skipped}


@pytest.mark.parametrize("address", ["", "  "])
def test_an_empty_address_is_not_the_current_folder(address: str) -> None:
    for read in (load, fingerprint):
        with pytest.raises(KnowledgeBaseError, match="give a knowledge base"):
            read(address)


@pytest.mark.parametrize("address", ["x" * 5_000, f"chroma:{'x' * 5_000}/docs"])
def test_an_address_that_is_too_long_for_a_path_is_cut_in_the_message(address: str) -> None:
    for read in (load, fingerprint):
        with pytest.raises(KnowledgeBaseError, match="too long") as caught:
            read(address)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("address", ["hf:foo bar/x", "hf:a--b/x", "hf:-a/b"])
def test_an_impossible_dataset_name_is_an_error(address: str) -> None:
    for read in (load, fingerprint):
        with pytest.raises(KnowledgeBaseError, match=rf"{address}.*check its name"):
            read(address)


def test_documents_cannot_be_written_over_a_file(tmp_path: Path) -> None:
    taken = write(tmp_path / "taken", "x")

    for place in (taken, taken / "below"):
        with pytest.raises(StorageError, match=rf"{place}.*choose another"):
            write_folder([ONE], place)
    assert taken.read_text() == "x"


def test_a_full_disk_is_a_storage_error(tmp_path: Path) -> None:
    script = f"""
import sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from uaeval.errors import StorageError
from uaeval.knowledge.documents import write_folder
from uaeval.records import Document
try:
    large = Document(id="a", title="T", text="x" * 9_000, source="x")
    write_folder([large], Path({str(tmp_path)!r}))
except StorageError as error:
    print(error)
"""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))

    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        check=True, capture_output=True, text=True, preexec_fn=limit,
    )  # fmt: skip

    assert f"cannot write the documents to {tmp_path}" in done.stdout
    assert "free some space" in done.stdout


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            '{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n',
            "bad.jsonl:2: bad.jsonl:1 already has the id '1'",
        ),
        ('{"text": \n{"text": ', "bad.jsonl:1: this line is not JSON"),
        (f'{{"text": {"1" * 5_000}}}', "bad.jsonl:1: this line is not JSON"),
        ('{"id": {"a": 1}, "text": "a"}\n', "bad.jsonl:1: the field 'id' has a dict"),
        ('{"id": 1, "words": "a"}\n', "bad.jsonl:1: no text field"),
    ],
)
def test_a_bad_row_file_among_good_ones_is_left_out_and_named(
    tmp_path: Path, lines: str, message: str
) -> None:
    write(tmp_path / "good.md", "Text.")
    bad = write(tmp_path / "bad.jsonl", lines)

    loaded = load(tmp_path)

    assert [document.id for document in loaded.documents] == ["good.md"]
    assert left_out(loaded)["bad.jsonl"].startswith(message)
    with pytest.raises(KnowledgeBaseError, match=r"bad\.jsonl:\d"):
        load(bad)


def test_a_bad_row_is_left_out_and_named_and_the_others_are_read(tmp_path: Path) -> None:
    lines = ["not json", '{"id": 2, "text": "b"}', "[1]", '{"id": 4}', '{"text": ["e"]}']
    write(tmp_path / "a.jsonl", "\n".join([*lines, '{"id": 6, "text": "f"}']))

    for source in (tmp_path, tmp_path / "a.jsonl"):
        loaded = load(source)
        assert [(d.source, d.text) for d in loaded.documents] == [
            ("a.jsonl:2", "b"),
            ("a.jsonl:6", "f"),
        ]
        assert {place: reason[:30] for place, reason in left_out(loaded).items()} == {
            "a.jsonl:1": "this line is not JSON (Expecti",
            "a.jsonl:3": "this line is not a JSON object",
            "a.jsonl:4": "no text field (tried text, con",
            "a.jsonl:5": "the field 'text' has a list, n",
        }


def test_fields_of_rows_that_are_not_read_are_named_by_file(tmp_path: Path) -> None:
    rows = "id,question,answer,Text,url,mood,empty\n1,Q,A,T,https://x.example,calm,\n"
    write(tmp_path / "a.csv", rows)
    jsonl(tmp_path / "b.jsonl", [{"text": "T"}, {"body": "T", "n": 0, "none": None, "tags": ["x"]}])
    jsonl(tmp_path / "c.jsonl", [{"_id": "1", "title": "A", "text": "T", "date": "2026-01-02"}])

    loaded = load(tmp_path)
    named = load(tmp_path / "a.csv", settings=ReadSettings(text_field="answer"))

    assert loaded.unread_fields == {"a.csv": ("answer", "mood"), "b.jsonl": ("n", "tags")}
    assert named.unread_fields == {"a.csv": ("Text", "mood")}
    assert not loaded.skipped


def test_a_date_or_address_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    row: dict[str, object] = {"text": "T", "date": "03/04/2026", "url": "page 3"}
    jsonl(tmp_path / "a.jsonl", [row])
    jsonl(tmp_path / "b.jsonl", [{**row, "date": "2026-04-03", "url": "https://x.example/3"}])

    assert load(tmp_path).unread_fields == {"a.jsonl": ("date", "url")}


def test_of_two_files_with_one_id_the_later_is_left_out(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        write(tmp_path / name, f"---\nid: same\ntext: verbatim\n---\nText of {name}.\n")
    write(tmp_path / "c.md", "---\nid: r.csv/1\ntext: verbatim\n---\nText.\n")
    write(tmp_path / "r.csv", "id,text\n1,a\n2,b\n")

    loaded = load(tmp_path)

    assert [(d.id, d.source) for d in loaded.documents] == [
        ("r.csv/1", "c.md"),
        ("r.csv/2", "r.csv:3"),
        ("same", "a.md"),
    ]
    assert "a.md already has the id" in left_out(loaded)["b.md"]
    assert "c.md already has the id" in left_out(loaded)["r.csv:2"]


def test_a_corpus_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "corpus.jsonl", b"\0\1" * 50)

    with pytest.raises(KnowledgeBaseError, match=r"corpus\.jsonl: it is a binary file"):
        load(tmp_path)


def test_json_lines_that_are_too_long_are_left_out(tmp_path: Path) -> None:
    fits = "f" * (100 - len('{"text": ""}'))
    texts = ["a", "x" * 300, fits, fits + "!", "b" * 50]
    path = jsonl(tmp_path / "a.jsonl", [{"text": text} for text in texts])

    loaded = load(path, settings=SHORT)

    assert [(d.id, d.source) for d in loaded.documents] == [
        ("row-000001", "a.jsonl:1"),
        ("row-000003", "a.jsonl:3"),
        ("row-000005", "a.jsonl:5"),
    ]
    assert sorted(left_out(loaded)) == ["a.jsonl:2", "a.jsonl:4"]
    assert "longer than 100 characters; split it" in left_out(loaded)["a.jsonl:2"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "cell",
    [
        "x" * 300,
        f'"{"x" * 300}"',
        f'"{"x, y|" * 40}|more, of it"',
        f'"{"short line|" * 30}"',
        f'"first|{"x" * 300}|{"y" * 300}"',
    ],
)
def test_csv_cells_that_are_too_long_are_left_out(tmp_path: Path, cell: str, end: str) -> None:
    rows = ["id,text", "1,a", f"2,{cell}", '3,"b|c"', "4,d"]
    path = write(tmp_path / "a.csv", "|".join([*rows, ""]).replace("|", end))

    loaded = load(path, settings=SHORT)

    assert [(d.id, d.text) for d in loaded.documents] == [("1", "a"), ("3", "b\nc"), ("4", "d")]
    assert ["split" in reason for reason in left_out(loaded).values()] == [True]


def test_a_csv_header_that_is_too_long_leaves_nothing_to_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", f"id,{'x' * 300}\n1,a\n")

    with pytest.raises(KnowledgeBaseError, match="the fields: it is longer than 100"):
        load(path, settings=SHORT)


def test_cells_of_tables_that_are_too_long_are_left_out(tmp_path: Path) -> None:
    data = Dataset.from_dict({"id": [1, 2, 3], "text": ["a", "x" * 101, "b" * 100]})
    data.to_parquet(tmp_path / "a.parquet")
    data.save_to_disk(tmp_path / "saved")

    for path in (tmp_path / "a.parquet", tmp_path / "saved"):
        loaded = load(path, settings=SHORT)
        assert [document.id for document in loaded.documents] == ["1", "3"]
        assert left_out(loaded) == {
            f"{path.name}:2": "it is longer than 100 characters; split it into several rows"
        }


def test_a_link_out_of_the_folder_is_followed_only_if_asked(tmp_path: Path) -> None:
    write(tmp_path / "secret.md", "Not of the knowledge base.")
    write(tmp_path / "other" / "linked.md", "Linked on purpose.")
    root = tmp_path / "docs" / "kb"
    write(root / "a.md", "Text.")
    before = fingerprint(root)
    (root / "up").symlink_to("..", target_is_directory=True)
    (root / "top").symlink_to(tmp_path, target_is_directory=True)
    assert fingerprint(root) == before
    (root / "beside").symlink_to(tmp_path / "other", target_is_directory=True)

    loaded = load(root)
    assert [document.id for document in loaded.documents] == ["a.md"]
    assert [entry.source for entry in loaded.skipped] == ["beside", "top", "up"]
    assert "follow_links" in loaded.skipped[0].reason

    followed = load(root, settings=ReadSettings(follow_links=True))
    assert [document.id for document in followed.documents] == ["a.md", "beside/linked.md"]


def test_text_that_is_not_unicode_can_still_be_written(tmp_path: Path) -> None:
    write(tmp_path / os.fsdecode(b"caf\xe9.md"), "Text.")
    write(tmp_path / "a.jsonl", '{"id": 1, "text": "half \\ud83d"}\n')

    loaded = load(tmp_path)
    write_folder(loaded.documents, tmp_path / "again")

    assert [(d.id, d.text) for d in loaded.documents] == [
        ("a.jsonl/1", "half ?"),
        ("caf?.md", "Text."),
    ]
    assert len(load(tmp_path / "again").documents) == 2
