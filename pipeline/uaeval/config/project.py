"""The settings of a project: one file for all commands, in the working directory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from pydantic import BaseModel

from uaeval.config.build import canonical, unknown
from uaeval.config.evaluation import EvaluationConfig, GateSettings
from uaeval.config.files import read_settings, with_underscores
from uaeval.config.grading import GradingConfig
from uaeval.config.settings import key_names
from uaeval.config.synthesis import SynthesisConfig
from uaeval.errors import ConfigError

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
