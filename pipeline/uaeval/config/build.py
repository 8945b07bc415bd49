"""Read settings from files, and build them from what was given by name."""

import difflib
import tomllib
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uaeval.config.evaluation import EvaluationConfig, GateSettings, GradingConfig
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
    listed = []
    for name in sorted(names):
        close = difflib.get_close_matches(name, known, 1)
        listed.append(f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name))
    return f"unknown setting {', '.join(listed)}; known settings: {', '.join(known)}"


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


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings, or `[tool.uaeval]` of a TOML file.

    Raises:
        ConfigError: the file is missing, does not hold a mapping, or has a duplicate key.
    """
    value = _tool_table(path) if path.suffix == ".toml" else read_yaml(path, "settings")[1]
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return with_underscores(value)


def with_underscores(mapping: dict[object, object]) -> dict[str, object]:
    """Return a mapping with `_` in place of `-` in its keys."""
    return {str(name).replace("-", "_"): setting for name, setting in mapping.items()}


def _tool_table(path: Path) -> object:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"no such settings file: {path}") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the settings file {path}: {error}") from error
    return tables.get("tool", {}).get("uaeval", {})


class _UniqueKeyLoader(yaml.SafeLoader):
    """Reads plain YAML; a duplicate key of a mapping is an error."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        seen = set[str]()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                problem = "a key should be a plain word"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            if key.value in seen:
                problem = f"duplicate key {key.value!r}; keep one of the two"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path, what: str) -> tuple[str, object]:
    """Return the text of a YAML file and its value; `what` names the file in messages.

    Raises:
        ConfigError: the file is missing or not YAML, or holds an impossible date or number.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return text, yaml.load(text, _UniqueKeyLoader)
    except FileNotFoundError as error:
        raise ConfigError(f"no such {what} file: {path}") from error
    except RecursionError as error:
        raise ConfigError(f"cannot read the {what} file {path}: it is nested too deeply") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())[:300]
        raise ConfigError(f"cannot read the {what} file {path}: {problem}") from error
