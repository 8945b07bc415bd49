"""Render `docs/reference/` and `keywords.pyi` from the code: `python -m scripts.reference`."""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from inspect import get_annotations
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import typer
from pydantic import BaseModel, TypeAdapter
from scripts.keywords import KEYWORDS, keywords
from typer.cli import get_docs_for_click

from uaeval.cli.main import app
from uaeval.cli.settings import SettingsCommand
from uaeval.config.settings import Option, Settings, declaring_classes, option_names
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.evaluation.metrics.attribution import Attribution
from uaeval.evaluation.metrics.final_score import FinalScore
from uaeval.evaluation.metrics.quest_eval import QuestEvalResult
from uaeval.labels import JudgementLabel, Label
from uaeval.news.article import Article
from uaeval.records import (
    Blocked,
    Candidate,
    Chunk,
    Failure,
    Judgement,
    Query,
    Rejection,
    Response,
    Score,
)
from uaeval.run_folder import Manifest
from uaeval.synthesis.verify import Proven
from uaeval.systems.conditions import RunRecord

REFERENCE: Final = Path(__file__).parents[1] / "docs" / "reference"
RECORDS: Final[Mapping[type, str]] = {
    Manifest: "`manifest.json` of a run",
    Chunk: "`chunks.jsonl`, the indexed passages",
    Article: "`articles.jsonl`, the outside articles",
    Query: "`queries.jsonl`, the dataset",
    Candidate: "`generate.jsonl`, the candidates",
    Proven: "`verify.jsonl`, the proven candidates",
    Rejection: "`*.rejected.jsonl`, records that failed a check",
    Failure: "`*.failed.jsonl`, calls that failed",
    Blocked: "`*.blocked.jsonl`, calls that a content filter blocked",
    Label: "`labels.jsonl` of a run",
    EvaluationManifest: "`manifest.json` of an evaluation",
    Response: "`responses.jsonl`, the responses of the system under test",
    Judgement: "`judgements.jsonl`, the judgements of responses",
    Undecided: "`judgements.undecided.jsonl`, responses without a decision of the judge",
    Score: "`scores.json`, each entry of its list `scores`",
    JudgementLabel: "`labels.jsonl` of an evaluation",
    Attribution: "`attributions.jsonl`, on demand",
    FinalScore: "`final_scores.jsonl`, on demand",
    QuestEvalResult: "`quest_eval.jsonl`, on demand",
    RunRecord: "the answers of a grading",
}
"""The records in files, and where they stand."""
_WIDTH: Final = 100
_GROUP: Final = typer.main.get_command(app)
_COMMANDS: Final[Mapping[str, Any]] = _GROUP.commands  # type: ignore[attr-defined]


def pages() -> dict[str, str]:
    """Return the text of each generated file by its path below `docs/reference`."""
    schemas = {f"schemas/{kind.__name__}.json": schema(kind) for kind in RECORDS}
    return {"settings.md": settings(), "cli.md": cli(), "records.md": records()} | schemas


def cli() -> str:
    """Return the page of all commands."""
    context = typer.Context(_GROUP, info_name="uaeval")
    lines = get_docs_for_click(obj=_GROUP, ctx=context, name="uaeval").splitlines()
    # These two differ with the shell of the machine.
    kept = [line for line in lines if not re.match(r"\* `--(install|show)-completion", line)]
    return "\n".join(map(_wrapped, kept)).rstrip() + "\n"


def records() -> str:
    """Return the page that names the schema of each file."""
    opening = "Files of a run and their JSON Schemas; a `.jsonl` file has one record a line."
    lines = ["# Records", "", opening, "", "| file | record |", "| --- | --- |"]
    for kind, place in RECORDS.items():
        lines.append(f"| {place} | [{kind.__name__}](schemas/{kind.__name__}.json) |")
    return "\n".join(lines) + "\n"


