"""Out of database: the query is on topic, and its answer is nowhere in the knowledge base."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from uaeval.categories import verification
from uaeval.categories.base import AuthorContext, CategorySpec, check_of
from uaeval.categories.literal import answering_sentence, shown_for
from uaeval.categories.numbered_passages import NumberedPassages, take_turns
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field
from uaeval.llm.replies import ClaimStances, Draft, Naturalness, Need, Reasoned, TwinCheck
from uaeval.records import Assignment, Candidate, Check, Chunk, Outcome, Rejection
from uaeval.text.words import stems

SHARED_WORDS = 3
"""Number of content words from which on an outside article and a passage share a topic."""
MOST_SHOWN = 12
"""Most passages that the author of a query from several articles sees."""
ABSENCE = 1.5
"""Factor for the number of passages where it is their silence that proves the query."""

_UNNAMED = re.compile(
    r"\b(?:the|this|that) (?:company|firm|start-?up|study|survey|researchers?|minister|"
    r"spokes(?:man|woman|person))\b"
    r"(?! (?:that|which|who|whose|behind|of|in|at|for|by|called|named)\b)",
    re.I,
)
"""A definite mention, such as "the study", of somebody or something that only the article names."""


class OutOfDatabaseDraft(Draft, Need):
    """A query that only the outside article answers, and a twin on the same subject."""

    subject: str
    """What query and twin are about; both the article and the passage have its words."""
    passage: int
    """The number of the twin's passage."""
    outside_answer: str
    phrasings: list[str]


class OutOfDatabaseVerification(Reasoned):
    """Which passages answer the query, and whether it is about the subject of its twin."""

    answer: ClaimStances
    label: Literal[
        "not_answered",
        "answered",
        "does_not_stand_alone",
        "underspecified",
        "false_presupposition",
        "nonsensical",
        verification.Unsuitable,
    ]
    one_subject: bool
    natural: Naturalness
    twin: TwinCheck


def _shown(context: AuthorContext, assignment: Assignment) -> NumberedPassages:
    """Return the passages related to each article that share its topic, best first."""
    related = take_turns(
        [
            chunk
            for chunk in context.related_to(article)
            if len(_stems(article) & _stems(chunk)) >= SHARED_WORDS
        ]
        for article in (assignment.chunk, *assignment.others)
    )
    most = MOST_SHOWN if assignment.others else None
    return NumberedPassages(tuple(dict.fromkeys(related))[:most])


def _stems(chunk: Chunk) -> frozenset[str]:
    return stems(f"{chunk.title} {chunk.heading} {chunk.text}")


def _author_fields(assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    article, *others = NumberedPassages((assignment.chunk, *assignment.others)).passages
    return {
        "passages": shown.passages,
        "article": article,
        "others": tuple(others),
        "turn": str(assignment.turn),
    }


def _finish(
    candidate: Candidate,
    draft: OutOfDatabaseDraft,
    shown: NumberedPassages,
    assignment: Assignment,
) -> Candidate | Rejection:
    """Add the article and its sentence that gives the outside answer, or reject the candidate."""
    answer = draft.outside_answer
    passage = next(chunk for chunk in shown.chunks if chunk.id == candidate.twin.chunk_id)
    subject = stems(draft.subject) & _stems(passage)
    offered = (assignment.chunk, *assignment.others)
    articles = [article for article in offered if subject & _stems(article)]
    if not articles:
        rationale = f"article and passage do not both speak of: {draft.subject}"
        return Rejection(id=candidate.id, check="no_shared_subject", rationale=rationale)
    candidate = replace(candidate, phrasings=tuple(draft.phrasings), outside_answer=answer)
    if not answer:
        return candidate
    for article in articles:
        if sentence := answering_sentence(answer, article.text):
            return replace(candidate, source_chunk_id=article.id, outside_sentence=sentence)
    rationale = f"the article does not say: {answer}"
    return Rejection(id=candidate.id, check="not_in_article", rationale=rationale)


def _outside_answer(candidate: Candidate, _retriever: Retriever) -> Check:
    problem = None
    if not candidate.outside_answer:
        problem = "no outside answer was given"
    elif not candidate.phrasings:
        problem = "no further phrasings were given to search with"
    return check_of("outside_answer", problem, "an outside answer and phrasings to search with")


def _named(candidate: Candidate, _retriever: Retriever) -> Check:
    question = candidate.question
    unnamed = _UNNAMED.search(question)
    name = any(word[:1].isupper() and word != "I" for word in question.split()[1:])
    problem = f"the query says {unnamed[0]!r} and names none" if unnamed and not name else None
    return check_of("unnamed", problem, "the query names whom it is about")


def _read(
    candidate: Candidate, reply: OutOfDatabaseVerification, shown: NumberedPassages
) -> verification.VerifierResult:
    stances = reply.answer
    outcome = Outcome.INCONCLUSIVE if stances.contradicts else Outcome.PROVEN
    if stances.supports:
        outcome = Outcome.REFUTED
    claim = verification.claim_of(candidate.question, candidate.outside_answer or "")
    evidence = verification.evidence_on(claim, outcome, stances, shown)
    result = verification.result_of(candidate, reply, shown, evidence)
    return replace(result, one_subject=reply.one_subject)


CATEGORY = CategorySpec(
    name="out_of_database",
    voiced=True,
    definition="On topic, and the answer is nowhere in the knowledge base.",
    acceptance="Says that it does not have the information.",
    difficulty="easy",
    turns=3,
    outside=True,
    choices=3,
    draft=OutOfDatabaseDraft,
    shown=_shown,
    author_fields=_author_fields,
    twin_passage=lambda draft: draft.passage,
    finish=_finish,
    known=lambda query: query.outside_answer,
    checks=(_outside_answer, _named),
    verification=OutOfDatabaseVerification,
    passing_label="not_answered",
    shown_to_verifier=lambda context, candidate: shown_for(
        candidate, context.retriever, math.ceil(ABSENCE * context.passages_shown)
    ),
    verifier_fields=lambda _context, candidate: {"answer": candidate.outside_answer or ""},
    read_verification=_read,
    uaeval4rag_name="out-of-database",
)
