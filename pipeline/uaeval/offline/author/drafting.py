"""What the template authors share: the fact and the phrase to write about, the template, a pick."""

import re
from collections.abc import Sequence
from typing import Final

from uaeval.offline.facts import Fact, facts
from uaeval.offline.phrases import Phrase, frequency, phrases, word_table
from uaeval.records import Passage
from uaeval.text.english import base
from uaeval.text.words import stems

CONSIDERED: Final = 4
"""Phrases of a passage that a query may be about."""
COMMON: Final = 4.0
"""Zipf frequency from which a word that no heading has is no topic."""
WEAKEST: Final = 4.5
"""Score that the phrase of a query has at least."""
DECLINED: Final = "no fact and phrase of the passage stand on their own"
_DOUBLED: Final = re.compile(r"\b(\w{3,})s? \1s?\b", re.I)
FEWEST: Final = 30
"""Words from which a passage shows whom it is for."""
_ADDRESSED: Final = frozenset("you your we our us i my click please".split())


def matter(passage: Passage) -> tuple[Fact, Phrase] | None:
    """Return what to write about: one of the best phrases, and the best fact that is about it."""
    best = [phrase for phrase in phrases(passage) if _is_a_topic(phrase)][:CONSIDERED]
    for fact in facts(passage):
        said = stems(f"{fact.question} {fact.answer}")
        for phrase in best:
            if stems(phrase.topic) <= said:
                return fact, phrase
    return None


def _is_a_topic(phrase: Phrase) -> bool:
    """Return whether people would talk about what a phrase names; a common word alone is none."""
    special = " " in phrase.topic or phrase.named or phrase.central
    return phrase.score >= WEAKEST and (special or frequency(phrase.topic) < COMMON)


def setting(passage: Passage) -> str:
    """Return the group of templates that the words of a passage speak for.

    `general` tells of the world and addresses nobody; `any` is where nothing is clear.
    """
    words = f"{passage.title} {passage.heading} {passage.text}".lower().split()
    bare = [word.strip(".,;:()*#`'\"?!") for word in words]
    bases = {base(word, "NOUN") for word in bare} | set(bare)
    work, software = (len(bases & word_table(name)) for name in ("work", "software"))
    if max(work, software) >= 2 + len(bare) // 80:
        return "software" if software > work else "work"
    told = max(work, software) > 1 or _ADDRESSED & set(bare) or len(bare) < FEWEST
    return "any" if told else "general"


def filled(options: Sequence[str], phrase: Phrase) -> list[str]:
    """Return templates with a phrase in them, but those that double a word."""
    texts = [option.format(x=phrase.text, topic=phrase.topic) for option in options]
    return [text for text in texts if not _DOUBLED.search(text)] or texts
