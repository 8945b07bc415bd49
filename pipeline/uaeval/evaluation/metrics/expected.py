"""Which passages of the knowledge base a right response rests on, and whether they were retrieved.

Nothing is asked for a query that no passage could answer: what it needs is their absence.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from uaeval.categories.base import Expected
from uaeval.categories.registry import category
from uaeval.types import Chunk, Context, Outcome, Query

_WORD = re.compile(r"\w+")
_RUN: Final = 4
_ENOUGH: Final = 0.6
"""Share of a chunk's runs of four words that contexts must hold, to hold the chunk."""


def expected_chunks(query: Query) -> Expected:
    """Return the chunks that a right response rests on; those that support a control's answer."""
    if query.category is not None:
        expected = category(query.category).expected(query)
    else:
        proven = (claim for claim in query.evidence if claim.outcome is Outcome.PROVEN)
        expected = tuple(frozenset(claim.supports) for claim in proven)
    return tuple(chunks for chunks in expected if chunks)


def texts_of(chunks: Iterable[Chunk], queries: Iterable[Query]) -> dict[str, str]:
    """Return the texts of the chunks that `queries` expect, by id."""
    wanted = frozenset().union(*(one for query in queries for one in expected_chunks(query)))
    return {chunk.id: chunk.text for chunk in chunks if chunk.id in wanted}


def retrieved(
    expected: Expected, contexts: Sequence[Context], texts: Mapping[str, str]
) -> list[bool]:
    """Return whether each expected set has a chunk among `contexts`, by id or by text.

    A system with chunks of its own holds ours if most runs of four words of it stand in what it
    retrieved.
    """
    ids = {context.id for context in contexts}
    shown = _runs(" ".join(context.text for context in contexts))
    return [
        any(chunk in ids or _stands_in(texts.get(chunk, ""), shown) for chunk in chunks)
        for chunks in expected
    ]


def _stands_in(text: str, shown: frozenset[tuple[str, ...]]) -> bool:
    runs = _runs(text)
    return bool(runs) and len(runs & shown) >= _ENOUGH * len(runs)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    last = max(1, len(words) - _RUN + 1)
    return frozenset(tuple(words[at : at + _RUN]) for at in range(last)) if words else frozenset()
