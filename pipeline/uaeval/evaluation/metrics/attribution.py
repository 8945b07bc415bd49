"""Attribute bad responses to retrieval or to generation.

Generation is at fault if the retrieved contexts hold the evidence that the response needs, and
retrieval otherwise. If no passage can answer the query, the cause is `nothing_to_retrieve`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from uaeval.categories.base import Expected
from uaeval.categories.registry import category
from uaeval.evaluation.metrics.items import states
from uaeval.evaluation.metrics.judged import Case, JudgedMetric
from uaeval.llm.model import Model
from uaeval.llm.replies import EvidenceJudgement
from uaeval.records import Chunk, Context, Outcome, Passage, Query, Response
from uaeval.storage import stream_journal

PROMPT = "judge/attribution"
_N: Final = 4
_ENOUGH: Final = 0.6
"""Share of a chunk's 4-grams of words that the contexts must have to contain the chunk."""


class Fault(StrEnum):
    """The part of the system that caused a bad response."""

    RETRIEVAL = "retrieval"
    GENERATION = "generation"
    NOTHING_TO_RETRIEVE = "nothing_to_retrieve"
    """No passage could have helped, and the system responded badly all the same."""
    KNOWLEDGE_BASE = "knowledge_base"
    """The contexts contain something that the dataset's knowledge base does not."""
    UNKNOWN = "unknown"
    """The system does not report its contexts, or no passage is known to contain the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """The fault behind one bad response."""

    query_id: str
    fault: Fault
    rationale: str
    judge: str | None
    """The judge that looked for the evidence; `None` if code decided."""


def by_code(case: Case, texts: Mapping[str, str]) -> Attribution | None:
    """Return the attribution by the expected chunks (`texts` by id); `None` if nothing is bad."""
    row = case.outcome
    if (row.correct if row.answerable else row.acceptable) is not False or row.blocked:
        return None
    fault, rationale = _fault(case.query, case.response, texts)
    return Attribution(query_id=case.query.id, fault=fault, rationale=rationale, judge=None)


def unjudged(record: Attribution) -> Attribution | None:
    """Return the record to keep if the judge fails; `None` if the judge need not be asked."""
    if record.fault is not Fault.RETRIEVAL:
        return None
    return replace(record, fault=Fault.UNKNOWN, rationale="The judge could not be asked, or read.")


def _fault(query: Query, response: Response, texts: Mapping[str, str]) -> tuple[Fault, str]:
    if not (contexts := response.retrieved_contexts):
        return Fault.UNKNOWN, "The system does not say what it retrieved."
    spec = category(query.category) if query.category else None
    if spec and spec.outside:
        answer = query.outside_answer or ""
        is_retrieved = any(states(context.text, answer) for context in contexts)
        if is_retrieved and states(response.text, answer):
            why = "The response and a retrieved context give the outside answer."
            return Fault.KNOWLEDGE_BASE, why
        why = "The response answers, and no retrieved context gives that answer."
        return Fault.NOTHING_TO_RETRIEVE, why
    expected = expected_chunks(query)
    if not expected and query.answerable:
        return Fault.UNKNOWN, "No passage is known to answer the query."
    if not expected:
        return Fault.NOTHING_TO_RETRIEVE, "No passage could have answered the query."
    needed = min((spec and spec.expected_needed) or len(expected), len(expected))
    count = sum(retrieved(expected, contexts, texts))
    rationale = f"{count} of {len(expected)} expected passages were retrieved; {needed} are needed."
    return (Fault.GENERATION if count >= needed else Fault.RETRIEVAL), rationale


async def attribute(case: Case, judge: Model) -> Attribution:
    """Ask the judge whether other passages hold the evidence, or raise `RecordError`."""
    readings = (f"{reading.question} {reading.answer}" for reading in case.query.readings)

    def parse(reply: EvidenceJudgement) -> Attribution:
        return Attribution(
            query_id=case.query.id,
            fault=Fault.GENERATION if reply.label == "present" else Fault.RETRIEVAL,
            rationale=reply.rationale,
            judge=judge.name,
        )

    return await judge.ask(
        PROMPT,
        EvidenceJudgement,
        parse,
        question=case.query.conversation,
        evidence="\n".join(readings) or case.query.reference_answer or case.query.reason or "",
        passages=passages_of(case.response.retrieved_contexts),
    )


def passages_of(contexts: Sequence[Context]) -> tuple[Passage, ...]:
    """Return contexts as numbered passages for a prompt."""
    return tuple(
        Passage(number=number, title="", heading=context.heading, text=context.text)
        for number, context in enumerate(contexts, 1)
    )


def expected_chunks(query: Query) -> Expected:
    """Return the chunks that a right response needs, as alternatives for each piece of evidence."""
    if query.category is not None:
        expected = category(query.category).expected(query)
    else:
        proven = (claim for claim in query.evidence if claim.outcome is Outcome.PROVEN)
        expected = tuple(frozenset(claim.supports) for claim in proven)
    return tuple(chunks for chunks in expected if chunks)


def texts_of(path: Path, queries: Iterable[Query]) -> dict[str, str]:
    """Return the texts of the chunks that `queries` expect, by id; none if `path` is missing.

    Raise `StorageError` if the file is damaged.
    """
    if not path.exists():
        return {}
    wanted = frozenset().union(*(chunks for query in queries for chunks in expected_chunks(query)))
    return {chunk.id: chunk.text for chunk in stream_journal(path, Chunk) if chunk.id in wanted}


def retrieved(
    expected: Expected, contexts: Sequence[Context], texts: Mapping[str, str]
) -> list[bool]:
    """Return for each expected set whether one of its chunks is in `contexts`, by id or by text.

    By text, the contexts must have most of a chunk's 4-grams of words.
    """
    ids = {context.id for context in contexts}
    shown = _ngrams(" ".join(context.text for context in contexts))

    def is_retrieved(chunk: str) -> bool:
        ngrams = _ngrams(texts.get(chunk, ""))
        return chunk in ids or (bool(ngrams) and len(ngrams & shown) >= _ENOUGH * len(ngrams))

    return [any(map(is_retrieved, chunks)) for chunks in expected]


def _ngrams(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    last = max(1, len(words) - _N + 1)
    return frozenset(tuple(words[at : at + _N]) for at in range(last)) if words else frozenset()


METRIC: Final = JudgedMetric(
    name="attribution",
    title="attributing bad responses",
    prompts=(PROMPT,),
    record=Attribution,
    open=lambda sources: lambda case: attribute(case, sources.judge),
    file="attributions.jsonl",
    by_code=lambda case, sources: by_code(case, sources.texts),
    unjudged=unjudged,
)
