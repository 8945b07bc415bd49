"""Build settings from options and YAML files."""

import difflib
from collections.abc import Hashable
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uaeval.errors import ConfigError

C = TypeVar("C", bound=BaseModel)


def build(kind: type[C], **settings: object) -> C:
    """Return checked settings; `None` leaves one at its default.

    Raises:
        ConfigError: a setting is refused, or unknown.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    known = sorted(kind.model_fields)
    if unknown := sorted(given.keys() - kind.model_fields.keys()):
        names = ", ".join(_with_similar(name, known) for name in unknown)
        raise ConfigError(f"unknown setting {names}; known settings: {', '.join(known)}")
    try:
        return kind(**given)
    except ValidationError as error:
        errors = error.errors()
        # A list whose values are refused is too short without them; that is not reported.
        within = {item["loc"][:-1] for item in errors}
        own = (item for item in errors if item["type"] != "too_short" or item["loc"] not in within)
        # No chain: the error holds a refused address with its password.
        raise ConfigError("; ".join(map(_problem, own))) from None


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings.

    Raises:
        ConfigError: the file is missing, is not a YAML mapping, or has a duplicate key.
    """
    _, value = read_yaml(path, "settings")
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return {str(name).replace("-", "_"): setting for name, setting in value.items()}


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


def _with_similar(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name)


def _problem(error: ErrorDetails) -> str:
    if error["type"] == "missing" and len(error["loc"]) > 1:
        outer = ".".join(map(str, error["loc"][:-1]))
        return f"{outer}: a value is missing, got {error['input']!r}"
    place = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    if not place:
        return message
    if error["type"] == "value_error":
        return f"{place}: {message}"
    return f"{place}: {message[0].lower()}{message[1:]}, got {error['input']!r}"
