"""A tiny knowledge base, and a retriever over it that finds by shared words."""

from collections.abc import Sequence

import pytest

from uaeval.knowledge.retriever import Hit
from uaeval.records import Chunk
from uaeval.text.words import content_words

TEXTS = {
    "slack.md#0": "People ask for a Slack account in the help desk portal. It takes 2 days.",
    "figma.md#0": "People ask for a Figma account by mail. It takes 5 days.",
    "leave.md#0": "You can request up to 240 hours of advanced sick leave. Leave is never sold.",
}


class WordRetriever:
    """Ranks every chunk by the content words that it shares with the search text."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = {chunk.id: chunk for chunk in chunks}

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        wanted = content_words(text)
        hits = [
            (-shared, chunk.id, Hit(chunk=chunk, similarity=min(1.0, shared / 10)))
            for chunk in self._chunks.values()
            for shared in [len(wanted & content_words(f"{chunk.title} {chunk.text}"))]
        ]
        return tuple(hit for _, _, hit in sorted(hits)[:k])

    def get(self, chunk_id: str) -> Chunk:
        return self._chunks[chunk_id]


def chunk_of(chunk_id: str, text: str) -> Chunk:
    document = chunk_id.rpartition("#")[0]
    title = document.removesuffix(".md").title()
    return Chunk(
        id=chunk_id,
        document_id=document,
        title=title,
        heading="",
        text=text,
        start=0,
        end=len(text),
    )


@pytest.fixture
def retriever() -> WordRetriever:
    return WordRetriever([chunk_of(key, text) for key, text in TEXTS.items()])
