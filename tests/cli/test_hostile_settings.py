"""Files of settings, prices and queries that break parsers: one line, exit code 2."""

from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval

import uaeval.cli.main as command_line

HOSTILE = {
    "impossible date": "size: 2026-99-99",
    "long number": f"size: {'9' * 6000}",
    "deep nesting": f"size: {'[' * 20_000}",
    "list as key": "[a, b]: 1",
    "recursive alias": "size: &a [*a]",
    "python object": "size: !!python/object/apply:os.system [true]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("option", ["--config", "--prices", "sweep"])
def test_a_hostile_yaml_file_is_named_in_one_line(
    tmp_path: Path, uaeval: Uaeval, option: str, text: str
) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(text, encoding="utf-8")
    if option == "sweep":
        done = uaeval("sweep", path)
    else:
        done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", option, path)
    assert done.code == 2, done.err
    assert done.err.startswith("error: ")
    assert "\n" not in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("size: many", "size: input should be a valid integer"),
        ("synthesize: {size: []}", "size: input should be a valid integer"),
        ("categories: 3", "categories: input should be a list, got 3"),
        ("size: yes", "size: input should be a number, got True"),
        ("prices: [a]", "prices: input is not a valid path, got ['a']"),
        ("sise: 3", "'sise' (did you mean 'size'?)"),
        ("synthesize: {weights: 1}", "unknown setting 'weights'"),
        ("max-calls: no\nlanguage: 3", "language: input should be"),
    ],
)
def test_an_invalid_setting_of_a_file_is_told_with_the_file(
    tmp_path: Path, uaeval: Uaeval, text: str, told: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", "--config", path)
    assert done.code == 2
    assert done.err.startswith(f"error: {path}: ")
    assert told in done.err
    assert "\n" not in done.err


def test_an_invalid_option_is_not_blamed_on_the_file(tmp_path: Path, uaeval: Uaeval) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("size: 3\nseed: 4", encoding="utf-8")
    options = ("--config", path, "--size", "0")
    done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", *options)
    assert (done.code, done.err.startswith("error: size: ")) == (2, True), done.err


@pytest.mark.parametrize("line", ['{"id": ' + "[" * 100_000, '{"id": 1', "[]", "\x00"])
def test_hostile_queries_are_named_in_one_line(tmp_path: Path, uaeval: Uaeval, line: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(line, encoding="utf-8")
    done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", "--queries", path)
    assert (done.code, "\n" in done.err) == (2, False), done.err
    assert "queries.jsonl" in done.err


def test_an_internal_error_is_one_line_and_has_its_own_exit_code(
    uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise KeyError("lost")

    monkeypatch.setattr(command_line, "app", broken)
    done = uaeval("show", "run")
    assert done.code == 70
    assert "internal error: KeyError: 'lost' (test_hostile_settings.py:" in done.err
    assert "\n" not in done.err
    done = uaeval("--debug", "show", "run")
    assert done.code == 70
    assert done.err.startswith("Traceback (most recent call last)")
    assert done.err.endswith("KeyError: 'lost'")
