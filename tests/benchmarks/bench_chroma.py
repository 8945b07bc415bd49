"""What Chroma's graph costs and gives, by its settings: `python -m tests.benchmarks.bench_chroma`.

Vectors have 1,024 dimensions of which 60 are not 0, as those of the default embedding do.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import chromadb
import numpy as np
from chromadb.api.collection_configuration import CreateHNSWConfiguration
from rich.console import Console
from rich.table import Table

from uaeval.knowledge.embedding import Vectors

SIZES = (1_000, 10_000, 50_000)
DIMENSIONS = 1_024
QUERIES = 20
HITS = 50
BATCH = 1_000
ALL = 2**31 - 1

CONFIGURATIONS: dict[str, CreateHNSWConfiguration] = {
    "Chroma's defaults": {"space": "cosine"},
    "ef_construction 200, all searched": {
        "space": "cosine",
        "ef_construction": 200,
        "ef_search": ALL,
    },
    "no flush (batch_size, sync_threshold)": {
        "space": "cosine",
        "batch_size": ALL,
        "sync_threshold": ALL,
        "ef_search": ALL,
    },
    "ef_construction 20, 8 neighbors": {
        "space": "cosine",
        "ef_construction": 20,
        "max_neighbors": 8,
        "ef_search": ALL,
    },
    "ef_construction 10, 4 neighbors": {
        "space": "cosine",
        "ef_construction": 10,
        "max_neighbors": 4,
        "ef_search": ALL,
    },
    "ef_construction 2, 2 neighbors": {
        "space": "cosine",
        "ef_construction": 2,
        "max_neighbors": 2,
        "ef_search": ALL,
    },
}


def vectors(number: int) -> Vectors:
    """Return `number` vectors of length 1."""
    random = np.random.default_rng(0)
    made = np.zeros((number, DIMENSIONS), np.float32)
    for row in made:
        row[random.integers(0, DIMENSIONS, 60)] += random.random(60, dtype=np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def measure(stored: Vectors, configuration: CreateHNSWConfiguration) -> list[str]:
    """Build, read and search one collection; return the cells of its row."""
    number = len(stored)
    random = np.random.default_rng(1)
    near = stored[random.integers(0, number, QUERIES)]
    queries = near + random.normal(0, 0.01, near.shape).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        started = _cpu()
        client = chromadb.PersistentClient(path=folder)
        collection = client.create_collection(
            "bench", configuration={"hnsw": configuration}, embedding_function=None
        )
        ids = [f"{place:07d}" for place in range(number)]
        for start in range(0, number, BATCH):
            collection.upsert(
                ids=ids[start : start + BATCH], embeddings=stored[start : start + BATCH]
            )
        built = _cpu() - started
        times, recalls = [], []
        for query in queries:
            began = time.perf_counter()
            found = collection.query(query_embeddings=[query], n_results=HITS, include=[])
            times.append(time.perf_counter() - began)
            best = set(np.argsort(-(stored @ query), kind="stable")[:HITS].tolist())
            recalls.append(len(best & {int(name) for name in found["ids"][0]}) / HITS)
        began = time.perf_counter()
        for start in range(0, number, BATCH):
            collection.get(ids=ids[start : start + BATCH], include=["embeddings"])
        read = time.perf_counter() - began
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return [
        f"{built:.1f}",
        f"{read:.1f}",
        f"{1000 * median(times):.1f}",
        f"{np.mean(recalls):.3f}",
        f"{size / 1e6:.0f}",
    ]


def exact(stored: Vectors) -> str:
    """Return the milliseconds of one exact search over all vectors, in the median."""
    times = []
    for query in stored[:QUERIES]:
        began = time.perf_counter()
        np.argpartition(-(stored @ query), HITS)
        times.append(time.perf_counter() - began)
    return f"{1000 * median(times):.1f}"


def _cpu() -> float:
    used = os.times()
    return used.user + used.system


def main() -> None:
    """Print one table for each size given on the command line, or for `SIZES`."""
    for number in [int(size) for size in sys.argv[1:]] or SIZES:
        stored = vectors(number)
        table = Table(title=f"{number:,} vectors; an exact search takes {exact(stored)} ms")
        for column in ("graph", "build, CPU s", "read all, s", "search, ms", "recall", "MB"):
            table.add_column(column, justify="left" if column == "graph" else "right")
        for name, configuration in CONFIGURATIONS.items():
            table.add_row(name, *measure(stored, configuration))
        Console().print(table)


if __name__ == "__main__":
    main()
