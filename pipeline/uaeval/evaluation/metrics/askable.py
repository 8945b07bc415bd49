"""Which key phrases of a reference answer a question can be asked about."""

import re
from collections.abc import Sequence
from typing import Final

from uaeval.text import english

_REPLIES: Final = frozenset({"yes", "no", "ok", "okay"})
_MODAL: Final = rf"\b(?:{'|'.join(sorted(english.MODALS))})(?: (?:not|also|only|then|still))*"


def askable(phrases: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the `phrases` of `text` without single English words that answer no question.

    These are a bare yes or no, and verbs: words that can be nothing else, or follow a modal.
    """
    return tuple(phrase for phrase in phrases if " " in phrase or not _is_empty(phrase, text))


def _is_empty(word: str, text: str) -> bool:
    if word.casefold() in _REPLIES or english.lemmas(word).keys() == {"VERB"}:
        return True
    behind = rf"{_MODAL} {re.escape(word)}\b"
    return english.can_be_verb(word) and re.search(behind, text, re.IGNORECASE) is not None
