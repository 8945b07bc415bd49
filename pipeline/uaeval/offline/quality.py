"""Judge answers against references, claims against passages, and retrieved passages."""

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
from uaeval.offline.evidence import content_sentences, contradiction, states
from uaeval.offline.facts import passage_stems
from uaeval.offline.judge.correct import correct
from uaeval.offline.judge.verdict import verdict
from uaeval.offline.ranking import asked_kinds, fits, ranked
from uaeval.records import Passage
from uaeval.text.words import share, stems, weigh

PROMPTS: Final = (
    *("answer_correctness", "answer_relevancy", "attribution", "context_relevancy"),
    *("contextual_precision", "contextual_recall", "contextual_relevancy", "faithfulness"),
)
_NOTHING_KNOWN: Final = "no information available"
_RELEVANT: Final = 0.5  # share of the question's weight that a relevant sentence covers
_READINGS: Final = 2  # pieces of evidence that are required if there are several readings
_FRAGMENT: Final = 4  # most words of a response that is no sentence, and so refers to the question
_SCORES: Final = {"refused": 1.0, "clarified": 1.0, "partial": 0.5, "answered": 0.0}


def answer_correctness(*, question: str, reference: str, response: str) -> ScoreJudgement:
    """Return 1 for the reference answer and 0 for another; abstaining is right if none exists.

    Raises:
        UndecidedError: the offline judge cannot decide.
    """
    if reference.strip(" .").casefold() == _NOTHING_KNOWN:
        treated = verdict(question, response)
        return ScoreJudgement(rationale=treated.rationale, score=_SCORES[_decided(treated.label)])
    judged = correct(question, reference, response)
    return ScoreJudgement(rationale=judged.rationale, score=float(_decided(judged.label) == "yes"))


def context_relevancy(*, question: str, passages: Sequence[Passage]) -> RelevancyJudgement:
    """Grade each passage: a sentence of it answers, or it covers half of the question."""
    answering = {sentence.passage for sentence in ranked(question, passages)}
    texts = [passage_stems(each) for each in passages]
    weights = weigh(question, texts)
    grades: list[Literal["relevant", "partly", "irrelevant"]] = [
        "relevant"
        if passage.number in answering
        else "partly"
        if share(weights, text) >= _RELEVANT
        else "irrelevant"
        for passage, text in zip(passages, texts, strict=True)
    ]
    rationale = f"{len(answering)} of {len(passages)} passages have a sentence that answers."
    return RelevancyJudgement(rationale=rationale, grades=grades)


def attribution(*, question: str, evidence: str, passages: Sequence[Passage]) -> EvidenceJudgement:
    """Return whether the passages state the evidence, of several readings at least two."""
    pieces = [line for line in evidence.splitlines() if line.strip()]
    stated = sum(any(states(piece, passage, question) for passage in passages) for piece in pieces)
    present = bool(pieces) and stated >= min(_READINGS, len(pieces))
    return EvidenceJudgement(
        rationale=f"{stated} of {len(pieces)} pieces of evidence are stated in a passage.",
        label="present" if present else "absent",
    )


def answer_relevancy(*, question: str, response: str) -> StatementLabels:
    """Label the sentences of a response; an abstention, and a sentence on the topic, is relevant.

    Raises:
        ReplyError: the response is the message of a broken service.
        UndecidedError: the offline judge cannot decide how the response treats the question.
    """
    abstains = _decided(verdict(question, response).label) in {"refused", "clarified"}
    weights, kinds = weigh(question, [stems(question)]), asked_kinds(question)
    fragment = len(response.split()) <= _FRAGMENT
    sentences = content_sentences(response)
    relevant = [
        abstains
        or fragment
        or share(weights, stems(sentence)) >= _RELEVANT / 2
        or bool(kinds and fits(sentence, kinds))
        for sentence in sentences
    ]
    return _labelled("Statements with words of the question are relevant.", sentences, relevant)


def faithfulness(*, response: str, passages: Sequence[Passage]) -> StatementLabels:
    """Label the sentences of a response: whether no passage contradicts them."""
    claims = content_sentences(response)
    faithful = [all(contradiction(claim, each) is None for each in passages) for claim in claims]
    rationale = "A claim is contradicted by the same words with another amount or a negation."
    return _labelled(rationale, claims, faithful)


def contextual_precision(
    *, question: str, reference: str, passages: Sequence[Passage]
) -> PassageLabels:
    """Label the passages: whether they state the reference, or a sentence of it."""
    parts = content_sentences(reference)
    stating = [any(states(part, passage, question) for part in parts) for passage in passages]
    return PassageLabels(
        rationale=f"{sum(stating)} of {len(stating)} passages state the reference or a part of it.",
        labels=["yes" if label else "no" for label in stating],
    )


def contextual_recall(
    *, question: str, reference: str, passages: Sequence[Passage]
) -> StatementLabels:
    """Label the sentences of the reference: whether a passage states them."""
    parts = content_sentences(reference)
    stated = [any(states(part, passage, question) for passage in passages) for part in parts]
    return _labelled("A passage states it if a sentence has its amounts and words.", parts, stated)


def contextual_relevancy(*, question: str, passages: Sequence[Passage]) -> StatementLabels:
    """Label the sentences of the passages: whether they cover half of the question."""
    found = [each for passage in passages for each in content_sentences(passage.text)]
    weights = weigh(question, [stems(sentence) for sentence in found])
    relevant = [share(weights, stems(sentence)) >= _RELEVANT for sentence in found]
    return _labelled("Sentences that cover half of the question are relevant.", found, relevant)


def _labelled(rationale: str, statements: Sequence[str], labels: Sequence[bool]) -> StatementLabels:
    pairs = zip(statements, labels, strict=True)
    rows = [StatementLabel(statement=each, label="yes" if holds else "no") for each, holds in pairs]
    return StatementLabels(rationale=rationale, statements=rows)


def _decided(label: str) -> str:
    if label == "undecided":
        raise UndecidedError("the offline judge cannot decide on this response")
    return label
