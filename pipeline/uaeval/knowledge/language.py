"""Which language a text is in."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from uaeval.types import Document

_SAMPLE: Final = 5_000
_DOCUMENTS: Final = 60
_MINORITY: Final = 0.1
"""A language in which fewer documents are is taken for an error of recognition."""


def languages_of(documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the languages of a knowledge base, the most frequent first, from a sample of it."""
    sample = documents[:: max(1, len(documents) // _DOCUMENTS)]
    counts = Counter(language_of(document.text) for document in sample)
    return tuple(name for name, n in counts.most_common() if n >= _MINORITY * len(sample))


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the text's language; `und` if it has no letters."""
    import py3langid  # type: ignore[import-untyped, unused-ignore]

    sample = " ".join(text[:_SAMPLE].split())
    if not any(letter.isalpha() for letter in sample):
        return "und"
    return str(py3langid.classify(sample)[0])


def load_detector() -> None:
    """Load what `language_of` works with; else its first call does, which takes half a second."""
    language_of("a")
