"""A judge by rules of answers against references, and of the passages that were retrieved."""

from collections.abc import Sequence

from uaeval.llm.replies import EvidenceJudgement, RelevancyJudgement, ScoreJudgement
from uaeval.llm.rules import judge, rag
from uaeval.llm.rules.english.grammar import content
from uaeval.llm.rules.judging.correctness import agrees
from uaeval.types import Passage

_NOTHING_KNOWN = "no information available"
_RELATED = 0.5
"""Share of the question's content words that a passage about its matter has."""
_READINGS = 2


def answer_correctness(question: str, reference: str, response: str) -> ScoreJudgement:
    """Say whether a response gives the reference answer: 1 or 0, nothing between.

    Where the reference says that nothing is known, a response that abstains is right.

    Raises:
        ReplyError: the response cannot be read by rules.
    """
    if reference.strip(" .").casefold() == _NOTHING_KNOWN:
        treated = judge.verdict(question, response)
        return ScoreJudgement(rationale=treated.rationale, score=float(treated.label != "answered"))
    judged = judge.correct(question, reference, response)
    return ScoreJudgement(rationale=judged.rationale, score=float(judged.label == "yes"))


def context_relevancy(question: str, passages: Sequence[Passage]) -> RelevancyJudgement:
    """Grade each passage: whether a sentence answers the question, or shares half its words."""
    grades = [_grade(question, passage) for passage in passages]
    return RelevancyJudgement.model_validate(
        {
            "rationale": f"{grades.count('relevant')} of {len(grades)} have a fitting sentence.",
            "grades": grades,
        }
    )


def _grade(question: str, passage: Passage) -> str:
    if rag.answer(question=question, passages=[passage]).answer not in rag.DECLINED:
        return "relevant"
    asked = content(question)
    shared = len(asked & content(f"{passage.title} {passage.heading} {passage.text}"))
    return "partly" if asked and shared >= _RELATED * len(asked) else "irrelevant"


def attribution(question: str, evidence: str, passages: Sequence[Passage]) -> EvidenceJudgement:
    """Say whether a passage states the evidence; of several pieces, one a line, two will do."""
    pieces = [line for line in evidence.splitlines() if line.strip()]
    found = [piece for piece in pieces if any(_says(passage, piece) for passage in passages)]
    needed = min(_READINGS, len(pieces))
    label = "present" if pieces and len(found) >= needed else "absent"
    return EvidenceJudgement.model_validate(
        {
            "rationale": f"{len(found)} of {len(pieces)} pieces of evidence stand in a passage.",
            "label": label,
        }
    )


def _says(passage: Passage, piece: str) -> bool:
    agreed, _ = agrees("", piece, passage.text)
    return agreed
