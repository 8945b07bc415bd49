"""A format from another package: exported to, listed and read back."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.plugin_examples import forget, installed, lines_of

from uaeval.errors import ConfigError
from uaeval.formats.format import formats, read_queries


@pytest.fixture
def tsv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed("format", tmp_path / "site", monkeypatch):
        yield


def test_the_example_is_short() -> None:
    assert lines_of("format") < 40


@pytest.mark.usefixtures("tsv")
def test_a_run_is_exported_to_it_and_read_back(tmp_path: Path, uaeval: Uaeval) -> None:
    queries = write_finished_run(tmp_path / "run")
    done = uaeval("export", tmp_path / "run", "tsv", tmp_path / "out.tsv")
    assert done.code == 0
    assert "for a spreadsheet of tab-separated values It loses evidence, checks" in done.out
    assert [(q.id, q.question, q.category) for q in read_queries(tmp_path / "out.tsv")] == [
        (q.id, q.question, q.category) for q in queries
    ]
    assert "tsv (file)" in uaeval("export", "--list").out


@pytest.mark.usefixtures("tsv")
def test_files_of_the_format_are_evaluated(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_finished_run(tmp_path / "run")
    uaeval("export", tmp_path / "run", "tsv", tmp_path / "out.tsv")
    (tmp_path / "app.py").write_text("def answer(question):\n    return 'I cannot say.'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = uaeval("evaluate", tmp_path / "out.tsv", "--system", "python:app:answer")
    assert done.code == 0, done.err
    assert (tmp_path / "out.tsv.evaluated" / "evaluations").is_dir()


@pytest.mark.usefixtures("tsv")
def test_an_error_in_its_code_names_the_package(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_finished_run(tmp_path / "run")
    monkeypatch.setattr("uaeval_tsv.csv", None)
    done = uaeval("export", tmp_path / "run", "tsv", tmp_path / "out.tsv")
    assert done.code == 70
    assert "the plugin uaeval-tsv failed: AttributeError" in done.err
    assert "report it to its authors" in done.err
    assert not (tmp_path / "out.tsv").exists()


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("tsv = json:dumps", "'tsv' should be a Format, got <function dumps"),
        (
            "mine = uaeval.formats.csv:FORMAT",
            "'mine' uses the name 'csv', which is taken by a built-in one",
        ),
        ("mine = format_of_yours:FORMAT", "'mine' registers a Format called 'yours'"),
    ],
)
def test_an_invalid_format_is_named(
    entry: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meta = tmp_path / "site" / "other-1.dist-info"
    meta.mkdir(parents=True)
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    (meta / "entry_points.txt").write_text(f"[uaeval.formats]\n{entry}\n")
    (meta.parent / "format_of_yours.py").write_text(
        "from uaeval.formats.format import Format\n"
        "FORMAT = Format(name='yours', purpose='', loses='', write=print)\n"
    )
    monkeypatch.syspath_prepend(str(meta.parent))
    forget()
    try:
        with pytest.raises(ConfigError, match=f"uaeval.formats: {problem}.*package: other"):
            formats()
    finally:
        forget()
