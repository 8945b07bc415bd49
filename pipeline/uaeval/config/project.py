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
"""The settings models of each command that a file may have a section for."""
PROJECT_FILES: Final = (Path("uaeval.yaml"), Path("pyproject.toml"))
"""The files that are searched without `--config`; the first with settings is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """A file of settings for all commands, with sections for single commands."""

    path: Path | None = None
    """`None` if there is no file."""
    shared: Mapping[str, object] = field(default_factory=dict)
    sections: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file of settings.

        Raises:
            ConfigError: it cannot be read, or holds an unknown setting.
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
        """Read the first of `PROJECT_FILES` with settings; an empty one if there is none."""
        files = (cls.read(path) for path in PROJECT_FILES if path.exists())
        return next((file for file in files if file.shared or file.sections), cls())

    def settings(self, model: type[BaseModel]) -> dict[str, object]:
        """Return the settings of one model; its command's section overrides shared settings."""
        command = next((name for name, models in SECTIONS.items() if model in models), "")
        values = canonical(model, self.shared) | canonical(model, self.sections.get(command, {}))
        return {name: value for name, value in values.items() if name in model.model_fields}


def _check(place: str, settings: Mapping[str, object], models: Iterable[type[BaseModel]]) -> None:
    known = {name for model in models for name in key_names(model)}
    if settings.keys() - known:
        raise ConfigError(f"{place}: {unknown(settings.keys() - known, known)}")
