"""Build settings from options and YAML files."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from uaeval.config.problems import of_settings, unknown_settings
from uaeval.config.yaml_files import read_yaml
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


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings.

    Raises:
        ConfigError: the file is missing, is not a YAML mapping, or has a duplicate key.
    """
    _, value = read_yaml(path, "settings")
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return {str(name).replace("-", "_"): setting for name, setting in value.items()}
