"""The worker that reads files: what it may not do, and what happens when it dies."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, UnusableFile
from uaeval.knowledge.worker import FileWorker, Reading
from uaeval.records import Document


def whole(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    sys.stdout.write("what a parser prints does not disturb the answer")
    document = Document(
        id=name, title="T\ud83d", text=path.read_text(encoding="utf-8"), source=name
    )
    return LoadedDocuments(documents=(document,), skipped=())


def connecting(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    socket.create_connection(("127.0.0.1", 9))
    raise AssertionError


def writing(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    (path.parent / "written").write_text("x")
    raise AssertionError


def starting(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    subprocess.run(["true"], check=True)
    raise AssertionError


def hanging(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    while True:
        pass


def greedy(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    return whole(path, "x" * 4_000_000_000, settings)


def crashing(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    os._exit(7)


class OwnError(Exception):
    pass


def failing(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    raise OwnError(f"no {name}")


def misspelt(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    return undefined(path)  # type: ignore[name-defined,no-any-return] # noqa: F821


def leaving(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    sys.exit("bye")


def wrong(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    raise KnowledgeBaseError("row 3 has no text")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("The reading room opens at nine.")
    return path


def test_the_documents_come_back_as_they_were_read(file: Path) -> None:
    with FileWorker(whole) as worker:
        loaded = [worker.read(file, name, ReadSettings()) for name in ("a", "b")]
    assert [entry.documents[0].id for entry in loaded] == ["a", "b"]
    assert loaded[0].documents[0].title == "T\ud83d"
    assert loaded[0].documents[0].text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (connecting, "must not do this"),
        (writing, "must not write"),
        (starting, "must not do this"),
        (hanging, "takes more than 2 s"),
        (greedy, "too much memory"),
        (crashing, "crashed"),
        (failing, r"damaged and cannot be read \(OwnError: no a.txt\)"),
        (misspelt, "NameError: name 'undefined' is not defined"),
        (leaving, "SystemExit: bye"),
    ],
)
def test_a_reader_that_breaks_its_rules_leaves_the_file_out(
    file: Path, read: Reading, said: str
) -> None:
    seconds = 2 if read is hanging else 30
    with FileWorker(read, seconds=seconds) as worker, pytest.raises(UnusableFile, match=said):
        worker.read(file, "a.txt", ReadSettings())
    assert not (file.parent / "written").exists()


def test_the_next_file_gets_a_new_worker(file: Path) -> None:
    with FileWorker(crashing) as worker:
        for _ in range(2):
            with pytest.raises(UnusableFile, match="crashed"):
                worker.read(file, "a.txt", ReadSettings())


def test_an_error_of_the_rows_stays_one(file: Path) -> None:
    with FileWorker(wrong) as worker, pytest.raises(KnowledgeBaseError, match="row 3 has no text"):
        worker.read(file, "a.txt", ReadSettings())


def test_a_file_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with FileWorker(whole) as worker, pytest.raises(UnusableFile, match="No such file"):
        worker.read(tmp_path / "missing", "missing", ReadSettings())
