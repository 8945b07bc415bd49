"""Keep secrets out of everything that is written or printed.

A secret is a value that a setting took from the environment with `$NAME`, the value of an
environment variable such as `…_KEY`, or a text that looks like a key, a login or a token.
"""

import json
import logging
import math
import os
import re
from collections import Counter
from string import Template
from typing import Final
from urllib.parse import quote

from uaeval.errors import ConfigError

MARK: Final = "[key]"
_ENVIRONMENT: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)\Z")
_LOGIN: Final = re.compile(
    r"(?<=://)(?:[^\s/\"'<>]{0,200}@|[^\s/@:]{1,99}:(?!\d+(?:[/?#\s]|$))[^\s@]{0,200}@)"
)
_KEYS: Final = re.compile(
    r"\b(?:sk|lsv2|gsk|xai|pk|rk)[-_][^\s'\",.;&]{4,}(?:\.[^\s'\",.;&]+)*"
    r"|\b(?:gh[opsu]_|github_pat_|glpat-|hf_|xox[abprs]-|AKIA|AIza)[\w-]{12,}"
    r"|\beyJ[\w-]{8,999}\.[\w-]{8,}\.[\w-]*"
    r"|\bBearer \S+|\bBasic (?=\S{0,99}[\d=])[\w+/=]{8,}"
)
_NAMES: Final = (
    r"[\w-]{0,40}(?:authorization|cookie|passw|secret|credential)[\w-]{0,40}"
    r"|[\w-]{0,40}(?:key|token|sig|signature|auth|pwd|pass|jwt)"
)
_SECRET_NAME: Final = re.compile(_NAMES, re.IGNORECASE)
_IN_QUERY: Final = re.compile(rf"([?&](?:{_NAMES}|k)=)(?!\$)[^&\s'\"#)]+", re.IGNORECASE)
_IN_TEXT: Final = re.compile(
    r"((?:authorization|cookie|api[-_]?key|password)['\"]?\s{0,9}[:=]\s{0,9}['\"]?)"
    r"(?!\[key\]|\$)(?:(?<=authorization: )[^\n'\"}]+|[^\s'\",;}]+)",
    re.IGNORECASE,
)
_SHORTEST_NAMED: Final = 4
_SHORTEST_KNOWN: Final = 8
"""In characters, for values of `$NAME` and of secret variables; shorter ones occur by chance."""
_SEPARATORS: Final = re.compile(r"[-_.~/:]")
_TOKEN: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+=]{16,}")
_LEAST_ENTROPY: Final = 3.0
"""Bits per character; words and dates have less."""

_named: dict[str, str] = {}
"""The `$NAME` that is shown in place of each value that a setting took from the environment."""


def expand(template: str, setting: str, *, in_url: bool = False) -> str:
    """Return `template` with each `$NAME` replaced from the environment; `$$` is a dollar sign.

    The values are shown as `$NAME` from then on. Raise `ConfigError` if a variable is not set, or a
    dollar sign names none.
    """
    parsed = Template(template)
    if not parsed.is_valid():
        raise ConfigError(f"{setting}: write a literal dollar sign as $$")
    names = parsed.get_identifiers()
    if missing := [name for name in names if not os.environ.get(name)]:
        raise ConfigError(
            f"{setting}: set {', '.join(missing)} in the environment "
            "(a literal dollar sign is written $$)"
        )
    values = {name: os.environ[name] for name in names}
    for name, value in values.items():
        if len(value) >= _SHORTEST_NAMED:
            # as the value is written in a text, in a URL and in JSON
            spellings = (value, quote(value), quote(value, safe=""), json.dumps(value)[1:-1])
            _named.update(dict.fromkeys(spellings, f"${name}"))
    if in_url:
        values = {name: quote(value, safe="") for name, value in values.items()}
    return parsed.substitute(values)


def without_known(text: str) -> str:
    """Return `text` without the secrets of the environment."""
    known = {
        value: MARK
        for name in os.environ
        if _ENVIRONMENT.search(name.upper()) and len(value := os.environ[name]) >= _SHORTEST_KNOWN
    }
    known.update(_named)
    for value in sorted(known, key=len, reverse=True):
        text = text.replace(value, known[value])
    return text


def redact(text: str) -> str:
    """Return `text` without anything that is, or looks like, a secret."""
    text = _LOGIN.sub("", without_known(text))
    text = _IN_QUERY.sub(rf"\1{MARK}", text)
    return _IN_TEXT.sub(rf"\1{MARK}", _KEYS.sub(MARK, text))


class RedactedTexts:
    """A record with texts from outside, and an id that may be a URL; both are redacted."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name in ("id", "message", "rationale", "raw"):
            if text := getattr(self, name, None):
                object.__setattr__(self, name, redact(text))


def is_secret(name: str, value: str) -> bool:
    """Return whether a URL parameter, header or body field is a secret that is not `$NAME`."""
    return is_secret_name(name, value) or (
        not Template(value).get_identifiers()
        and bool(_KEYS.search(value) or any(map(_looks_random, _SEPARATORS.split(value))))
    )


def is_secret_name(name: str, value: str) -> bool:
    """Return whether a name says that its value is a secret, and the value is not `$NAME`."""
    if not value or value.isdecimal() or Template(value).get_identifiers():
        return False
    return bool(_SECRET_NAME.fullmatch(name)) or (name == "k" and len(value) >= _SHORTEST_KNOWN)


def _looks_random(part: str) -> bool:
    if not _TOKEN.fullmatch(part):
        return False
    shares = [count / len(part) for count in Counter(part).values()]
    return -sum(share * math.log2(share) for share in shares) >= _LEAST_ENTROPY


def _redact_record(record: logging.LogRecord) -> bool:
    record.msg, record.args = redact(record.getMessage()), ()
    return True


for _name in ("httpx", "httpcore.http11", "httpcore.connection", "openai._base_client"):
    logging.getLogger(_name).addFilter(_redact_record)
