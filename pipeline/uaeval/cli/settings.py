"""Commands whose options are derived from the settings that they take."""

import json
from collections.abc import Iterator
from functools import cached_property
from inspect import Parameter, Signature, get_annotations
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Union, get_args, get_origin

import typer
from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from uaeval.errors import ConfigError

if TYPE_CHECKING:
    from uaeval.config import Option


class SettingsCommand(TyperCommand):
    """A command with an option for every setting of its models; `ctx.obj` has what was given.

    A required setting without an `Option` is an argument.
    """

    models: ClassVar[tuple[str, ...]]
    """Names in `uaeval.config`, which is loaded when the command is used."""
    required: ClassVar[bool]
    """Whether it takes the settings that have no default."""
    file: ClassVar[bool]
    """Whether settings may stand in a file, too."""

    @cached_property
    def fields(self) -> dict[str, FieldInfo]:
        """The settings that it takes, by name; those of the first model come first."""
        from uaeval import config

        fields: dict[str, FieldInfo] = {}
        for model in self.models:
            for name, field in _fields(getattr(config, model)):
                if self.required or not field.is_required():
                    fields.setdefault(name, field)
        return fields

    @cached_property
    def _derived(self) -> list[Any]:
        """Options and arguments that stand for the settings."""
        parameters = [_parameter(name, field) for name, field in self.fields.items()]
        if self.file:
            text = "YAML file of settings; options here win over it."
            parameters.append(_keyword("config", Path, typer.Option(None, help=text)))

        def command(**_: object) -> None:
            """Stand for a function with these parameters."""

        stand_in: Any = command
        stand_in.__signature__ = Signature(parameters)
        app = typer.Typer(add_completion=False)
        app.command()(command)
        return list(typer.main.get_command(app).params)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all options and arguments."""
        return [*self._derived, *super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Call the function with its own options, and with the settings in the context."""
        from uaeval.config import read_settings

        path = ctx.params.pop("config", None)
        ctx.obj = read_settings(Path(path)) if path else {}
        for name, field in self.fields.items():
            if (given := ctx.params.pop(name)) not in (None, [], ()):
                ctx.obj[name] = _read(name, field, given)
        return super().invoke(ctx)


def taking(*models: str, required: bool = True, file: bool = True) -> type[SettingsCommand]:
    """Return the class of the commands that take these settings."""
    taken = {"models": models, "required": required, "file": file}
    return type("TakingCommand", (SettingsCommand,), taken)


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield the settings of a model, its own before those of its bases."""
    for name in dict.fromkeys(name for kind in model.__mro__ for name in get_annotations(kind)):
        if name in model.model_fields:
            yield name, model.model_fields[name]


def _marks(field: FieldInfo) -> "list[Option]":
    from uaeval.config import Option

    return [mark for mark in field.metadata if isinstance(mark, Option)]


def option_names(name: str, field: FieldInfo) -> list[str]:
    """Return the names of an option: the key of a file with dashes, and the alias."""
    dashes = "-" if len(name) == 1 else "--"
    return [dashes + name.replace("_", "-"), *(m.alias for m in _marks(field) if m.alias)]


def _parameter(name: str, field: FieldInfo) -> Parameter:
    marks, text = _marks(field), _help(field)
    kind = list[str] if any(mark.repeated for mark in marks) else _plain(field.annotation)
    default = ... if field.is_required() else None
    if field.is_required() and not marks:
        return _keyword(name, kind, typer.Argument(default, help=text))
    return _keyword(name, kind, typer.Option(default, *option_names(name, field), help=text))


def _keyword(name: str, kind: object, default: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _plain(annotation: object) -> object:
    """Return the type that the command line reads; the model reads the rest from the text."""
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = get_args(annotation)[0]
    return annotation if annotation in (bool, int, float, Path) else str


def _help(field: FieldInfo) -> str:
    text = " ".join((field.description or "").split())
    text += "".join(f": {', '.join(mark.names())}." for mark in _marks(field) if mark.names)
    default = field.get_default()
    if isinstance(default, tuple):
        default = ",".join(map(str, default))
    shown = isinstance(default, str | int | float) and default is not False and default != ""
    return f"{text} [{default}]" if shown else text


def _read(name: str, field: FieldInfo, given: Any) -> object:
    """Return the value of a setting that is more than a text, a number or a list of them."""
    option = option_names(name, field)[-1]
    kind: object = field.annotation
    if kind is JsonValue:
        try:
            return json.loads(given)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{option} wants JSON ({error})") from error
    if get_origin(kind) is dict:
        parts = [text.partition(":") for text in given]
        if any(not (key.strip() and colon) for key, colon, _ in parts):
            raise ConfigError(f"{option} wants `Name: value`, such as 'X-Tenant: museum'")
        return {key.strip(): value.strip() for key, _, value in parts}
    return given
