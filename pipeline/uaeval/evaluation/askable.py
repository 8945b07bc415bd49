"""Which key phrases of a reference answer a question can be asked about."""

import re
from collections.abc import Sequence
from typing import Final

import lemminflect

_REPLIES: Final = frozenset({"yes", "no", "ok", "okay"})
_MODAL: Final = r"\b(?:can|could|may|might|must|shall|should|will|would|cannot)(?: (?:not|also|only|then|still))*"


def askable(phrases: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the `phrases` of `text` without single English words that answer no question.

    These are a bare yes or no, and verbs: words that can be nothing else, or follow a modal.
    """
    return tuple(phrase for phrase in phrases if " " in phrase or not _is_empty(phrase, text))


def _is_empty(word: str, text: str) -> bool:
    lower = word.casefold()
    lemmas: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(lower)
    if lower in _REPLIES or lemmas.keys() == {"VERB"}:
        return True
    after_modal = re.search(rf"{_MODAL} {re.escape(word)}\b", text, re.IGNORECASE)
    return lower in lemmas.get("VERB", ()) and after_modal is not None
