"""Files of other stores, and documents that code returns."""

import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import fsspec
import pytest
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from uaeval.errors import ConfigError, KnowledgeBaseError
from uaeval.knowledge.documents import fingerprint, load

HERE = f"python:{__name__}"


@pytest.fixture
def store() -> Iterator[str]:
    memory = fsspec.filesystem("memory")
    memory.pipe({"/docs/a.md": b"# Gates\n\nGate 4 opens at six.", "/docs/b/c.txt": b"Gate 5."})
    yield "memory://docs"
    memory.rm("/docs", recursive=True)


def test_files_of_a_store_are_read_as_those_of_a_folder(store: str) -> None:
    loaded = load(store)
    assert [(each.id, each.title) for each in loaded.documents] == [
        ("a.md", "Gates"), ("b/c.txt", "C"),
    ]  # fmt: skip
    assert [each.id for each in load(f"{store}/b/c.txt").documents] == ["c.txt"]


def test_a_changed_file_changes_the_fingerprint(store: str) -> None:
    before = fingerprint(store)
    assert fingerprint(store) == before
    fsspec.filesystem("memory").pipe("/docs/a.md", b"# Gates\n\nGate 4 opens at nine.")
    assert fingerprint(store) != before


def test_an_archive_is_a_store(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "docs.zip", "w") as file:
        file.writestr("deep/page.md", "Gate 6 is closed.")
    (page,) = load(f"zip://deep::file://{tmp_path}/docs.zip").documents
    assert (page.id, page.text) == ("page.md", "Gate 6 is closed.")


@pytest.mark.parametrize("ask", [load, fingerprint])
@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("memory://nowhere", "memory://nowhere: there is no such file or folder"),
        ("s3://bucket/docs", "s3fs"),
    ],
)
def test_a_file_that_a_store_does_not_give_is_named(
    ask: Callable[[str], object], address: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(KnowledgeBaseError, match=problem):
        ask(address)


class Loader(BaseLoader):
    def lazy_load(self) -> Iterator[Document]:
        yield Document(page_content="Gate 7 is new.", metadata={"source": "x", "title": "New"})


LOADER = Loader()


def mixed() -> list[object]:
    known = Document(page_content="Gate 4 opens at six.", id="gates", metadata={"title": "Gates"})
    return [known, {"id": "fares", "body": "It costs £5."}, "A text alone."]


def failing() -> Iterator[str]:
    yield "One text."
    raise OSError("the wiki is down")


def numbers() -> list[object]:
    return [7]


def test_documents_of_a_function_and_of_a_loader_are_read() -> None:
    loaded = load(f"{HERE}:mixed")
    assert [(each.id, each.title, each.text) for each in loaded.documents] == [
        ("fares", "fares", "It costs £5."),
        ("gates", "Gates", "Gate 4 opens at six."),
        ("row-000003", "row-000003", "A text alone."),
    ]
    for name in ("Loader", "LOADER"):
        (new,) = load(f"{HERE}:{name}").documents
        assert (new.title, new.text) == ("New", "Gate 7 is new.")
    assert fingerprint(f"{HERE}:mixed") == fingerprint(f"{HERE}:mixed")
    assert fingerprint(f"{HERE}:mixed") != fingerprint(f"{HERE}:Loader")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("failing", "OSError: the wiki is down"),
        ("numbers", "a document is a int; return LangChain documents, mappings or texts"),
        ("HERE", "it returns a str; return a list of documents"),
    ],
)
def test_code_that_gives_no_documents_is_one_error(name: str, problem: str) -> None:
    with pytest.raises(KnowledgeBaseError, match=problem):
        load(f"{HERE}:{name}")


def test_a_missing_module_is_one_error() -> None:
    with pytest.raises(ConfigError, match="has no absent"):
        load(f"{HERE}:absent")
