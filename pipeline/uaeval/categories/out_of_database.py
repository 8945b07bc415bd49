"""Out of database: the query is on topic, and its answer is nowhere in the knowledge base."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from uaeval.categories import verification
from uaeval.categories.base import AuthorContext, CategorySpec, check_of
from uaeval.categories.literal import answering_sentence, find_answer, shown_for
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field
from uaeval.llm.replies import ClaimStances, Draft, Reply, TwinCheck
from uaeval.records import Assignment, Candidate, Check, Outcome, Rejection
from uaeval.text.words import content_words

SHARED_WORDS = 3
"""Number of content words from which on an outside article and a passage share a topic."""
ABSENCE = 1.5
"""Factor for the number of passages where it is their silence that proves the query."""

_UNNAMED = re.compile(
    r"\b(?:the|this|that) (?:company|firm|start-?up|study|survey|researchers?|minister|"
    r"spokes(?:man|woman|person))\b"
    r"(?! (?:that|which|who|whose|behind|of|in|at|for|by|called|named)\b)",
    re.I,
)
"""A definite mention, such as "the study", of somebody or something that only the article names."""


class OutOfDatabaseDraft(Draft):
    """A query that only the outside article answers; `passage` is the number of the twin's."""

    passage: int
    outside_answer: str
    phrasings: list[str]


class OutOfDatabaseVerification(Reply):
    """Whether the query can be understood alone, and which passages answer it."""

    rationale: str
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
    twin: TwinCheck


def _shown(context: AuthorContext, assignment: Assignment) -> NumberedPassages:
    """Return the passages most similar to the article that share its topic, best first."""
    article = assignment.chunk
    topic = _content_words(f"{article.title} {article.text}")
    hits = context.retriever.search(f"{article.title}\n{article.text}", context.related)
    texts = {hit.chunk: f"{hit.chunk.title} {hit.chunk.heading} {hit.chunk.text}" for hit in hits}
    shared = {chunk: len(topic & _content_words(text)) for chunk, text in texts.items()}
    return NumberedPassages(tuple(chunk for chunk in shared if shared[chunk] >= SHARED_WORDS))


_content_words = lru_cache(maxsize=4096)(content_words)


def _author_fields(assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    [article] = NumberedPassages((assignment.chunk,)).passages
    return {"passages": shown.passages, "article": article, "turn": str(assignment.turn)}


def _finish(
    candidate: Candidate,
    draft: OutOfDatabaseDraft,
    _shown: NumberedPassages,
    assignment: Assignment,
) -> Candidate | Rejection:
    """Add the article's sentence that gives the outside answer; reject if there is none."""
    answer = draft.outside_answer
    sentence = answering_sentence(answer, assignment.chunk.text) if answer else None
    if answer and sentence is None:
        rationale = f"the article does not say: {answer}"
        return Rejection(id=candidate.id, check="not_in_article", rationale=rationale)
    phrasings = tuple(draft.phrasings)
    return replace(candidate, outside_answer=answer, phrasings=phrasings, outside_sentence=sentence)


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


def _nowhere_stated(candidate: Candidate, retriever: Retriever) -> Check:
    match = find_answer(candidate, retriever)
    problem = f"{match.chunk.id} states the outside answer: {match.statement}" if match else None
    return check_of("stated", problem, "no passage that is found states the outside answer")


def _read(
    candidate: Candidate, reply: OutOfDatabaseVerification, shown: NumberedPassages
) -> verification.VerifierResult:
    stances = reply.answer
    outcome = Outcome.INCONCLUSIVE if stances.contradicts else Outcome.PROVEN
    if stances.supports:
        outcome = Outcome.REFUTED
    claim = verification.claim_of(candidate.question, candidate.outside_answer or "")
    return verification.result_of(
        candidate, reply, shown, verification.evidence_on(claim, outcome, stances, shown)
    )


CATEGORY = CategorySpec(
    name="out_of_database",
    voiced=True,
    definition="On topic, and the answer is nowhere in the knowledge base.",
    acceptance="Says that it does not have the information.",
    difficulty="easy",
    turns=3,
    source="articles",
    draft=OutOfDatabaseDraft,
    shown=_shown,
    author_fields=_author_fields,
    twin_passage=lambda draft: draft.passage,
    finish=_finish,
    known=lambda query: query.outside_answer,
    checks=(_outside_answer, _named, _nowhere_stated),
    verification=OutOfDatabaseVerification,
    passing_label="not_answered",
    shown_to_verifier=lambda context, candidate: shown_for(
        candidate, context.retriever, math.ceil(ABSENCE * context.passages_shown)
    ),
    verifier_fields=lambda _context, candidate: {"answer": candidate.outside_answer or ""},
    read_verification=_read,
    uaeval4rag_name="out-of-database",
)
