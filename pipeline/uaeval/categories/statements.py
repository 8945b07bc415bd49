"""Measure how much of a question a statement of a passage is about."""

import math
from collections.abc import Mapping, Sequence

from uaeval.text.words import stem, stems
from uaeval.types import Chunk

_NO_MATTER = frozenset(
    stem(word)
    for word in """how many much long often far soon what which who whom whose where when why
    whether tell know mean stand give take make get put use want require""".split()
)
"""Words that ask, or that say little alone."""


def weigh(asked: frozenset[str], pool: Sequence[Chunk]) -> Mapping[str, float]:
    """Return the weights of a question's words: rare words of the pool weigh more."""
    held = [stems(f"{chunk.title} {chunk.heading} {chunk.text}") for chunk in pool]
    return {
        word: math.log((len(pool) + 1) / (sum(word in words for words in held) + 0.5))
        for word in asked - _NO_MATTER
    }


def share(weights: Mapping[str, float], statement: str, chunk: Chunk) -> float:
    """Return the share of the weights that a statement has, its headings helping; in [0, 1]."""
    own, around = stems(statement), stems(f"{chunk.title} {chunk.heading}")
    if not weights.keys() & own:
        return 0.0
    return sum(weights[word] for word in weights if word in own | around) / sum(weights.values())
