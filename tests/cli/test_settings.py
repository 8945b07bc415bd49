"""Settings are declared once: a field of a model is a key of a file and an option of commands."""

import json
import re
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import typer
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typer.testing import CliRunner

from uaeval.cli.main import app
from uaeval.cli.settings import SettingsCommand, UserSettings
from uaeval.config import (
    CallSettings,
    EvaluationConfig,
    GateSettings,
    GradingConfig,
    ReportSettings,
    RescoreSettings,
    Spending,
    SynthesisConfig,
    build,
)
from uaeval.config.settings import Option, declaring_classes
from uaeval.errors import ConfigError

runner = CliRunner()
COMMANDS: Mapping[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
TAKEN: dict[str, tuple[type[BaseModel], ...]] = {
    "synthesize": (SynthesisConfig,),
    "evaluate": (EvaluationConfig, GateSettings),
    "grade": (GradingConfig,),
    "estimate": (SynthesisConfig, EvaluationConfig),
    "score": (RescoreSettings,),
    "report": (ReportSettings,),
    "sweep": (CallSettings, Spending),
}
ARGUMENTS = {
    "synthesize": ["docs", "-o", "run"],
    "evaluate": ["run"],
    "grade": ["run"],
    "estimate": ["docs"],
    "score": ["run/evaluations/rag"],
    "report": ["run/evaluations/rag"],
    "sweep": ["grid.yaml"],
}
PLACES: dict[str, dict[str, object]] = {
    "synthesize": {"knowledge_base": "docs", "output": Path("run")},
    "evaluate": {"dataset": Path("run")},
    "grade": {"dataset": Path("run")},
}
"""The settings that the arguments stand for."""
FIELDS = [
    (command, model, name)
    for command, models in TAKEN.items()
    for model in models
    for name, field in model.model_fields.items()
    if command != "estimate" or not field.is_required()
]
VALUES: dict[str, tuple[str, object]] = {
    "engine": ("ray:auto", "ray:auto"),
    "categories": ("nonsensical, underspecified", ["nonsensical", "underspecified"]),
    "base_url": ("http://host/v1", "http://host/v1"),
    "verifier_base_url": ("http://host/v1", "http://host/v1"),
    "judge_base_url": ("http://host/v1", "http://host/v1"),
    "retriever": ("bm25", "bm25"),
    "reranker": ("model", "model"),
    "method": ("PUT", "PUT"),
    "url": ("http://host/ask", "http://host/ask"),
    "session_url": ("http://host/sessions", "http://host/sessions"),
    "since": ("2026-03-14", "2026-03-14"),
    "body": ('{"q": ["{question}"]}', {"q": ["{question}"]}),
    "headers": ("X-Tenant: a:b", {"X-Tenant": "a:b"}),
    "weights": ("0.6,0.4", [0.6, 0.4]),
    "metrics": ("attribution, final_score", ["attribution", "final_score"]),
    "models": ("openai:a, offline", ["openai:a", "offline"]),
    "judges": ("offline, openai:a", ["offline", "openai:a"]),
    "other_judges": ("openai:a, openai:b", ["openai:a", "openai:b"]),
    "styles": ("terse, formal", ["terse", "formal"]),
    "conditions": ("rag_always, no_rag", ["rag_always", "no_rag"]),
    "chunk_size": ("400", 400),
    "modalities": ("text, images", "text, images"),
    "contact": ("me@example.org", "me@example.org"),
}
TOGETHER: dict[str, dict[str, object]] = {
    "verifier_base_url": {"verifier": "openai:m"},
    "judge_base_url": {"judge": "openai:m"},
    "session_path": {"session_url": "http://host/sessions"},
    "samples": {"model": "openai:m"},
    "styles": {"model": "openai:m"},
    "askers": {"model": "openai:m"},
    "closed_book_check": {"model": "openai:m"},
    "majority": {"other_judges": ["openai:a", "openai:b"]},
}
"""What a setting needs beside it."""


def parsed(command: str, *options: str) -> UserSettings:
    """Return what a command gets."""
    called = copy(COMMANDS[command])
    called.callback = lambda **_: None
    context = called.make_context(command, [*ARGUMENTS[command], *options])
    called.invoke(context)
    assert isinstance(context.obj, UserSettings)
    return context.obj


def given(command: str, *options: str) -> dict[str, object]:
    """Return the options that a command gets."""
    options_given = parsed(command, *options).options
    return {name: v for name, v in options_given.items() if name not in PLACES.get(command, ())}


def option_of(command: str, name: str) -> Any:
    parameters = COMMANDS[command].get_params(typer.Context(COMMANDS[command]))
    [found] = [parameter for parameter in parameters if parameter.name == name]
    return found


def sample(name: str, field: FieldInfo) -> tuple[list[str], object]:
    """Return a value as written on the command line, and in a file."""
    if field.annotation is bool:
        return [], True
    if name in VALUES:
        text, value = VALUES[name]
        return [text], value
    kinds = str(field.annotation)
    plain = 7 if "int" in kinds else 0.5 if "float" in kinds else "some"
    value = get_args(field.annotation)[-1] if get_origin(field.annotation) is Literal else plain
    return [str(value)], value


def test_the_commands_take_these_models() -> None:
    taking = {name for name, one in COMMANDS.items() if isinstance(one, SettingsCommand)}
    assert taking == TAKEN.keys()
    for command in TAKEN:
        names = {name for taker, _, name in FIELDS if taker == command}
        assert COMMANDS[command].fields.keys() == names


@pytest.mark.parametrize("command", TAKEN)
def test_every_setting_has_one_option_named_as_in_a_file_with_its_help(command: str) -> None:
    for model, name in [(model, name) for taker, model, name in FIELDS if taker == command]:
        field, option = model.model_fields[name], option_of(command, name)
        assert field.description, "the docstring of the field is the help"
        if option.param_type_name == "argument":
            assert field.is_required()
            continue
        dashes = "-" if len(name) == 1 else "--"
        assert dashes + name.replace("_", "-") in option.opts
        marks = [mark for mark in field.metadata if isinstance(mark, Option)]
        assert {mark.alias for mark in marks} - {""} <= set(option.opts)
        assert option.multiple == any(mark.repeated for mark in marks)
        first = COMMANDS[command].fields[name]
        assert option.help.startswith(" ".join(first.description.split()))
        if isinstance(first.default, int | float | str) and first.default is not False:
            assert option.help.endswith(f"[{first.default}]")


@pytest.mark.parametrize("command", TAKEN)
def test_no_option_is_declared_twice(command: str) -> None:
    parameters = COMMANDS[command].get_params(typer.Context(COMMANDS[command]))
    options = [option for parameter in parameters for option in parameter.opts]
    assert len(options) == len(set(options))


def as_toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {as_toml(v)}' for key, v in value.items())}}}"
    return json.dumps(value)


@pytest.mark.parametrize(
    ("command", "model", "name"),
    [(c, m, n) for c, m, n in FIELDS if c in PLACES and n not in PLACES[c]],
)
def test_an_option_means_what_the_key_in_a_file_means(
    command: str,
    model: type[BaseModel],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text, value = sample(name, model.model_fields[name])
    option = option_of(command, name)
    more = {key: v for key, v in TOGETHER.get(name, {}).items() if key in model.model_fields}
    by_option = parsed(command, option.opts[-1], *text).configure(model, **more)
    assert getattr(by_option, name) != model.model_fields[name].get_default()
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "uaeval.yaml"
    keys = [each.removeprefix("--").removeprefix("-") for each in option.opts]
    for key in keys:
        file.write_text(yaml.safe_dump({key: value}))
        assert parsed(command).configure(model, **more) == by_option
    file.unlink()
    other = tmp_path / "other.yaml"
    other.write_text(yaml.safe_dump({command: {keys[0]: value}}))
    assert parsed(command, "--config", "other.yaml").configure(model, **more) == by_option
    for table in ("tool.uaeval", f"tool.uaeval.{command}"):
        toml = tmp_path / "pyproject.toml"
        toml.write_text(f"[{table}]\n{keys[0]} = {as_toml(value)}\n")
        assert parsed(command).configure(model, **more) == by_option


def in_project(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Make `folder` the working directory, with settings."""
    (folder / "uaeval.yaml").write_text(text)
    monkeypatch.chdir(folder)


def test_an_option_wins_over_the_file_and_a_section_over_the_top(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_project(tmp_path, monkeypatch, "samples: 3\nmodel: openai:a\nsynthesize: {samples: 5}\n")
    assert parsed("synthesize").configure(SynthesisConfig).samples == 5
    assert parsed("evaluate").configure(EvaluationConfig).samples == 3
    assert parsed("synthesize", "--samples", "7").configure(SynthesisConfig).samples == 7
    assert parsed("evaluate", "--model", "openai:b").configure(EvaluationConfig).samples == 3


def test_a_command_ignores_the_settings_of_other_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_project(tmp_path, monkeypatch, "size: 30\nfail_under: joint=0.7\nrpm: 9\n")
    assert parsed("synthesize").configure(SynthesisConfig).size == 30
    assert parsed("evaluate").configure(GateSettings).fail_under == ("joint=0.7",)
    assert parsed("grade").configure(GradingConfig).requests_per_minute == 9
    estimate = parsed("estimate")
    assert estimate.configure(EvaluationConfig, dataset="run").requests_per_minute == 9
    assert not parsed("sweep").configure(CallSettings).model_fields_set


def test_arguments_may_be_given_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "loans.md").write_text("# Loans\n\nA loan takes 12 days at Marrow.\n" * 3)
    in_project(tmp_path, monkeypatch, "size: 1\ncategories: nonsensical\n")
    missing = runner.invoke(app, ["synthesize"], catch_exceptions=True)
    assert isinstance(missing.exception, ConfigError)
    assert "knowledge_base is missing" in str(missing.exception)
    (tmp_path / "uaeval.yaml").write_text(
        "size: 1\ncategories: nonsensical\nknowledge_base: docs\noutput: run\n"
    )
    done = runner.invoke(app, ["synthesize"], catch_exceptions=False)
    assert done.exit_code == 0
    assert (tmp_path / "run" / "queries.jsonl").exists()
    assert "settings are read from uaeval.yaml" in done.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sise: 3", r"uaeval.yaml: unknown setting 'sise' \(did you mean 'size'\?\)"),
        ("evaluate: {size: 3}", "uaeval.yaml: evaluate: unknown setting 'size'"),
        ("evaluate: 3", "evaluate should hold `setting: value` lines"),
        ("rpm: 3\nrequests-per-minute: 4", "another name of 'requests_per_minute'"),
        ("size: 3\nsize: 4", "duplicate key 'size'"),
    ],
)
def test_a_wrong_setting_in_the_file_of_the_project_names_it(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_project(tmp_path, monkeypatch, text)
    with pytest.raises(ConfigError, match=says):
        parsed("evaluate").configure(EvaluationConfig)


def test_a_project_without_settings_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nsize = 3\n")
    assert parsed("synthesize").configure(SynthesisConfig).size == 120
    (tmp_path / "pyproject.toml").write_text("[tool.uaeval\n")
    with pytest.raises(ConfigError, match=r"cannot read the settings file pyproject.toml"):
        parsed("synthesize")


def test_the_estimate_of_one_command_refuses_options_of_the_other() -> None:
    refused = runner.invoke(app, ["estimate", "run", "--evaluation", "--size", "3"])
    assert "does not take --size" in str(refused.exception)


@pytest.mark.parametrize("command", TAKEN)
def test_the_help_groups_every_option_below_the_heading_of_its_settings(command: str) -> None:
    text = COMMANDS[command].get_help(typer.Context(COMMANDS[command], info_name=command))
    groups = dict(re.findall(r"^(\w[\w -]*):\n((?:  .*\n?|\n)+)", text, re.M))
    for name in COMMANDS[command].fields:
        option = option_of(command, name)
        if option.param_type_name == "argument":
            assert re.search(rf"^  {name} ", groups["Arguments"], re.M)
            continue
        model = next(m for m in TAKEN[command] if name in m.model_fields)
        assert re.search(
            rf"^  .*{option.opts[0]}\b", groups[declaring_classes(model)[name].heading], re.M
        )
    assert "--help" in groups["Options"]


def test_what_is_not_given_is_not_passed_on() -> None:
    for command in TAKEN:
        assert given(command) == {}


def test_options_that_may_be_repeated_are_gathered() -> None:
    options = ["--add-topic", "a, b", "--add-topics", "c", "--rpm", "7", "--ask-rag"]
    found = build(SynthesisConfig, **(PLACES["synthesize"] | given("synthesize", *options)))
    assert found.add_topics == ("a, b", "c")
    assert (found.requests_per_minute, found.ask_rag) == (7, True)
    headers = ["--header", "X-A: 1", "--header", "X-B:2"]
    assert given("evaluate", *headers) == {"headers": {"X-A": "1", "X-B": "2"}}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--body", "{"], "--body should be JSON"),
        (["--header", "no colon"], "--header should be `Name: value`"),
    ],
)
def test_a_value_that_cannot_be_read_names_its_option(options: list[str], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        given("evaluate", *options)
