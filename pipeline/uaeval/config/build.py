"""Build settings from what was given by name."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uaeval.config.settings import key_names
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
