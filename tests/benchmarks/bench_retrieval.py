"""Search over the whole knowledge base, against exact search by numpy over the same vectors.

Run with `make bench`. Ratios hold from machine to machine; seconds do not, so none are printed.
"""

import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from uaeval.knowledge.chunking import chunk
from uaeval.knowledge.documents import load
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, embedding_named
from uaeval.knowledge.index import HybridIndex, searched
from uaeval.records import Chunk
from uaeval.resources import shipped

COPIES, QUERIES, DEPTH = 15, 200, 10


def _chunks() -> list[Chunk]:
    """Return the sample's passages, each in several shuffled copies, so that there are many."""
    documents = load(shipped("knowledge_bases") / "sample").documents
    chance = random.Random(0)
    grown = []
    for one in chunk(documents).chunks:
        for copy in range(COPIES):
            words = one.text.split()
            chance.shuffle(words)
            text = " ".join(words[: max(20, len(words) - copy)]) if copy else one.text
            grown.append(replace(one, id=f"{one.id}.{copy}", text=text))
    return grown


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Print agreement and time ratio of our search to that by numpy, over vectors alone."""
    chunks, vectors = _chunks(), embedding_named(DEFAULT_EMBEDDING)
    chance = random.Random(1)
    texts = [" ".join(chance.choice(chunks).text.split()[:8]) for _ in range(QUERIES)]
    matrix = vectors.passages([searched(one) for one in chunks])
    wanted = vectors.queries(texts)
    with (
        tempfile.TemporaryDirectory() as folder,
        HybridIndex(chunks, Path(folder) / "index", vectors) as index,
    ):
        index.search("reads the vectors", DEPTH)
        ours = _seconds(lambda: [index.search(text, DEPTH) for text in texts])
        best = np.sort(matrix @ wanted.T, axis=0)[::-1][:DEPTH].T
        found = [
            sorted((h.similarity for h in index.search(text, DEPTH)), reverse=True)
            for text in texts
        ]
        agree = np.mean(
            [abs(hits[0] - top[0]) < 1e-5 for hits, top in zip(found, best, strict=True)]
        )
        peer = _seconds(lambda: [np.argsort(-(matrix @ row))[:DEPTH] for row in wanted])
    table = Table(title=f"{len(chunks)} passages, {QUERIES} queries")
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_row(
        "time, ours (vectors, words, fusion) / numpy exact (vectors only)", f"{ours / peer:.2f}"
    )
    table.add_row("queries whose nearest passage is among our hits", f"{agree:.1%}")
    Console().print(table)


if __name__ == "__main__":
    main()
