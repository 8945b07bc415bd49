"""Commands whose options are derived from settings.

The settings are imported when a command runs, so that the list of commands is shown fast.
"""

from dataclasses import dataclass
from functools import cached_property
from inspect import Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import typer
from typer.core import TyperCommand

from uaeval.cli.terminal import note

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

    from uaeval.config import SettingsFile
    from uaeval.config.settings import Settings

C = TypeVar("C", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class UserSettings:
    """The settings that the user gave: options of the command line, and a file."""

    options: dict[str, object]
    file: "SettingsFile | None"
    """`None` for a command that reads no file."""

    def configure(self, model: type[C], /, **more: object) -> C:
        """Return the settings of a model, or raise `ConfigError` if one is invalid or missing.

        Options override the file, `more` both.
        """
        from uaeval.config import build

        from_file = self.file.settings(model) if self.file else {}
        options = {name: self.options[name] for name in model.model_fields if name in self.options}
        in_file = from_file.keys() - options.keys() - more.keys()
        files = {name: self.file.path for name in in_file if self.file and self.file.path}
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
        from uaeval.cli import options

        fields: dict[str, FieldInfo] = {}
        for model in self.loaded:
            for name, field in options.fields(model):
                if self.required or not field.is_required():
                    fields.setdefault(name, field)
        return fields

    @cached_property
    def _derived(self) -> list[Any]:
        from uaeval.cli.options import keyword, parameter

        parameters = [parameter(name, field, self.file) for name, field in self.fields.items()]
        if self.file:
            text = "File of settings. [uaeval.yaml, or tool.uaeval in pyproject.toml]"
            parameters.append(keyword("config", Path, typer.Option(None, help=text)))

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
        from uaeval.cli.options import read
        from uaeval.config import SettingsFile

        options = {}
        for name, field in self.fields.items():
            if (value := ctx.params.pop(name)) not in (None, [], ()):
                options[name] = read(name, field, value)
        file, path = None, ctx.params.pop("config", None)
        if path:
            file = SettingsFile.read(Path(path))
        elif self.file and (file := SettingsFile.of_project()).path:
            note(f"settings are read from {file.path}")
        ctx.obj = UserSettings(options, file)
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the options, grouped by the headings of their settings."""
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
        from uaeval.config.settings import declaring_class

        if name not in self.fields:
            return "Options"
        model = next(model for model in self.loaded if name in model.model_fields)
        return declaring_class(model, name).heading


def taking(*models: str, required: bool = True, file: bool = True) -> type[SettingsCommand]:
    """Return a command class with the options of these settings."""
    attributes = {"models": models, "required": required, "file": file}
    return type("TakingCommand", (SettingsCommand,), attributes)
