"""Other chunks about like things, for authors who compare passages."""

from collections import Counter

from uaeval.categories.numbered_passages import take_turns
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.knowledge.retriever import Retriever
from uaeval.types import Chunk

KEY_PHRASES = 8
"""Key phrases of a passage that its relatives are searched by."""
LOOKED_AT = 50
"""Fewest hits of each search that related passages are taken from."""
PER_DOCUMENT = 2
"""Most chunks of one document among the first that are related to a passage."""


def related_to(retriever: Retriever, chunk: Chunk, limit: int) -> tuple[Chunk, ...]:
    """Return other chunks under a like heading, or about like things; best first.

    What differs between documents is wanted: all chunks of a document but its best
    `PER_DOCUMENT` stand behind those of the others.
    """
    heading = chunk.heading.rpartition(" › ")[2] or chunk.title
    phrases = " ".join(key_phrases(chunk.text, KEY_PHRASES))
    texts = [heading, f"{chunk.title} {heading}", phrases or chunk.title, chunk.text]
    first: dict[str, Chunk] = {}
    behind: dict[str, Chunk] = {}
    documents: Counter[str] = Counter()
    searches = retriever.search_many(texts, max(limit, LOOKED_AT))
    for other in take_turns([hit.chunk for hit in hits] for hits in searches):
        if other.id in {chunk.id, *first, *behind}:
            continue
        documents[other.document_id] += 1
        (first if documents[other.document_id] <= PER_DOCUMENT else behind)[other.id] = other
    return (*first.values(), *behind.values())[:limit]
