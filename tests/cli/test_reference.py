"""The reference pages come from the code."""

import json
from dataclasses import fields

import pytest
import typer
from scripts.keywords import KEYWORDS, keywords
from scripts.reference import REFERENCE, pages
from tests.cli.test_settings import COMMANDS, FIELDS

from uaeval.records import Query


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return pages()


def test_the_pages_in_docs_are_current(written: dict[str, str]) -> None:
    for name, text in written.items():
        assert (REFERENCE / name).read_text(encoding="utf-8") == text, (
            f"{name}: run `make reference`"
        )


def test_the_types_of_the_settings_are_current() -> None:
    assert KEYWORDS.read_text(encoding="utf-8") == keywords(), "run `make reference`"


def test_no_schema_is_left_behind(written: dict[str, str]) -> None:
    schemas = {f"schemas/{path.name}" for path in (REFERENCE / "schemas").iterdir()}
    assert schemas == {name for name in written if name.startswith("schemas/")}


def test_every_setting_is_there_with_its_commands(written: dict[str, str]) -> None:
    sections = written["settings.md"].split("\n### ")
    for command, _, name in FIELDS:
        meant = [section for section in sections if section.startswith(f"`{name}`\n")]
        assert any(f"`{command}`" in section.split("\n\n")[1] for section in meant), name


def test_every_command_and_option_is_there(written: dict[str, str]) -> None:
    text = " ".join(written["cli.md"].split())
    for name in COMMANDS:
        assert f"## `uaeval {name}`" in text
    for command in {command for command, _, _ in FIELDS}:
        section = text.partition(f"## `uaeval {command}`")[2].partition(" ## ")[0]
        for parameter in COMMANDS[command].get_params(typer.Context(COMMANDS[command])):
            hidden = parameter.param_type_name == "argument"
            assert hidden or parameter.opts[0] in section


def test_a_schema_has_every_field_of_its_record_with_its_docstring(
    written: dict[str, str],
) -> None:
    schema = json.loads(written["schemas/Query.json"])
    assert list(schema["properties"]) == [field.name for field in fields(Query)]
    assert schema["properties"]["pair_id"]["description"]
    assert schema["$defs"]["Evidence"]["properties"]["supports"]["description"]


def test_lines_are_short(written: dict[str, str]) -> None:
    for name, text in written.items():
        assert name.startswith("schemas/") or max(map(len, text.splitlines())) <= 120
