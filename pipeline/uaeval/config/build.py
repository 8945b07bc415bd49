"""Build settings from options and YAML files."""

from collections.abc import Hashable
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from uaeval.config.problems import of_settings, unknown_settings
from uaeval.errors import ConfigError

C = TypeVar("C", bound=BaseModel)


def build(kind: type[C], **settings: object) -> C:
    """Return checked settings; `None` leaves one at its default.

    Raises:
        ConfigError: a setting is refused, or unknown.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    unknown = sorted(given.keys() - kind.model_fields.keys())
    if unknown:
        raise ConfigError(unknown_settings(unknown, sorted(kind.model_fields)))
    try:
        return kind(**given)
    except ValidationError as error:
        # No chain: the error holds a refused address with its password.
        raise ConfigError(of_settings(error)) from None


class _UniqueKeyLoader(yaml.SafeLoader):
    """Reads plain YAML; a duplicate key of a mapping is an error."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        seen = set[str]()
        for key, _ in node.value:
            if key.value in seen:
                problem = f"duplicate key {key.value!r}; keep one of the two"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings.

    Raises:
        ConfigError: the file is missing, is not a YAML mapping, or has a duplicate key.
    """
    try:
        value = yaml.load(path.read_text(encoding="utf-8"), _UniqueKeyLoader)
    except FileNotFoundError as error:
        raise ConfigError(f"no such settings file: {path}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())
        raise ConfigError(f"cannot read settings from {path}: {problem}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return {str(name).replace("-", "_"): setting for name, setting in value.items()}
