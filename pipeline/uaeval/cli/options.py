"""Derive options and arguments of the command line from settings."""

import json
from collections.abc import Iterator
from inspect import Parameter, get_annotations
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import typer
from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo

from uaeval.config.settings import marks, option_names
from uaeval.errors import ConfigError


def fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield the settings of a model, before those of its base classes."""
    for name in dict.fromkeys(name for kind in model.__mro__ for name in get_annotations(kind)):
        if name in model.model_fields:
            yield name, model.model_fields[name]


def parameter(name: str, field: FieldInfo, file: bool) -> Parameter:
    """Return the option of a setting; with `file` it is optional, because a file may set it."""
    declared, text = marks(field), _help(field)
    repeated = any(mark.repeated for mark in declared)
    kind = list[str] if repeated else _option_type(field.annotation)
    default = ... if field.is_required() and not file else None
    if field.is_required() and not declared:
        return keyword(name, kind, typer.Argument(default, help=text))
    return keyword(name, kind, typer.Option(default, *option_names(name, field), help=text))


def keyword(name: str, kind: object, default: object) -> Parameter:
    """Return a keyword-only parameter of a command."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _option_type(annotation: object) -> object:
    """Return the type of the option; the model parses everything else from text."""
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = get_args(annotation)[0]
    return annotation if annotation in (bool, int, float, Path) else str


def _help(field: FieldInfo) -> str:
    text = " ".join((field.description or "").split())
    text += "".join(f": {', '.join(mark.names())}." for mark in marks(field) if mark.names)
    default = field.get_default()
    if isinstance(default, tuple):
        default = ",".join(map(str, default))
    shown = isinstance(default, str | int | float) and default is not False and default != ""
    if field.is_required():
        return f"{text} [required]"
    return f"{text} [{default}]" if shown else text


def read(name: str, field: FieldInfo, value: Any) -> object:
    """Return the value of an option; JSON and headers are parsed from text."""
    option = option_names(name, field)[-1]
    kind: object = field.annotation
    if kind is JsonValue:
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{option} should be JSON ({error})") from error
    if get_origin(kind) is dict:
        parts = [text.partition(":") for text in value]
        if any(not (key.strip() and colon) for key, colon, _ in parts):
            raise ConfigError(f"{option} should be `Name: value`, such as 'X-Tenant: museum'")
        return {key.strip(): text.strip() for key, _, text in parts}
    return value
