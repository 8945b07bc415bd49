"""An English dictionary: which parts of speech a form can be, and of which words."""

from functools import lru_cache

from lemminflect import getAllLemmas

MODALS = ("can", "could", "may", "might", "must", "shall", "should", "will", "would", "cannot")


@lru_cache(maxsize=65536)
def lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """Return the lemmas of a word by part of speech (`VERB`, `NOUN`); empty if it is unknown."""
    found: dict[str, tuple[str, ...]] = getAllLemmas(word.lower())
    return found


def is_base_verb(word: str) -> bool:
    """Return whether a word can be the base form of a verb."""
    lower = word.lower()
    return lower in lemmas(lower).get("VERB", ()) or lower in {"be", "do", "have"}
