"""Other chunks about like things, for authors who compare passages."""

from collections import Counter
from collections.abc import Container
from functools import lru_cache

from uaeval.categories.numbered_passages import take_turns
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.knowledge.retriever import Retriever
from uaeval.text.words import words
from uaeval.types import Chunk

KEY_PHRASES = 8
"""Key phrases of a passage that its relatives are searched by."""
LOOKED_AT = 50
"""Fewest hits of each search that related passages are taken from."""
COPY = 30
"""First words that two passages share if one is a copy of the other."""
PER_DOCUMENT = 2
"""Most chunks of one document among the first that are related to a passage."""


def related_to(
    retriever: Retriever, chunk: Chunk, limit: int, usable: Container[str] | None = None
) -> tuple[Chunk, ...]:
    """Return other chunks under a like heading, or about like things; best first.

    Only chunks with a `usable` id are taken (`None`: any), and none that is a copy of another.
    What differs between documents is wanted: all chunks of a document but its best
    `PER_DOCUMENT` stand behind those of the others.
    """
    heading = chunk.heading.rpartition(" › ")[2] or chunk.title
    phrases = " ".join(key_phrases(chunk.text, KEY_PHRASES))
    texts = [heading, f"{chunk.title} {heading}", phrases or chunk.title, chunk.text]
    first: list[Chunk] = []
    behind: list[Chunk] = []
    documents: Counter[str] = Counter()
    seen = {_opening(chunk.text)}
    searches = retriever.search_many(texts, max(limit, LOOKED_AT))
    for other in take_turns([hit.chunk for hit in hits] for hits in searches):
        opening = _opening(other.text)
        if opening in seen or (usable is not None and other.id not in usable):
            continue
        seen.add(opening)
        documents[other.document_id] += 1
        (first if documents[other.document_id] <= PER_DOCUMENT else behind).append(other)
    return (*first, *behind)[:limit]


@lru_cache(maxsize=65536)
def _opening(text: str) -> tuple[str, ...]:
    return words(text[: 20 * COPY])[:COPY]
