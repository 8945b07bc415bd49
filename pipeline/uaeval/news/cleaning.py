"""Text of the web as plain text: no markup in titles, no signs that nobody sees."""

import re
from typing import Final

from uaeval.knowledge.markup import lines_of

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, marks that turn the direction of writing, and letters that show nothing."""
_LONGEST_TITLE: Final = 300
_ROUNDS: Final = 4


def clean_title(text: str) -> str:
    """Return one line without markup, however often it was escaped, and not too long."""
    text = text[: 10 * _LONGEST_TITLE]
    for _ in range(_ROUNDS):
        plain = " ".join(" ".join(lines_of(text)).split())
        if plain == text:
            break
        text = plain
    return clean_text(text).strip()[:_LONGEST_TITLE]


def clean_text(text: str) -> str:
    """Drop what nobody sees; line breaks and tabs stay."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
