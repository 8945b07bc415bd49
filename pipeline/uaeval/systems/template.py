"""Filling the query's text into what is sent."""

from urllib.parse import quote

from pydantic import JsonValue

from uaeval.config import QUESTION


def fill(template: JsonValue, question: str) -> JsonValue:
    """Return `template` with `question` in the place of `{question}`, in one pass."""
    if isinstance(template, str):
        return template.replace(QUESTION, question)
    if isinstance(template, dict):
        return {name: fill(value, question) for name, value in template.items()}
    if isinstance(template, list):
        return [fill(value, question) for value in template]
    return template


def fill_url(url: str, question: str) -> str:
    """Return `url` with `question`, percent-encoded, in the place of `{question}`."""
    return url.replace(QUESTION, quote(question, safe=""))
