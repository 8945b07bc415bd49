"""How much of a question a text is about, rare words counting more."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from uaeval.text.words import content_words, stems, words

_ASKING: Final = frozenset(
    """how many much long often far soon early late what which who whom whose where when why
    whether time amount number kind type tell know please give find see get make take use need
    want like does did has have any anything something there about""".split()
)
"""Words of questions that answers do not repeat."""


def asked_words(question: str) -> tuple[str, ...]:
    """Return the content words of a question, in their order, each once."""
    content = content_words(question)
    return tuple(
        dict.fromkeys(word for word in words(question) if word in content and word not in _ASKING)
    )


def weigh(question: str, texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Return the stems that a question asks about, each weighted by its rarity in the texts."""
    asked = stems(" ".join(asked_words(question)))
    total = len(texts) + 1
    return {
        stem: math.log(1 + total / (0.5 + sum(stem in text for text in texts))) for stem in asked
    }


def share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    """Return the share of the weights that is held; 0 if there are none."""
    total = sum(weights.values())
    return sum(weights[stem] for stem in weights.keys() & held) / total if total else 0.0