def settings() -> str:
    """Return the page of all settings, below the headings that they have in the help."""
    opening = (
        "A setting is an option of commands, a key of `uaeval.yaml` or of `[tool.uaeval]` in "
        "`pyproject.toml`, and a keyword argument in Python. Options win over the file."
    )
    sections: dict[str, list[str]] = {}
    for model, commands in _users().items():
        section = sections.setdefault(model.heading, [_wrapped(_summary(model))])
        for name in filter(commands.get, get_annotations(model)):
            section += _setting(model, name, commands[name])
    parts = ["# Settings", _wrapped(opening)]
    for heading, section in sections.items():
        parts += [f"## {heading}", *section]
    return "\n\n".join(parts) + "\n"


def _users() -> dict[type[Settings], dict[str, list[str]]]:
    """Return the commands that take each setting, by the model that declares it and by name."""
    users: dict[type[Settings], dict[str, list[str]]] = {}
    for command, taking in _COMMANDS.items():
        for name in taking.fields if isinstance(taking, SettingsCommand) else ():
            model = next(model for model in taking.loaded if name in model.model_fields)
            users.setdefault(declaring_classes(model)[name], {}).setdefault(name, []).append(
                command
            )
    return users


def _setting(model: type[BaseModel], name: str, commands: list[str]) -> list[str]:
    field = model.model_fields[name]
    described = model.model_json_schema()["properties"][name]
    positional = field.is_required() and not any(isinstance(m, Option) for m in field.metadata)
    given = name.upper() if positional else ", ".join(option_names(name, field)[::-1])
    facts = [f"`{given}`", _type(described)]
    if field.is_required():
        facts.append("required")
    elif (default := described.get("default")) not in (None, [], {}, ""):
        values = default if isinstance(default, list) else [default]
        facts.append(f"default `{','.join(map(str, values)).lower()}`")
    facts.append(f"in {', '.join(f'`{command}`' for command in commands)}")
    return [f"### `{name}`", _wrapped("; ".join(facts)), _wrapped(field.description or "")]


def _type(described: Mapping[str, Any]) -> str:
    """Return the type of a setting in words, from its JSON Schema."""
    if "anyOf" in described:
        kinds = [_type(each) for each in described["anyOf"] if each.get("type") != "null"]
        return " or ".join(kinds)
    if "enum" in described:
        return "one of " + ", ".join(f"`{value}`" for value in described["enum"])
    kind = described.get("format") or described.get("type", "any JSON")
    names = {"array": "list", "object": "mapping", "boolean": "true or false", "string": "text"}
    limits = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    bounds = [f"{sign} {described[key]:g}" for key, sign in limits.items() if key in described]
    return " ".join([names.get(kind, kind), *bounds])


def schema(kind: type) -> str:
    """Return the JSON Schema of a record; fields are described by their docstrings."""
    described = TypeAdapter(kind).json_schema(mode="serialization")
    classes = {each.__name__: each for each in _nested(kind)}
    for name, part in {kind.__name__: described, **described.get("$defs", {})}.items():
        for field, text in _docstrings(classes[name]).items() if name in classes else ():
            if field in part.get("properties", {}):
                part["properties"][field]["description"] = text
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(head | described, indent=2, ensure_ascii=False) + "\n"


def _nested(kind: type) -> Iterator[type]:
    """Yield a record and the classes in its module that its schema may refer to."""
    for base in kind.__mro__:
        modules = [inspect.getmodule(base), resolve_name("uaeval.records")]
        for module in modules:
            for each in vars(module).values():
                if inspect.isclass(each) and (is_dataclass(each) or issubclass(each, BaseModel)):
                    yield each


def _docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings below the fields of a class and its bases."""
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("uaeval"):
            continue
        [tree] = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(tree, ast.ClassDef)
        for field, after in zip(tree.body, tree.body[1:], strict=False):
            match field, after:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    texts[name] = " ".join(text.split())
                case _:
                    pass
    return texts


def _summary(model: type[BaseModel]) -> str:
    return (inspect.getdoc(model) or "").partition("\n\n")[0]


def _wrapped(text: str) -> str:
    """Return one line of Markdown as lines of at most `_WIDTH` characters."""
    indent = " " * len(re.match(r"\*? *", text)[0])  # type: ignore[index]
    return textwrap.fill(
        text,
        _WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def main() -> None:
    """Write all pages, and the types of the settings."""
    KEYWORDS.write_text(keywords(), encoding="utf-8")
    for name, text in pages().items():
        path = REFERENCE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
