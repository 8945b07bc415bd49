"""Messages for settings that are refused."""

import difflib

from pydantic import ValidationError
from pydantic_core import ErrorDetails


def unknown_settings(unknown: list[str], known: list[str]) -> str:
    """Return a message that names unknown settings, with similar known ones."""
    names = []
    for name in unknown:
        close = difflib.get_close_matches(name, known, 1)
        names.append(f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name))
    return f"unknown setting {', '.join(names)}; known settings: {', '.join(known)}"


def of_settings(error: ValidationError) -> str:
    """Return a message that names every refused setting and the reason."""
    return "; ".join(map(_problem, _own_problems(error)))


def _own_problems(error: ValidationError) -> list[ErrorDetails]:
    """Return the errors, without `too_short` of a list whose values are refused."""
    problems = error.errors()
    within = {problem["loc"][:-1] for problem in problems}
    return [each for each in problems if each["type"] != "too_short" or each["loc"] not in within]


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
