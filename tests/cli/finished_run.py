"""The folder of a finished run, written by hand: three pairs over a small knowledge base."""

from pathlib import Path

from tests.evaluation.records import control, unanswerable

from uaeval.categories.names import BUILT_IN
from uaeval.knowledge.facts import KnowledgeBaseFacts
from uaeval.records import Category, Chunk, Query
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import write_journal

TEXTS = (
    "You may borrow up to 240 hours of sick leave in a year. Your supervisor signs the form.",
    "The reading room opens at nine. Lockers cost two euros and are emptied every night.",
    "A season ticket can be returned within 30 days. Parking is free for members of the club.",
)
PAIRS = (
    ("How many hours may I borrow?", "How many hours of sick leave may I borrow?", "240 hours"),
    ("When does the room open?", "When does the reading room open?", "nine"),
    ("How many days do I have?", "Within how many days can a season ticket be returned?", "30"),
)


def write_finished_run(folder: Path, categories: tuple[Category, ...] = ()) -> list[Query]:
    """Write a run with one pair for each text; return its queries."""
    queries = []
    for number, (question, twin, reference) in enumerate(PAIRS):
        category = categories[number] if categories else "underspecified"
        place = f"doc-{number}.md"
        queries += [
            unanswerable(number, category, document=place, question=question),
            control(number, category, document=place, question=twin, reference=reference),
        ]
    run = RunFolder(folder)
    write_journal(run.queries_path, Query, queries)
    write_journal(run.chunks_path, Chunk, [_chunk(n, text) for n, text in enumerate(TEXTS)])
    run.write_manifest(_manifest(queries))
    return queries


def _chunk(number: int, text: str) -> Chunk:
    name = f"doc-{number}.md"
    return Chunk(
        id=f"{name}#0",
        document_id=name,
        title=f"Document {number}",
        heading="",
        text=text,
        start=0,
        end=len(text),
    )


def _manifest(queries: list[Query]) -> Manifest:
    facts = KnowledgeBaseFacts(
        source="kb",
        fingerprint="0" * 64,
        documents=len(TEXTS),
        skipped=0,
        held_out=0,
        chunks=len(TEXTS),
        set_aside=0,
        articles=0,
        news_fingerprint="",
        embedding="hashed-words-1024",
        key_phrases="none",
    )
    counts = {category: 0 for category in BUILT_IN}
    for query in queries:
        if query.category:
            counts[query.category] += 1
    return Manifest(
        status="complete",
        settings={},
        knowledge_base=facts,
        versions={},
        prompts={},
        models={},
        asked=counts,
        selected=counts,
    )
