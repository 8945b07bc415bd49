"""Other ways to write a phrase: as one word, by its initials, as an identifier."""

import re
from itertools import permutations

from uaeval.text.words import stem

_NEAR = r"\w*[\W_]+(?:\w+ )?"
"""What may stand between two words that an identifier joins."""
_INITIALS = re.compile(r"\b[A-Z]{2,}(?=s?\b)")


def is_written_otherwise(phrase: str, text: str, known: frozenset[str]) -> bool:
    """Return whether a text has a phrase as one word, by its initials, or its initials in words."""
    initials = "".join(re.findall(r"\b[A-Z](?=[a-z])", phrase))
    words = [r"\w*[ -](?:(?:and|of|the) )?".join(each) for each in _INITIALS.findall(phrase)]
    parts = re.split(r"\W*(?:_|(?<=[a-z])(?=[A-Z][a-z]))\W*", phrase)
    words += [_NEAR.join(order) for order in permutations(parts)] if 1 < len(parts) < 4 else []
    return (
        (" " in phrase and stem(re.sub(r"[\W_]", "", phrase.lower())) in known)
        or (len(initials) > 1 and re.search(rf"\b{initials}\b", text) is not None)
        or any(re.search(rf"\b{each}", text, re.I) for each in words)
    )
