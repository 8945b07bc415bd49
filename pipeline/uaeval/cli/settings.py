"""Commands whose options are derived from the settings that they take.

The settings are loaded with the command that is run: the list of commands does without.
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
class Given:
    """What the user set: options of the command line, and settings in a file."""

    options: dict[str, object]
    file: "SettingsFile | None"
    """`None` for a command that reads none."""

    def configure(self, model: type[C], /, **more: object) -> C:
        """Return the checked settings of a model; options win over the file, `more` over both.

        Raises:
            ConfigError: a setting is refused, or missing.
        """
        from uaeval.config import build

        from_file = self.file.settings(model) if self.file else {}
        options = {name: self.options[name] for name in model.model_fields if name in self.options}
        return build(model, **(from_file | options | more))


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
    def loaded(self) -> "list[type[Settings]]":
        """The models themselves."""
        from uaeval import config

        return [getattr(config, model) for model in self.models]

    @cached_property
    def fields(self) -> "dict[str, FieldInfo]":
        """The settings that it takes, by name; those of the first model come first."""
        from uaeval.cli import options

        fields: dict[str, FieldInfo] = {}
        for model in self.loaded:
            for name, field in options.fields(model):
                if self.required or not field.is_required():
                    fields.setdefault(name, field)
        return fields

    @cached_property
    def _derived(self) -> list[Any]:
        """Options and arguments that stand for the settings."""
        from uaeval.cli.options import keyword, parameter

        parameters = [parameter(name, field, self.file) for name, field in self.fields.items()]
        if self.file:
            text = "File of settings. [uaeval.yaml, or tool.uaeval in pyproject.toml]"
            parameters.append(keyword("config", Path, typer.Option(None, help=text)))

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
        from uaeval.cli.options import read
        from uaeval.config import SettingsFile

        options = {}
        for name, field in self.fields.items():
            if (given := ctx.params.pop(name)) not in (None, [], ()):
                options[name] = read(name, field, given)
        file, path = None, ctx.params.pop("config", None)
        if path:
            file = SettingsFile.read(Path(path))
        elif self.file and (file := SettingsFile.of_project()).path:
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
        from uaeval.config.settings import declaring

        if name not in self.fields:
            return "Options"
        model = next(model for model in self.loaded if name in model.model_fields)
        return declaring(model, name).heading


def taking(*models: str, required: bool = True, file: bool = True) -> type[SettingsCommand]:
    """Return the class of the commands that take these settings."""
    taken = {"models": models, "required": required, "file": file}
    return type("TakingCommand", (SettingsCommand,), taken)
