"""Settings are declared once: a field of a model is a key of a file and an option of commands."""

from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import typer
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from uaeval.cli.main import app
from uaeval.cli.settings import SettingsCommand
from uaeval.config import (
    CallSettings,
    EvaluationConfig,
    GateSettings,
    GradingConfig,
    Limits,
    Option,
    RescoreSettings,
    SynthesisConfig,
    build,
    read_settings,
)
from uaeval.errors import ConfigError

COMMANDS: Mapping[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
TAKEN: dict[str, tuple[type[BaseModel], ...]] = {
    "synthesize": (SynthesisConfig,),
    "evaluate": (EvaluationConfig, GateSettings),
    "grade": (GradingConfig,),
    "estimate": (SynthesisConfig, EvaluationConfig),
    "score": (RescoreSettings,),
    "sweep": (CallSettings, Limits),
}
ARGUMENTS = {
    "synthesize": ["docs", "-o", "run"],
    "evaluate": ["run"],
    "grade": ["run"],
    "estimate": ["docs"],
    "score": ["run/evaluations/rag"],
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
    "majority": {"other_judges": ["openai:a", "openai:b"]},
}
"""What a setting needs beside it."""


def given(command: str, *options: str) -> dict[str, object]:
    """Return the settings that a command gets."""
    called = copy(COMMANDS[command])
    called.callback = lambda **_: None
    context = called.make_context(command, [*ARGUMENTS[command], *options])
    called.invoke(context)
    settings: dict[str, object] = context.obj
    return {name: one for name, one in settings.items() if name not in PLACES.get(command, ())}


def option_of(command: str, name: str) -> Any:
    parameters = COMMANDS[command].get_params(typer.Context(COMMANDS[command]))
    [found] = [parameter for parameter in parameters if parameter.name == name]
    return found


def sample(name: str, field: FieldInfo) -> tuple[list[str], object]:
    """Return a value as it stands on the command line, and in a file."""
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


@pytest.mark.parametrize(("command", "model", "name"), FIELDS)
def test_every_setting_has_one_option_named_as_in_a_file_with_its_help(
    command: str, model: type[BaseModel], name: str
) -> None:
    field, option = model.model_fields[name], option_of(command, name)
    assert field.description, "the docstring of the field is the help"
    if option.param_type_name == "argument":
        assert field.is_required()
        return
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


@pytest.mark.parametrize(
    ("command", "model", "name"),
    [(c, m, n) for c, m, n in FIELDS if c in PLACES and n not in PLACES[c]],
)
def test_an_option_means_what_the_key_in_a_file_means(
    command: str, model: type[BaseModel], name: str, tmp_path: Path
) -> None:
    text, value = sample(name, model.model_fields[name])
    option = option_of(command, name).opts[-1]
    file = tmp_path / "settings.yaml"
    file.write_text(yaml.safe_dump({name.replace("_", "-"): value}))
    beside = {} if model is GateSettings else PLACES[command]
    more = {key: one for key, one in TOGETHER.get(name, {}).items() if key in model.model_fields}
    by_option = build(model, **(more | beside | given(command, option, *text)))
    by_file = build(model, **(more | beside | read_settings(file)))
    assert by_option == by_file
    assert getattr(by_option, name) != model.model_fields[name].get_default()
    assert given(command, "--config", str(file)) == read_settings(file)


def test_an_option_wins_over_the_file_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("size: 30\nadd-topics: [ferries]\n")
    found = given("estimate", "--config", str(file), "--size", "12")
    assert found == {"size": 12, "add_topics": ["ferries"]}


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
        (["--body", "{"], "--body wants JSON"),
        (["--header", "no colon"], "--header wants `Name: value`"),
    ],
)
def test_a_value_that_cannot_be_read_names_its_option(options: list[str], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        given("evaluate", *options)
