"""Why a response is bad: was what it needed among the retrieved contexts?

If it was, generation is at fault; if not, retrieval is. Where a query asks for something that no
passage could give, there is nothing to retrieve, and answering it all the same is generation's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from uaeval.categories.registry import category
from uaeval.evaluation.expected import expected_chunks, retrieved
from uaeval.evaluation.outcomes import QueryOutcomeRow, states
from uaeval.llm.model import Model
from uaeval.llm.replies import EvidenceJudgement
from uaeval.types import Context, Passage, Query, Response

PROMPT = "judge/attribution"


class Fault(StrEnum):
    """The part of the system that a bad response is laid to."""

    RETRIEVAL = "retrieval"
    GENERATION = "generation"
    KNOWLEDGE_BASE = "knowledge_base"
    """The contexts hold what the dataset's knowledge base does not."""
    UNKNOWN = "unknown"
    """The system does not say what it retrieved, or no passage is known to hold the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Where one bad response went wrong."""

    query_id: str
    fault: Fault
    rationale: str
    judge: str | None
    """Who found the evidence in the contexts, or did not; `None` where code decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadResponse:
    """A response that is unacceptable, or incorrect, and why by the passages that it expects."""

    query: Query
    response: Response
    found: Attribution
    """What code says."""
    open: bool
    """Whether a judge could say otherwise: no expected passage is there, but others may do."""

    @property
    def id(self) -> str:
        """`<query id>/attribution`."""
        return f"{self.query.id}/attribution"

    @property
    def undecided(self) -> Attribution:
        """What is known where the judge was to say, and could not be asked."""
        return replace(
            self.found, fault=Fault.UNKNOWN, rationale="The judge could not be asked, or read."
        )


def bad_responses(
    items: Iterable[QueryOutcomeRow],
    queries: Mapping[str, Query],
    responses: Mapping[str, Response],
    texts: Mapping[str, str],
) -> Iterator[BadResponse]:
    """Yield every bad response with its attribution by code, in the order of `items`.

    `queries` and `responses` are by query id, `texts` are those of the expected chunks, by id. A
    blocked response is no bad one.
    """
    for item in items:
        outcome = item.correct if item.answerable else item.acceptable
        if outcome is not False or item.blocked:
            continue
        query, response = queries[item.query_id], responses[item.query_id]
        fault, rationale = _by_code(query, response, texts)
        yield BadResponse(
            query=query,
            response=response,
            found=Attribution(query_id=query.id, fault=fault, rationale=rationale, judge=None),
            open=fault is Fault.RETRIEVAL,
        )


def _by_code(query: Query, response: Response, texts: Mapping[str, str]) -> tuple[Fault, str]:
    contexts = response.retrieved_contexts
    if not contexts:
        return Fault.UNKNOWN, "The system does not say what it retrieved."
    spec = category(query.category) if query.category else None
    if spec and spec.outside:
        return _outside(query.outside_answer or "", response)
    expected = expected_chunks(query)
    if not expected and query.answerable:
        return Fault.UNKNOWN, "No passage is known to answer the query."
    if not expected:
        return Fault.GENERATION, "No passage could have answered the query."
    needed = (spec and spec.expected_needed) or len(expected)
    there = sum(retrieved(expected, contexts, texts))
    told = f"{there} of {len(expected)} expected passages were retrieved; it takes {needed}."
    return (Fault.GENERATION if there >= needed else Fault.RETRIEVAL), told


def _outside(answer: str, response: Response) -> tuple[Fault, str]:
    """Tell an answer out of nowhere from one that the contexts give, though they should not."""
    held = any(states(context.text, answer) for context in response.retrieved_contexts)
    if held and states(response.text, answer):
        return Fault.KNOWLEDGE_BASE, "The response and a retrieved context give the outside answer."
    return Fault.GENERATION, "The response answers, and no retrieved context gives that answer."


async def attribute(bad: BadResponse, judge: Model) -> Attribution:
    """Ask whether other passages hold the evidence, where none that is expected was retrieved.

    Raises:
        RecordError: the judge could not be asked or understood.
    """
    if not bad.open:
        return bad.found

    def parse(reply: EvidenceJudgement) -> Attribution:
        return Attribution(
            query_id=bad.query.id,
            fault=Fault.GENERATION if reply.label == "present" else Fault.RETRIEVAL,
            rationale=reply.rationale,
            judge=judge.name,
        )

    return await judge.ask(
        PROMPT,
        EvidenceJudgement,
        parse,
        question=bad.query.question,
        evidence=evidence_text(bad.query),
        passages=passages_of(bad.response.retrieved_contexts),
    )


def evidence_text(query: Query) -> str:
    """State what a right response needs, one piece a line."""
    if query.readings:
        return "\n".join(f"{one.question} {one.answer}" for one in query.readings)
    return query.reference_answer or query.reason or ""


def passages_of(contexts: Sequence[Context]) -> tuple[Passage, ...]:
    """Number contexts as passages for a prompt."""
    return tuple(
        Passage(number=number, title="", heading=context.heading, text=context.text)
        for number, context in enumerate(contexts, 1)
    )
