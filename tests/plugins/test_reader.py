"""A reader from another package: the example of the documentation, and wrong declarations."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.plugin_examples import installed, lines_of

from uaeval.errors import ConfigError, KnowledgeBaseError
from uaeval.knowledge import readers
from uaeval.knowledge.documents import fingerprint, load
from uaeval.knowledge.reading import Content, LoadedDocuments, ReadSettings, UnusableFile
from uaeval.records import Document

ORG = """#+TITLE: Reading room
* Opening hours
:PROPERTIES:
:ID: 7
:END:
The room opens at nine, see [[https://example.org][the calendar]].
# a comment
"""


def rules() -> list[str]:
    """Return the documents of a source in Python."""
    return ["The room opens at nine."]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Forget the readers that are installed, before and after a test."""
    readers.installed_readers.cache_clear()
    yield
    readers.installed_readers.cache_clear()


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the example; return a folder with one file that it reads."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "room.org").write_text(ORG)
    with installed("reader", tmp_path / "site", monkeypatch):
        yield folder


def _of(suffixes: Any) -> readers.FileReader:
    return readers.FileReader(suffixes=suffixes, convert=lambda data: Content(None, ""))


def _install(monkeypatch: pytest.MonkeyPatch, reader: object) -> None:
    monkeypatch.setattr(readers, "plugins", lambda group: {"mine": reader})


def test_a_reader_from_another_package_reads_its_files(example: Path) -> None:
    (document,) = load(example).documents
    assert document.title == "Reading room"
    assert document.text == "# Opening hours\nThe room opens at nine, see the calendar."
    assert lines_of("reader") < 40


def test_a_file_that_it_cannot_use_is_left_out_with_its_reason(example: Path) -> None:
    (example / "broken.org").write_bytes(b"\xff\xfe\xff")
    (entry,) = load(example).skipped
    assert (entry.source, entry.reason) == ("broken.org", "it is not UTF-8 text; save it as UTF-8")


def test_without_the_package_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "room.org").write_text(ORG)
    with pytest.raises(KnowledgeBaseError, match=r"room\.org: files of this kind cannot be read"):
        load(tmp_path)


def test_an_installed_source_is_read_by_its_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(id="a", title="A", text="The room opens at nine.", source="notes:a")
    reader = readers.SourceReader(
        prefix="notes:",
        read=lambda address, settings: LoadedDocuments(documents=(document,), skipped=()),
        fingerprint=lambda address: f"hash of {address}",
    )
    _install(monkeypatch, reader)
    assert load("notes:work").documents == (document,)
    assert fingerprint("notes:work") == "hash of notes:work"
    with pytest.raises(
        KnowledgeBaseError, match=r"no such file or folder; known .*: python:.*notes:"
    ):
        load("notess:work")


@pytest.mark.parametrize(
    ("reader", "said"),
    [
        (_of((".md",)), r"\.md"),
        (_of((".csv",)), "csv"),
        (_of(".foo"), "'.foo'"),
        (_of(("foo",)), "'foo'"),
        (_of((".FOO",)), "'.FOO'"),
        (print, "should be a FileReader or a SourceReader"),
    ],
)
def test_a_wrong_declaration_is_an_error(
    monkeypatch: pytest.MonkeyPatch, reader: object, said: str
) -> None:
    _install(monkeypatch, reader)
    with pytest.raises(ConfigError, match=said):
        readers.installed_readers()


def test_two_packages_with_one_suffix_are_both_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / "uaeval_other-1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: uaeval-other\nVersion: 1\n")
    (other / "entry_points.txt").write_text("[uaeval.readers]\nother = uaeval_org:READER\n")
    monkeypatch.syspath_prepend(str(other.parent))
    said = r"'other' reads \.org, like 'org' of uaeval-org \(package: uaeval-other\)"
    with (
        installed("reader", tmp_path / "site", monkeypatch),
        pytest.raises(ConfigError, match=said),
    ):
        readers.installed_readers()


def test_a_reader_that_returns_no_content_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>The room opens at nine.</p>")
    settings = ReadSettings(converters={".html": bytes.decode})  # type: ignore[dict-item]
    with pytest.raises(UnusableFile, match="should return Content, got str"):
        readers.read_file(tmp_path / "a.html", "a.html", settings)


def test_a_reader_that_cannot_be_imported_stops_only_what_needs_plugins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(group: str) -> object:
        raise ConfigError(f"{group}: cannot load 'mine'")

    monkeypatch.setattr(readers, "plugins", broken)
    assert load(f"python:{__name__}:rules").documents
    with pytest.raises(ConfigError, match="cannot load 'mine'"):
        load(tmp_path)
