"""Keys, kept out of everything that is written down or shown."""

import os
import re
from typing import Final

_KEY: Final = re.compile(
    r"\b(?:sk|lsv2|gsk|xai|pk)[-_][^\s'\",.;]{4,}(?:\.[^\s'\",.;]+)*|Bearer \S+"
)
_LOGIN: Final = re.compile(r"://[^/\s@]+@")
_SECRET_NAME: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)\Z")


def known_keys() -> tuple[str, ...]:
    """Return the keys that stand in the environment."""
    return tuple(
        value
        for name, value in os.environ.items()
        if len(value) >= 8 and _SECRET_NAME.search(name.upper())
    )


def without(keys: tuple[str, ...], text: str) -> str:
    """Take `keys` out of `text`, and leave the rest of it as it is."""
    for key in keys:
        text = text.replace(key, "[key]")
    return text


def scrub(text: str) -> str:
    """Take out everything that is, or looks like, a key."""
    return _KEY.sub("[key]", _LOGIN.sub("://", without(known_keys(), text)))
