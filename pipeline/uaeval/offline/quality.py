"""Judge answers against references, claims against passages, and what was retrieved."""

from collections.abc import Sequence
from typing import Final, Literal

from uaeval.errors import UndecidedError
from uaeval.llm.replies import (
    EvidenceJudgement,
    PassageLabels,
    RelevancyJudgement,
    ScoreJudgement,
    StatementLabel,
    StatementLabels,
)
from uaeval.offline.evidence import contradiction, states, telling
from uaeval.offline.judge.correct import correct
from uaeval.offline.judge.verdict import verdict
from uaeval.offline.ranking import asked_kinds, fits, ranked
from uaeval.records import Passage
from uaeval.text.words import share, stems, weigh

PROMPTS: Final = (
    *("answer_correctness", "answer_relevancy", "attribution", "context_relevancy"),
    *("contextual_precision", "contextual_recall", "contextual_relevancy", "faithfulness"),
)
NOTHING_KNOWN: Final = "no information available"
ABOUT: Final = 0.5
"""Share of the question's weight that a sentence on its matter covers."""
READINGS: Final = 2
"""Readings that must be found where the evidence has several."""
FRAGMENT: Final = 4
"""Words up to which a whole response can only be a reply to the question."""
_SCORES: Final = {"refused": 1.0, "clarified": 1.0, "partial": 0.5, "answered": 0.0}


def answer_correctness(*, question: str, reference: str, response: str) -> ScoreJudgement:
    """Return 1 for the reference answer and 0 for another; abstaining is right where none exists.

    Raises:
        UndecidedError: the offline judge cannot decide.
    """
    if reference.strip(" .").casefold() == NOTHING_KNOWN:
        treated = verdict(question, response)
        return ScoreJudgement(rationale=treated.rationale, score=_SCORES[_label(treated.label)])
    judged = correct(question, reference, response)
    return ScoreJudgement(rationale=judged.rationale, score=float(_label(judged.label) == "yes"))


def context_relevancy(*, question: str, passages: Sequence[Passage]) -> RelevancyJudgement:
    """Grade each passage: a sentence of it answers, or it covers half of what is asked."""
    answering = {sentence.passage for sentence in ranked(question, passages)}
    weights = weigh(question, [_whole(passage) for passage in passages])
    rationale = f"{len(answering)} of {len(passages)} passages have a sentence that answers."
    grades: list[Literal["relevant", "partly", "irrelevant"]] = [
        "relevant"
        if passage.number in answering
        else "partly"
        if share(weights, _whole(passage)) >= ABOUT
        else "irrelevant"
        for passage in passages
    ]
    return RelevancyJudgement(rationale=rationale, grades=grades)


def attribution(*, question: str, evidence: str, passages: Sequence[Passage]) -> EvidenceJudgement:
    """Return whether the passages state the evidence, of several readings at least two."""
    pieces = [line for line in evidence.splitlines() if line.strip()]
    held = sum(any(states(piece, passage, question) for passage in passages) for piece in pieces)
    present = bool(pieces) and held >= min(READINGS, len(pieces))
    return EvidenceJudgement(
        rationale=f"{held} of {len(pieces)} pieces of evidence are stated in a passage.",
        label="present" if present else "absent",
    )


def answer_relevancy(*, question: str, response: str) -> StatementLabels:
    """Label the sentences of a response: an abstention, and what is on the matter, keep to it.

    Raises:
        ReplyError: the offline judge cannot tell how the response treats the question.
    """
    abstains = _label(verdict(question, response).label) in {"refused", "clarified"}
    weights, kinds = weigh(question, [stems(question)]), asked_kinds(question)
    fragment = len(response.split()) <= FRAGMENT
    found = telling(response)
    held = [
        abstains
        or fragment
        or share(weights, stems(sentence)) >= ABOUT / 2
        or bool(kinds and fits(sentence, kinds))
        for sentence in found
    ]
    return _labelled("Statements with words of the question keep to it.", found, held)


def faithfulness(*, response: str, passages: Sequence[Passage]) -> StatementLabels:
    """Label the sentences of a response: contradicted if a passage says otherwise."""
    found = telling(response)
    held = [all(contradiction(claim, each) is None for each in passages) for claim in found]
    rationale = "A claim is contradicted by the same words with another amount or a negation."
    return _labelled(rationale, found, held)


def contextual_precision(
    *, question: str, reference: str, passages: Sequence[Passage]
) -> PassageLabels:
    """Label the passages: each that states the reference, or a sentence of it."""
    parts = telling(reference)
    held = [any(states(part, passage, question) for part in parts) for passage in passages]
    return PassageLabels(
        rationale=f"{sum(held)} of {len(held)} passages state the reference, or a part of it.",
        labels=["yes" if label else "no" for label in held],
    )


def contextual_recall(
    *, question: str, reference: str, passages: Sequence[Passage]
) -> StatementLabels:
    """Label the sentences of the reference: whether a passage states them."""
    parts = telling(reference)
    held = [any(states(part, passage, question) for passage in passages) for part in parts]
    return _labelled("A statement is held if a sentence has its amounts and words.", parts, held)


def contextual_relevancy(*, question: str, passages: Sequence[Passage]) -> StatementLabels:
    """Label the sentences of the passages: whether they cover half of what is asked."""
    found = [sentence for passage in passages for sentence in telling(passage.text)]
    weights = weigh(question, [stems(sentence) for sentence in found])
    held = [share(weights, stems(sentence)) >= ABOUT for sentence in found]
    return _labelled("Sentences that cover half of the question speak to it.", found, held)


def _whole(passage: Passage) -> frozenset[str]:
    return stems(f"{passage.title} {passage.heading} {passage.text}")


def _labelled(rationale: str, found: Sequence[str], held: Sequence[bool]) -> StatementLabels:
    return StatementLabels(
        rationale=rationale,
        statements=[
            StatementLabel(statement=statement, label="yes" if label else "no")
            for statement, label in zip(found, held, strict=True)
        ],
    )


def _label(label: str) -> str:
    if label == "undecided":
        raise UndecidedError("the offline judge cannot decide on this response")
    return label
