"""Build validated settings from values by name."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uaeval.config.settings import key_names
from uaeval.errors import ConfigError

C = TypeVar("C", bound=BaseModel)


def build(kind: type[C], **settings: object) -> C:
    """Return validated settings; a value of `None` means the default.

    Raises:
        ConfigError: a setting is invalid or unknown.
    """
    values = canonical(kind, settings)
    if unknown_names := values.keys() - kind.model_fields.keys():
        raise ConfigError(unknown(unknown_names, kind.model_fields))
    try:
        return kind(**values)
    except ValidationError as error:
        errors = error.errors()
        # A list without its invalid values may be too short; that error is not reported as well.
        parents = {item["loc"][:-1] for item in errors}
        shown = (
            item for item in errors if item["type"] != "too_short" or item["loc"] not in parents
        )
        # Without the cause, which may contain an address with its password.
        raise ConfigError("; ".join(map(_problem, shown))) from None


def canonical(kind: type[BaseModel], settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that are not `None`, by name of the field; aliases (`rpm`) are replaced.

    Raise `ConfigError` if a setting is given by name and by alias.
    """
    names, values = key_names(kind), dict[str, object]()
    for key, value in settings.items():
        name = names.get(key, key)
        if name in values:
            raise ConfigError(f"{key!r} is another name of {name!r}; give only one of the two")
        if value is not None:
            values[name] = value
    return values


def unknown(names: Iterable[str], known: Iterable[str]) -> str:
    """Return an error message about unknown settings."""
    known = sorted(known)
    described = []
    for name in sorted(names):
        similar = difflib.get_close_matches(name, known, 1)
        described.append(f"{name!r} (did you mean {similar[0]!r}?)" if similar else repr(name))
    return f"unknown setting {', '.join(described)}; known settings: {', '.join(known)}"


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
