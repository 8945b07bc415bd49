"""Read settings from YAML files and `pyproject.toml`: of one command, or of all of a project."""

import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import yaml
from pydantic import BaseModel

from uaeval.config.evaluation import EvaluationConfig, GateSettings
from uaeval.config.grading import GradingConfig
from uaeval.config.settings import canonical, key_names, unknown
from uaeval.config.synthesis import SynthesisConfig
from uaeval.errors import ConfigError

RunConfig: TypeAlias = SynthesisConfig | EvaluationConfig | GradingConfig
SECTIONS: Final[Mapping[str, tuple[type[BaseModel], ...]]] = {
    "synthesize": (SynthesisConfig,),
    "evaluate": (EvaluationConfig, GateSettings),
    "grade": (GradingConfig,),
}
"""The settings models of each command that a file may have a section for."""
PROJECT_FILES: Final = (Path("uaeval.yaml"), Path("pyproject.toml"))
"""The files that are searched without `--config`; the first with settings is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """A file of settings for all commands, with sections for single commands."""

    path: Path
    shared: Mapping[str, object]
    sections: Mapping[str, Mapping[str, object]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file; raise `ConfigError` for an unknown setting, or as `read_settings`."""
        shared, sections = read_settings(path), {}
        for command in SECTIONS.keys() & shared.keys():
            sections[command] = _settings_of(shared.pop(command), f"{path}: {command}")
            _check(f"{path}: {command}", sections[command], SECTIONS[command])
        _check(str(path), shared, [model for models in SECTIONS.values() for model in models])
        return cls(path=path, shared=shared, sections=sections)

    @classmethod
    def of_project(cls) -> Self | None:
        """Read the first of `PROJECT_FILES` with settings; `None` if there is none."""
        files = (cls.read(path) for path in PROJECT_FILES if path.exists())
        return next((file for file in files if file.shared or file.sections), None)

    def settings(self, model: type[BaseModel]) -> dict[str, object]:
        """Return the settings of one model; its command's section overrides shared settings."""
        command = next((name for name, models in SECTIONS.items() if model in models), "")
        values = canonical(model, self.shared) | canonical(model, self.sections.get(command, {}))
        return {name: value for name, value in values.items() if name in model.model_fields}


def _check(place: str, settings: Mapping[str, object], models: Iterable[type[BaseModel]]) -> None:
    known = {name for model in models for name in key_names(model)}
    if settings.keys() - known:
        raise ConfigError(f"{place}: {unknown(settings.keys() - known, known)}")


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings, or `[tool.uaeval]` of a TOML file.

    Raise `ConfigError` if it is missing, does not hold a mapping, or has a duplicate key.
    """
    if path.suffix == ".toml":
        value = read_file(path, "settings", tomllib.loads).get("tool", {}).get("uaeval", {})
    else:
        value = read_file(path, "settings")
    return _settings_of(value, str(path))


def _settings_of(value: object, place: str) -> dict[str, object]:
    """Return a mapping with `_` in place of `-` in its keys; `place` is for the error message."""
    if not isinstance(value, dict):
        raise ConfigError(f"{place} should hold `setting: value` lines")
    return {str(name).replace("-", "_"): setting for name, setting in value.items()}


class _UniqueKeyLoader(yaml.SafeLoader):
    """Loads plain YAML; a duplicate key in a mapping is an error."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        seen = set[str]()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value not in seen:
                seen.add(key.value)
                continue
            problem = "a key should be a plain word"
            if isinstance(key, yaml.ScalarNode):
                problem = f"duplicate key {key.value!r}; keep one of the two"
            raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
        return super().construct_mapping(node, deep)


_parse_yaml: Final = partial(yaml.load, Loader=_UniqueKeyLoader)


def read_file(path: Path, what: str, parse: Callable[[str], Any] = _parse_yaml) -> Any:
    """Return the value of a YAML file; `what` describes the file in error messages.

    Raise `ConfigError` if it is missing or not YAML, or holds an invalid date or number.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"no such {what} file: {path}") from error
    except RecursionError as error:
        raise ConfigError(f"cannot read the {what} file {path}: it is nested too deeply") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())[:300]
        raise ConfigError(f"cannot read the {what} file {path}: {problem}") from error
