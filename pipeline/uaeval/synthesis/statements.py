"""What passages say, statement by statement, and how much of a question one of them is about."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from uaeval.knowledge.words import tokens
from uaeval.text.words import stems
from uaeval.types import Chunk

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"'(])|\n+")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_NO_MATTER = frozenset(
    """how many much long often far soon what which who whom whose where when why whether tell know
    mean stand give take make get put use want require""".split()
)
"""Words that ask, or that say little without others, as stems."""


@lru_cache(maxsize=8192)
def statements(text: str) -> tuple[str, ...]:
    """Return every sentence, list entry and row of a text, each on one line."""
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    joined = re.sub(r"(?<=[^\n|])\n(?![\n\-*+|#>]|\d+[.)])", " ", text)
    for piece in _END.split(joined):
        if piece.strip():
            yield piece.strip()


@lru_cache(maxsize=65536)
def content(text: str) -> frozenset[str]:
    """Return the meaning-bearing words of a text, English ones by stem."""
    apart = _HYPHEN.sub(" ", text)
    return stems(apart) | {word for word in tokens(apart) if not word.isascii()}


def weigh(asked: frozenset[str], pool: Sequence[Chunk]) -> Mapping[str, float]:
    """Weigh the words that a question is about: what few passages of the pool have weighs more."""
    held = [content(f"{chunk.title} {chunk.heading} {chunk.text}") for chunk in pool]
    return {
        word: math.log((len(pool) + 1) / (sum(word in one for one in held) + 0.5))
        for word in asked - _NO_MATTER
    }


def share(weights: Mapping[str, float], statement: str, chunk: Chunk) -> float:
    """Return the share of the weights that a statement has, its headings helping; in [0, 1]."""
    own, around = content(statement), content(f"{chunk.title} {chunk.heading}")
    if not weights.keys() & own:
        return 0.0
    return sum(weights[word] for word in weights if word in own | around) / sum(weights.values())
