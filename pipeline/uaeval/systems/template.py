"""Filling the query's text and the environment's values into what is sent."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from pydantic import JsonValue

from uaeval.config import QUESTION
from uaeval.errors import ConfigError
from uaeval.redaction import expand


def map_texts(template: JsonValue, change: Callable[[str], str]) -> JsonValue:
    """Return `template` with each text, but for names of fields, replaced by `change`."""
    if isinstance(template, str):
        return change(template)
    if isinstance(template, dict):
        return {name: map_texts(value, change) for name, value in template.items()}
    if isinstance(template, list):
        return [map_texts(value, change) for value in template]
    return template


def fill(template: JsonValue, question: str) -> JsonValue:
    """Return `template` with `question` in the place of `{question}`, in one pass."""
    return map_texts(template, lambda text: text.replace(QUESTION, question))


def fill_url(url: str, question: str) -> str:
    """Return `url` with `question`, percent-encoded, in the place of `{question}`."""
    return url.replace(QUESTION, quote(question, safe=""))


def expand_headers(templates: Mapping[str, str]) -> dict[str, str]:
    """Return headers with each `$NAME` replaced from the environment.

    Raises:
        ConfigError: a variable is not set, or its value cannot stand in a header.
    """
    values = {name: expand(text, f"header {name}") for name, text in templates.items()}
    for name, value in values.items():
        if not value.isascii() or not value.isprintable():
            raise ConfigError(f"header {name}: its value may hold plain ASCII signs only")
    return values
