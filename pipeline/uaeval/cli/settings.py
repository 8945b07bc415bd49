"""Commands whose options are derived from the settings that they take."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, Signature, get_annotations
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin

import typer
from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from uaeval import config
from uaeval.cli.terminal import note
from uaeval.config.settings import Settings, declaring, marks, option_names
from uaeval.errors import ConfigError

C = TypeVar("C", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Given:
    """What the user set: options of the command line, and settings in a file."""

    options: dict[str, object]
    file: config.SettingsFile | None
    """`None` for a command that reads none."""

    def configure(self, model: type[C], /, **more: object) -> C:
        """Return the checked settings of a model; options win over the file, `more` over both.

        Raises:
            ConfigError: a setting is refused, or missing.
        """
        from_file = self.file.settings(model) if self.file else {}
        options = {name: self.options[name] for name in model.model_fields if name in self.options}
        return config.build(model, **(from_file | options | more))


class SettingsCommand(TyperCommand):
    """A command with an option for every setting of its models; `ctx.obj` is a `Given`.

    A required setting without an `Option` is an argument.
    """

    models: ClassVar[tuple[str, ...]]
    """Names in `uaeval.config`."""
    required: ClassVar[bool]
    """Whether it takes the settings that have no default."""
    file: ClassVar[bool]
    """Whether settings may stand in a file, too."""

    @cached_property
    def loaded(self) -> list[type[Settings]]:
        """The models themselves."""
        return [getattr(config, model) for model in self.models]

    @cached_property
    def fields(self) -> dict[str, FieldInfo]:
        """The settings that it takes, by name; those of the first model come first."""
        fields: dict[str, FieldInfo] = {}
        for model in self.loaded:
            for name, field in _fields(model):
                if self.required or not field.is_required():
                    fields.setdefault(name, field)
        return fields

    @cached_property
    def _derived(self) -> list[Any]:
        """Options and arguments that stand for the settings."""
        parameters = [_parameter(name, field, self.file) for name, field in self.fields.items()]
        if self.file:
            text = "File of settings. [uaeval.yaml, or tool.uaeval in pyproject.toml]"
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
        options = {}
        for name, field in self.fields.items():
            if (given := ctx.params.pop(name)) not in (None, [], ()):
                options[name] = _read(name, field, given)
        file, path = None, ctx.params.pop("config", None)
        if path:
            file = config.SettingsFile.read(Path(path))
        elif self.file and (file := config.SettingsFile.of_project()).path:
            note(f"settings are read from {file.path}")
        ctx.obj = Given(options, file)
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options below the headings of their settings."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                is_argument = parameter.param_type_name == "argument"
                heading = "Arguments" if is_argument else self._heading(parameter.name)
                groups.setdefault(heading, []).append(record)
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _heading(self, name: str) -> str:
        if name not in self.fields:
            return "Options"
        model = next(model for model in self.loaded if name in model.model_fields)
        return declaring(model, name).heading


def taking(*models: str, required: bool = True, file: bool = True) -> type[SettingsCommand]:
    """Return the class of the commands that take these settings."""
    taken = {"models": models, "required": required, "file": file}
    return type("TakingCommand", (SettingsCommand,), taken)


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield the settings of a model, its own before those of its bases."""
    for name in dict.fromkeys(name for kind in model.__mro__ for name in get_annotations(kind)):
        if name in model.model_fields:
            yield name, model.model_fields[name]


def _parameter(name: str, field: FieldInfo, file: bool) -> Parameter:
    declared, text = marks(field), _help(field)
    kind = list[str] if any(mark.repeated for mark in declared) else _plain(field.annotation)
    default = ... if field.is_required() and not file else None
    if field.is_required() and not declared:
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
    text += "".join(f": {', '.join(mark.names())}." for mark in marks(field) if mark.names)
    default = field.get_default()
    if isinstance(default, tuple):
        default = ",".join(map(str, default))
    shown = isinstance(default, str | int | float) and default is not False and default != ""
    if field.is_required():
        return f"{text} [required]"
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
