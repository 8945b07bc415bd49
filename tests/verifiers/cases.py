"""Hand-made candidates over the sample knowledge base: good ones, and bad ones of every kind."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uaeval.records import Candidate, Category, Chunk, Reading, Twin
from uaeval.text.words import covered_by, stands_in

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One candidate and whether it should pass."""

    candidate: Candidate
    good: bool
    kind: str


def read_cases(category: Category, chunks: Sequence[Chunk]) -> list[Case]:
    """Read a category's cases; file names become the chunks that hold the words."""
    lines = (HERE / f"{category}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [_case(number, row, chunks) for number, row in enumerate(rows, 1)]


def _case(number: int, row: dict[str, Any], chunks: Sequence[Chunk]) -> Case:
    category = row["category"]
    twin = row["twin"]
    source = _chunk_with(twin["quote"], row["source"], chunks)
    readings = tuple(
        Reading(
            question=reading["question"],
            value=reading["value"],
            chunk_id=_chunk_answering(reading, chunks).id,
            answer=reading["answer"],
        )
        for reading in row.get("readings", ())
    )
    fact = row.get("fact")
    candidate = Candidate(
        id=f"{category}-{number:04d}",
        category=category,
        subtype=row.get("subtype"),
        question=row["question"],
        reason=row["reason"],
        twin=Twin(
            question=twin["question"],
            reference_answer=twin["answer"],
            chunk_id=source.id,
            quote=twin["quote"],
        ),
        source_chunk_id=_chunk_with(fact, row["source"], chunks).id if fact else source.id,
        missing=row.get("missing"),
        readings=readings,
        premise=row.get("premise"),
        fact=fact,
        outside_answer=row.get("outside_answer"),
        phrasings=tuple(row.get("phrasings", ())),
    )
    return Case(candidate=candidate, good=row["good"], kind=row["kind"])


def _chunk_with(words: str, file: str, chunks: Sequence[Chunk]) -> Chunk:
    for chunk in chunks:
        if chunk.document_id == file and stands_in(words, chunk.text):
            return chunk
    raise AssertionError(f"no chunk of {file} holds: {words}")


def _chunk_answering(reading: dict[str, Any], chunks: Sequence[Chunk]) -> Chunk:
    held = [
        chunk
        for chunk in chunks
        if chunk.document_id == reading["source"] and covered_by(reading["answer"], chunk.text)
    ]
    if not held:
        raise AssertionError(f"no chunk of {reading['source']} holds: {reading['answer']}")
    words = set(reading["question"].lower().split())
    return max(
        held, key=lambda chunk: len(words & set(f"{chunk.heading} {chunk.text}".lower().split()))
    )
