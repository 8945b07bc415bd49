"""Runs of any size on the disk, with everything that a report shows of one."""

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.cli.finished_run import write_finished_run
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, scores, unanswerable

from uaeval.categories.names import BUILT_IN
from uaeval.evaluation.evaluation import write_scores
from uaeval.evaluation.metrics.attribution import Attribution, Fault
from uaeval.records import (
    Check,
    Chunk,
    Context,
    Evidence,
    Failure,
    Judgement,
    Outcome,
    Query,
    Response,
)
from uaeval.run_folder import Count, ModelUsage, RunFolder
from uaeval.storage import read_journal, write_journal

_WORDS = (
    "harbour ticket museum leave shift order boat lamp rope tide crane store guest ship".split()
)


def prose(seed: int, characters: int) -> str:
    """Return words that no other seed gives, `characters` long."""
    drawn = random.Random(seed)
    words = [f"{drawn.choice(_WORDS)}{drawn.randrange(1000)}" for _ in range(characters // 5)]
    return " ".join(words)[:characters]


def write_run(folder: Path, pairs: int, *, chunk_size: int = 300) -> list[Query]:
    """Write the dataset of a run: `pairs` pairs over as many passages; return its queries."""
    write_finished_run(folder)
    run = RunFolder(folder)
    chunks = [_chunk(number, chunk_size) for number in range(pairs)]
    queries = [query for number in range(pairs) for query in _pair(number, pairs)]
    write_journal(run.queries_path, Query, queries)
    write_journal(run.chunks_path, Chunk, chunks)
    manifest = run.manifest()
    assert manifest
    each = pairs // len(BUILT_IN)
    manifest.asked = dict.fromkeys(BUILT_IN, each)
    manifest.selected = dict.fromkeys(BUILT_IN, each)
    kept = {one: Count(kept=each + 3, rejected=4, reasons={"declined": 4}) for one in BUILT_IN}
    verified = {
        one: Count(kept=each, rejected=3, reasons={"twin": 2, "one_answer": 1}) for one in BUILT_IN
    }
    manifest.stages = {"generate": kept, "verify": verified}
    manifest.usage = [
        ModelUsage(
            role="generator",
            model="author-model",
            calls=2 * pairs,
            prompt_tokens=900 * pairs,
            cached_tokens=0,
            completion_tokens=90 * pairs,
            cost_usd=0.001 * pairs,
        )
    ]
    run.write_manifest(manifest)
    return queries


def _chunk(number: int, size: int) -> Chunk:
    text = prose(number, size)
    return Chunk(
        id=f"doc-{number}#0",
        document_id=f"doc-{number}",
        title=f"Document {number}",
        heading="Terms",
        text=text,
        start=0,
        end=len(text),
    )


def _pair(number: int, pairs: int) -> Iterator[Query]:
    category = BUILT_IN[number % len(BUILT_IN)]
    near = tuple(f"doc-{(number + step) % pairs}#0" for step in range(4))
    evidence = Evidence(
        claim=prose(-number, 80),
        outcome=Outcome.PROVEN,
        supports=near[:1],
        contradicts=near[1:2],
        silent=near[2:],
    )
    check = Check(name="verifier", passed=True, rationale=prose(number, 120))
    for query in (unanswerable(number, category), control(number, category)):
        question = f"{query.question} ({number})"
        yield replace(query, question=question, evidence=(evidence,), checks=(check,))


def write_judged(
    dataset: Path, name: str, queries: list[Query], *, good: float = 0.7, answer_size: int = 200
) -> Path:
    """Write an evaluation in which a share `good` of the responses is good, and one call failed."""
    drawn = random.Random(os.fsencode(name))
    chunks = read_journal(RunFolder(dataset).chunks_path, Chunk)
    *answered, lost = queries
    responses, judgements, faults = list[Response](), list[Judgement](), list[Attribution]()
    for number, query in enumerate(answered):
        fine = drawn.random() < good
        verdict = "answered" if query.answerable is fine else "refused"
        given = response(query, f"{verdict} {prose(number, answer_size)}")
        near = [chunks[(number // 2 + step) % len(chunks)] for step in range(5)]
        contexts = tuple(Context(id=one.id, text=one.text) for one in near)
        responses.append(replace(given, retrieved_contexts=contexts))
        judgements += both(query, verdict, "yes" if fine else "no")
        if not fine:
            fault = drawn.choice([Fault.RETRIEVAL, Fault.GENERATION])
            faults.append(
                Attribution(query_id=query.id, fault=fault, rationale="So it reads.", judge=None)
            )
    folder = write_evaluation(dataset, name, queries, responses, judgements)
    write_journal(folder / "attributions.jsonl", Attribution, faults)
    failure = Failure(id=lost.id, stage="respond", kind="TargetError", message="it timed out")
    write_journal(folder / "respond.failed.jsonl", Failure, [failure])
    write_scores(folder / "scores.json", scores(queries, responses, judgements))
    return folder
