"""Build settings from what was given by name, on the command line and in a project's file."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uaeval.config.evaluation import EvaluationConfig, GateSettings
from uaeval.config.files import read_settings, with_underscores
from uaeval.config.grading import GradingConfig
from uaeval.config.settings import key_names
from uaeval.config.synthesis import SynthesisConfig
from uaeval.errors import ConfigError

C = TypeVar("C", bound=BaseModel)


def build(kind: type[C], **settings: object) -> C:
    """Return checked settings; `None` leaves one at its default.

    Raises:
        ConfigError: a setting is refused, or unknown.
    """
    given = canonical(kind, settings)
    if others := given.keys() - kind.model_fields.keys():
        raise ConfigError(unknown(others, kind.model_fields))
    try:
        return kind(**given)
    except ValidationError as error:
        errors = error.errors()
        # A list whose values are refused is too short without them; that is not reported.
        within = {item["loc"][:-1] for item in errors}
        own = (item for item in errors if item["type"] != "too_short" or item["loc"] not in within)
        # No chain: the error holds a refused address with its password.
        raise ConfigError("; ".join(map(_problem, own))) from None


def canonical(kind: type[BaseModel], settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that are not `None`, with the name of a field for its alias (`rpm`).

    Raises:
        ConfigError: a setting is given under both names.
    """
    names, given = key_names(kind), dict[str, object]()
    for key, value in settings.items():
        name = names.get(key, key)
        if name in given:
            raise ConfigError(f"{key!r} is another name of {name!r}; give only one of the two")
        if value is not None:
            given[name] = value
    return given


def unknown(names: Iterable[str], known: Iterable[str]) -> str:
    """Return what to say of unknown settings."""
    known = sorted(known)
    listed = ", ".join(_with_similar(name, known) for name in sorted(names))
    return f"unknown setting {listed}; known settings: {', '.join(known)}"


def _with_similar(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name)


def _problem(error: ErrorDetails) -> str:
    if error["type"] == "missing" and len(error["loc"]) == 1:
        return f"{error['loc'][0]} is missing; give it on the command line or in uaeval.yaml"
    if error["type"] == "missing":
        outer = ".".join(map(str, error["loc"][:-1]))
        return f"{outer}: a value is missing, got {error['input']!r}"
    place = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    if not place:
        return message
    if error["type"] == "value_error":
        return f"{place}: {message}"
    return f"{place}: {message[0].lower()}{message[1:]}, got {error['input']!r}"


SECTIONS: Final[Mapping[str, tuple[type[BaseModel], ...]]] = {
    "synthesize": (SynthesisConfig,),
    "evaluate": (EvaluationConfig, GateSettings),
    "grade": (GradingConfig,),
}
"""The commands whose settings a file may hold, and their models."""
PROJECT_FILES: Final = (Path("uaeval.yaml"), Path("pyproject.toml"))
"""Where settings are looked for without `--config`; the first that holds any is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """Settings for several commands; those below the name of a command are for it alone."""

    path: Path | None = None
    """`None` if there is no file."""
    shared: Mapping[str, object] = field(default_factory=dict)
    sections: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file.

        Raises:
            ConfigError: it cannot be read, or holds a setting that no command takes.
        """
        shared, sections = read_settings(path), {}
        for command in SECTIONS.keys() & shared.keys():
            section = shared.pop(command)
            if not isinstance(section, dict):
                raise ConfigError(f"{path}: {command} should hold `setting: value` lines")
            sections[command] = with_underscores(section)
            _check(f"{path}: {command}", sections[command], SECTIONS[command])
        _check(str(path), shared, [model for models in SECTIONS.values() for model in models])
        return cls(path=path, shared=shared, sections=sections)

    @classmethod
    def of_project(cls) -> Self:
        """Read the first of `PROJECT_FILES` that holds settings."""
        files = (cls.read(path) for path in PROJECT_FILES if path.exists())
        return next((file for file in files if file.shared or file.sections), cls())

    def settings(self, model: type[BaseModel]) -> dict[str, object]:
        """Return the settings of one model; those of its command win."""
        command = next((name for name, models in SECTIONS.items() if model in models), "")
        given = canonical(model, self.shared) | canonical(model, self.sections.get(command, {}))
        return {name: value for name, value in given.items() if name in model.model_fields}


def _check(place: str, given: Mapping[str, object], models: Iterable[type[BaseModel]]) -> None:
    known = {name for model in models for name in key_names(model)}
    if given.keys() - known:
        raise ConfigError(f"{place}: {unknown(given.keys() - known, known)}")
