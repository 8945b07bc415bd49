"""How the index grows: build, opening, search, proofs, memory: `make bench-scale SIZES="1000 …"`.

Passages are shuffled sentences of the sample knowledge base, or of the Markdown files of DATA. Each
figure is taken in a process of its own. Times of building and opening are CPU seconds, without
hashing `chunks.jsonl`, which a run does when it compares its files with the manifest. Searches are
timed after as many others, because the first ones read the files from the disk.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import bm25s
import numpy as np
from rich.console import Console
from rich.table import Table

from uaeval.categories.literal import find_answer
from uaeval.knowledge.embedding import HashedWords
from uaeval.knowledge.index import HybridIndex, searched
from uaeval.records import Candidate, Chunk, Twin
from uaeval.resources import shipped
from uaeval.text.words import stem, tokens

SIZES = (1_000, 10_000, 50_000)
LENGTH = 700
ANSWERS = ("{} euros a year", "on {} May 1987", "{:,}", "Ottilie Brandt of Room {}")
"""What is proven to be absent: an amount, a date, a number, a name."""
QUERIES, WORDS, HITS, CHECKED = 60, 10, 10, 10
COLUMNS = (
    *("build, CPU s", "open, CPU s", "open, s"),
    *("search p50, ms", "search, CPU ms", "absence, CPU ms", "kB per passage", "recall"),
)


def passages(number: int) -> Iterator[Chunk]:
    """Yield passages of about `LENGTH` characters, the same ones each time."""
    folder = Path(os.environ.get("DATA") or shipped("knowledge_bases") / "sample")
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))]
    if not texts:
        raise SystemExit(f"{folder} has no .md file")
    sentences = re.split(r"(?<=[.!?]) ", " ".join(" ".join(texts).split()))
    chance = random.Random(0)
    for place in range(number):
        parts: list[str] = []
        while sum(map(len, parts)) < LENGTH:
            parts.append(chance.choice(sentences)[:LENGTH])
        text = " ".join(parts)
        yield Chunk(
            id=f"d{place:07d}",
            document_id="d",
            title=parts[0][:40],
            heading="",
            text=text,
            start=0,
            end=len(text),
        )


def queries(chunks: list[Chunk], seed: int = 1) -> list[str]:
    """Return the first words of some passages."""
    chance = random.Random(seed)
    return [" ".join(chance.choice(chunks).text.split()[:WORDS]) for _ in range(QUERIES)]


def candidates(chunks: list[Chunk]) -> Iterator[Candidate]:
    """Yield queries whose answers are absent; with its twin each shares all words but three."""
    texts, chance = queries(chunks), random.Random(2)
    for place, text in enumerate(texts):
        words = chance.sample(text.split(), min(6, len(text.split())))
        own = chance.choice(texts).split()[:3]
        answer = ANSWERS[place % len(ANSWERS)].format(1_234 + place)
        question = " ".join([*words, *own])
        yield Candidate(
            id=str(place),
            category="out_of_database",
            subtype=None,
            question=f"{question}?",
            reason="",
            twin=Twin(question=f"{' '.join(words)}?", reference_answer="", chunk_id="", quote=""),
            source_chunk_id="",
            outside_answer=answer,
            phrasings=(f"{question} {answer}", " ".join(own), " ".join([*own, *reversed(words)])),
        )


def absence(chunks: list[Chunk], index: HybridIndex) -> float:
    """Return the median of the CPU milliseconds of a search for a stated answer."""
    times = []
    for candidate in candidates(chunks):
        began = time.process_time()
        find_answer(candidate, index)
        times.append(1000 * (time.process_time() - began))
    return median(times)


def build(number: int, folder: Path) -> dict[str, float]:
    """Build the index."""
    chunks, started = list(passages(number)), time.process_time()
    HybridIndex(chunks, folder, HashedWords(), str(number)).close()
    return {"build, CPU s": time.process_time() - started}


def search(number: int, folder: Path) -> dict[str, float]:
    """Open the index and search; memory is what the process has more than with no passage."""
    before = _resident()
    chunks = list(passages(number))
    cpu, wall = time.process_time(), time.perf_counter()
    with HybridIndex(chunks, folder, HashedWords(), str(number)) as index:
        opened = {
            "open, CPU s": time.process_time() - cpu,
            "open, s": time.perf_counter() - wall,
        }
        for text in queries(chunks, seed=2):
            index.search(text, HITS)
        times, cpu = [], time.process_time()
        for text in queries(chunks):
            began = time.perf_counter()
            index.search(text, HITS)
            times.append(time.perf_counter() - began)
        used = time.process_time() - cpu
        resident = _resident() - before
        proof = absence(chunks, index)
        vector = index.ranked_by("vector")
        shown = [vector.search(text, HITS) for text in queries(chunks)[:CHECKED]]
    recall = _recall(chunks, [[hit.similarity for hit in hits] for hits in shown])
    return {
        **opened,
        "search p50, ms": 1000 * median(times),
        "search, CPU ms": 1000 * used / QUERIES,
        "absence, CPU ms": proof,
        "kB per passage": resident / number,
        "recall": recall,
    }


def peer(number: int, _: Path) -> dict[str, float]:
    """Index and search the words alone, in memory, by bm25s."""
    chunks, started = list(passages(number)), time.process_time()
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    split = [[stem(word) for word in tokens(searched(chunk))] for chunk in chunks]
    index.index(split, show_progress=False)
    built, times = time.process_time() - started, []
    for text in queries(chunks):
        began = time.perf_counter()
        index.retrieve(
            [[stem(word) for word in tokens(text)]], k=HITS, show_progress=False, n_threads=1
        )
        times.append(time.perf_counter() - began)
    return {"build, CPU s": built, "search p50, ms": 1000 * median(times)}


def _recall(chunks: list[Chunk], found: list[list[float]]) -> float:
    """Return the share of hits that are as near as those of a comparison with every vector."""
    wanted = HashedWords().queries(queries(chunks)[:CHECKED])
    near: list[list[float]] = [[] for _ in wanted]
    for start in range(0, len(chunks), 1_000):
        part = HashedWords().passages([searched(chunk) for chunk in chunks[start : start + 1_000]])
        for best, values in zip(near, np.einsum("id,jd->ij", wanted, part), strict=True):
            best[:] = sorted([*best, *values.tolist()], reverse=True)[:HITS]
    hits = [
        abs(ours - best) < 1e-5
        for mine, theirs in zip(found, near, strict=True)
        for ours, best in zip(mine, theirs, strict=False)
    ]
    return sum(hits) / (CHECKED * HITS)


def _resident() -> float:
    """Return the resident kilobytes of this process."""
    pages = Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1024


def _measured(kind: str, number: int, folder: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.bench_scale", kind, str(number), folder]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures: dict[str, float] = json.loads(printed)
    return figures


def main() -> None:
    """Print the table; with `build`, `search` or `peer`, the figures of one process."""
    kinds = {"build": build, "search": search, "peer": peer}
    if len(sys.argv) > 1 and sys.argv[1] in kinds:
        kind, number, folder = sys.argv[1:]
        print(json.dumps(kinds[kind](int(number), Path(folder) / "index")))
        return
    table = Table("passages", "index", *COLUMNS)
    for size in map(int, sys.argv[1:] or SIZES):
        with tempfile.TemporaryDirectory() as folder:
            ours = _measured("build", size, folder) | _measured("search", size, folder)
            words = _measured("peer", size, folder)
        for name, figures in (("uaeval", ours), ("bm25s, words alone", words)):
            cells = (f"{figures[key]:.2f}" if key in figures else "" for key in COLUMNS)
            table.add_row(f"{size:,}", name, *cells)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
