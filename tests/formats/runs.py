"""Finished runs made by hand, with texts that break formats."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from uaeval.categories.names import BUILT_IN
from uaeval.categories.voices import Voice
from uaeval.formats.dataset import Dataset
from uaeval.knowledge.facts import KnowledgeBaseFacts
from uaeval.news.article import Article
from uaeval.records import (
    Category,
    Check,
    Chunk,
    Evidence,
    Outcome,
    Provenance,
    Query,
    Reading,
)
from uaeval.run_folder import Count, Manifest, RunFolder
from uaeval.storage import write_journal

NASTY = (
    "What does “it” cost, and is 'that' \"all\" of it?",
    "Line one\nline two\r\nline three\n",
    "Is {{question}} {{ env.HOME }} or {{7*7}} a {% raw %}tag{% endraw %} {# here #}?",
    "a | b || c, and \\ back",
    "Wo 🐦‍⬛ ist der Café-Schlüssel?",
    "מתי נפתח המוזיאון؟ \u202eabc\u202c",
    "A NUL \x00 in the middle",
    '=HYPERLINK("http://example.org")',
    "+1 or -1 or @home",
    "file://etc/passwd",
    "0012",
    "x" * 100_000,
)
ARTICLE = "The harbour trust of Marrow Bay sold its last steam dredger in the spring of 2024."
"""The sentence of the outside article that gives the answer."""
BESIDE = "A crane of 1911 went with her to the yard at Low Staith."
"""Another sentence of it; no export may hold it."""
OUTSIDE = Article(
    id="dredger.md",
    title="The dredger is sold",
    text=f"{ARTICLE} {BESIDE}",
    url="https://news.example/dredger",
    date="2024-04-02",
    language="en",
    source="news.jsonl",
    sha256="d" * 64,
)


def chunk(name: str, text: str) -> Chunk:
    return Chunk(
        id=name,
        document_id=name.rpartition("#")[0],
        title="Ferries",
        heading="Prices › Cars",
        text=text,
        start=0,
        end=len(text),
    )


CHUNKS = tuple(
    chunk(f"ferries.md#{number}", f"Passage {number}: the crossing costs £{number}.")
    for number in range(8)
)


def pair(name: str, category: Category, question: str, number: int = 0) -> tuple[Query, Query]:
    """Return an unanswerable query and its twin."""
    source = CHUNKS[number % len(CHUNKS)].id
    outside = category == "out_of_database"
    provenance = Provenance(
        document_id="ferries.md",
        chunk_ids=("dredger.md#0", source) if outside else (source,),
        generator="openai:author",
        verifier="openai:verifier",
        generate_prompt="a" * 64,
        verify_prompt="b" * 64,
    )
    claim = Evidence(
        claim=f"{question} — £{number}", outcome=Outcome.PROVEN, silent=(source,), supports=()
    )
    reading = Reading(question="by car?", value="car", chunk_id=source, answer=f"£{number}")
    query = Query(
        id=name,
        category=category,
        subtype="time" if category == "underspecified" else None,
        pair_id=f"{name}-twin",
        pair_category=category,
        question=question,
        reason=f"Because {question}",
        reference_answer=None,
        evidence=(claim,),
        checks=(Check(name="verifier", passed=True, rationale="“Passage: the crossing costs”"),),
        readings=(reading,) if category == "underspecified" else (),
        outside_answer="the trust" if outside else None,
        hardness=0.4375 if outside else None,
        language="en",
        provenance=provenance,
        outside_sentence=ARTICLE if outside else None,
        voice=Voice(style="terse", asker="a new colleague") if outside else None,
        rag_answer="It says that the crossing costs £1." if outside else None,
    )
    answered = Evidence(claim="the crossing", outcome=Outcome.PROVEN, supports=(source,))
    twin = Query(
        id=f"{name}-twin",
        category=None,
        subtype=query.subtype,
        pair_id=name,
        pair_category=category,
        question=f"What does crossing {number} cost? {question}",
        reason=None,
        reference_answer=f"£{number % len(CHUNKS)}",
        evidence=(answered,),
        checks=(),
        readings=(),
        outside_answer=None,
        hardness=None,
        language="en",
        provenance=provenance,
    )
    return query, twin


def nasty() -> tuple[Query, ...]:
    """Return a pair for each nasty text, categories in turn; ids look like numbers now and then."""
    categories = BUILT_IN
    pairs = (
        pair(f"{number:04d}", categories[number % len(categories)], text, number)
        for number, text in enumerate(NASTY)
    )
    return tuple(query for both in pairs for query in both)


def dataset(run: RunFolder, *, with_passages: bool = True) -> Dataset:
    """Return the dataset of a run, with the license that its card needs."""
    return Dataset(run, with_passages=with_passages, name="Ferries", license="cc-by-4.0")


def make_run(path: Path, queries: Iterable[Query], chunks: Sequence[Chunk] = CHUNKS) -> RunFolder:
    """Write a finished run to `path`."""
    run = RunFolder(path)
    queries = tuple(queries)
    write_journal(run.queries_path, Query, queries)
    write_journal(run.chunks_path, Chunk, chunks)
    write_journal(run.journal("articles"), Article, [OUTSIDE])
    asked = {str(category): 2 for category in BUILT_IN}
    counts = {name: Count(kept=2, rejected=1, reasons={"declined": 1}) for name in asked}
    run.write_manifest(
        Manifest(
            status="complete",
            settings={"base_url": "http://secret.example/v1"},
            knowledge_base=KnowledgeBaseFacts(
                source="/home/somebody/ferries",
                fingerprint="f" * 64,
                documents=1,
                skipped=0,
                held_out=0,
                chunks=len(chunks),
                set_aside=0,
                articles=1,
                news_fingerprint="",
                embedding="hashed-words-1024",
                key_phrases="rules",
            ),
            versions={"uaeval": "0.1.0"},
            prompts={"underspecified/generate": "a" * 64, "underspecified/verify": "b" * 64},
            models={"generator": "openai:author", "verifier": "openai:verifier"},
            asked=asked,
            selected={name: 2 for name in asked},
            stages={"generate": counts, "verify": counts},
        )
    )
    return run
