"""Commands whose options are derived from settings.

The settings are imported when a command runs, so that the list of commands is shown fast.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, Signature
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin

import typer
from typer.core import TyperCommand

from uaeval.cli.terminal import note
from uaeval.errors import ConfigError

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

    from uaeval.config.files import SettingsFile
    from uaeval.config.settings import Settings

C = TypeVar("C", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class UserSettings:
    """The settings that the user gave: options of the command line, and a file."""

    options: dict[str, object]
    file: "SettingsFile | None"
    """`None` if there is none, or the command reads none."""

    def configure(self, model: type[C], /, **more: object) -> C:
        """Return the settings of a model, or raise `ConfigError` if one is invalid or missing.

        Options override the file, `more` both.
        """
        from uaeval.config import build

        from_file = self.file.settings(model) if self.file else {}
        options = {name: self.options[name] for name in model.model_fields if name in self.options}
        in_file = from_file.keys() - options.keys() - more.keys()
        files = {name: self.file.path for name in in_file if self.file}
        return build(model, files, **(from_file | options | more))


class SettingsCommand(TyperCommand):
    """A command with an option for every setting of its models; `ctx.obj` is a `UserSettings`.

    A required setting without an `Option` is an argument.
    """

    models: ClassVar[tuple[str, ...]]
    """Names of the models in `uaeval.config`."""
    required: ClassVar[bool]
    """Whether it has options for settings without a default."""
    file: ClassVar[bool]
    """Whether a file may hold its settings."""

    @cached_property
    def loaded(self) -> "list[type[Settings]]":
        """The classes of the models."""
        from uaeval import config

        return [getattr(config, model) for model in self.models]

    @cached_property
    def fields(self) -> "dict[str, FieldInfo]":
        """The settings of the command, by name, in the order of the models."""
        from uaeval.config.settings import declaring_classes

        fields: dict[str, FieldInfo] = {}
        for model in self.loaded:
            for name in declaring_classes(model):
                if self.required or not model.model_fields[name].is_required():
                    fields.setdefault(name, model.model_fields[name])
        return fields

    @cached_property
    def _derived(self) -> list[Any]:
        parameters = [_parameter(name, field, self.file) for name, field in self.fields.items()]
        if self.file:
            text = "File of settings. [uaeval.yaml, or tool.uaeval in pyproject.toml]"
            parameters.append(_keyword("config", Path, typer.Option(None, help=text)))

        def command(**_: object) -> None:
            """A function whose signature Typer turns into options."""

        function: Any = command
        function.__signature__ = Signature(parameters)
        app = typer.Typer(add_completion=False)
        app.command()(command)
        return list(typer.main.get_command(app).params)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all options and arguments."""
        return [*self._derived, *super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Call the command's function with its own options, and the settings in the context."""
        from uaeval.config.files import SettingsFile

        options = {}
        for name, field in self.fields.items():
            if (value := ctx.params.pop(name)) not in (None, [], ()):
                options[name] = _read(name, field, value)
        file, path = None, ctx.params.pop("config", None)
        if path:
            file = SettingsFile.read(Path(path))
        elif self.file and (file := SettingsFile.of_project()):
            note(f"settings are read from {file.path}")
        ctx.obj = UserSettings(options, file)
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the options, grouped by the headings of their settings."""
        from uaeval.config.settings import declaring_classes

        headings = {
            name: declared.heading
            for model in reversed(self.loaded)
            for name, declared in declaring_classes(model).items()
            if name in self.fields
        }
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                is_argument = parameter.param_type_name == "argument"
                heading = "Arguments" if is_argument else headings.get(parameter.name, "Options")
                groups.setdefault(heading, []).append(record)
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def taking(*models: str, required: bool = True, file: bool = True) -> type[SettingsCommand]:
    """Return a command class with the options of these settings."""
    attributes = {"models": models, "required": required, "file": file}
    return type("TakingCommand", (SettingsCommand,), attributes)


def _parameter(name: str, field: "FieldInfo", file: bool) -> Parameter:
    """Return the option of a setting; with `file` it is optional, because a file may set it."""
    from uaeval.config.settings import marks, option_names

    declared, text = marks(field), _help(field)
    kind = list[str] if any(mark.repeated for mark in declared) else _option_type(field.annotation)
    default = ... if field.is_required() and not file else None
    if field.is_required() and not declared:
        return _keyword(name, kind, typer.Argument(default, help=text))
    return _keyword(name, kind, typer.Option(default, *option_names(name, field), help=text))


def _keyword(name: str, kind: object, default: object) -> Parameter:
    """Return a keyword-only parameter of a command."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _option_type(annotation: object) -> object:
    """Return the type of the option; the model parses everything else from text."""
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = get_args(annotation)[0]
    return annotation if annotation in (bool, int, float, Path) else str


def _help(field: "FieldInfo") -> str:
    from uaeval.config.settings import marks

    text = " ".join((field.description or "").split())
    text += "".join(f": {', '.join(mark.names())}." for mark in marks(field) if mark.names)
    default = field.get_default()
    if isinstance(default, tuple):
        default = ",".join(map(str, default))
    shown = isinstance(default, str | int | float) and default is not False and default != ""
    if field.is_required():
        return f"{text} [required]"
    return f"{text} [{default}]" if shown else text


def _read(name: str, field: "FieldInfo", value: Any) -> object:
    """Return the value of an option; JSON and headers are parsed from text."""
    from pydantic import JsonValue

    from uaeval.config.settings import option_names

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
