"""Recognise other spellings of a phrase: as one word, by its initials, as an identifier."""

import re
from itertools import permutations

from uaeval.text.words import stem

_NEAR = r"\w*[\W_]+(?:\w+ )?"
"""Pattern between two words of a text that an identifier joins."""
_INITIALS = re.compile(r"\b[A-Z]{2,}(?=s?\b)")


def is_written_otherwise(phrase: str, text: str, known: frozenset[str]) -> bool:
    """Return whether a text has another spelling of a phrase; `known` are the stems of the text."""
    initials = "".join(re.findall(r"\b[A-Z](?=[a-z])", phrase))
    patterns = [r"\w*[ -](?:(?:and|of|the) )?".join(name) for name in _INITIALS.findall(phrase)]
    parts = re.split(r"\W*(?:_|(?<=[a-z])(?=[A-Z][a-z]))\W*", phrase)
    patterns += [_NEAR.join(order) for order in permutations(parts)] if 1 < len(parts) < 4 else []
    return (
        (" " in phrase and stem(re.sub(r"[\W_]", "", phrase.lower())) in known)
        or (len(initials) > 1 and re.search(rf"\b{initials}\b", text) is not None)
        or any(re.search(rf"\b{pattern}", text, re.I) for pattern in patterns)
    )
