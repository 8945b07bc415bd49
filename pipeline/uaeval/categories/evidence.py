"""From a verifier's reply to evidence: what each passage shown says about one claim."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.errors import ReplyError
from uaeval.llm.replies import ClaimCheck, ClaimStances, TwinCheck
from uaeval.types import Candidate, Evidence, Outcome, Twin


class AnsweredBy(NamedTuple):
    """A question that a chunk is said to answer so."""

    question: str
    answer: str
    chunk_id: str

    @classmethod
    def twin(cls, twin: Twin) -> Self:
        """Return what a twin says."""
        return cls(twin.question, twin.reference_answer, twin.chunk_id)

    @property
    def claim(self) -> str:
        """Put it in words."""
        return claim_of(self.question, self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierResult:
    """What a category's verifier said, in one form for all categories."""

    label: str
    rationale: str
    evidence: tuple[Evidence, ...]
    twin: Evidence | None
    """`None` when the verifier turned the query down before its twin was looked at."""


class _Verification(Protocol):
    """What the replies of all verifiers but one have in common."""

    @property
    def label(self) -> str: ...
    @property
    def rationale(self) -> str: ...
    @property
    def twin(self) -> TwinCheck: ...


def finding_of(
    candidate: Candidate,
    reply: _Verification,
    evidence: tuple[Evidence, ...],
    shown: NumberedPassages,
) -> VerifierResult:
    """Bring what a verifier said of a candidate, and of its twin, into one form.

    Raises:
        ReplyError: what it says of the twin cannot be.
    """
    return VerifierResult(
        label=reply.label,
        rationale=reply.rationale,
        evidence=evidence,
        twin=twin_evidence(AnsweredBy.twin(candidate.twin), reply.twin, shown),
    )


def twin_evidence(
    twin: AnsweredBy, check: TwinCheck | ClaimCheck, shown: NumberedPassages
) -> Evidence:
    """Proven if the question stands alone, its chunk supports the answer and no hit contradicts.

    Raises:
        ReplyError: see `evidence_on`.
    """
    stances = ClaimStances(supports=check.supports, contradicts=check.contradicts)
    supported = twin.chunk_id in shown.ids(check.supports)
    if check.contradicts:
        outcome = Outcome.REFUTED
    else:
        outcome = Outcome.PROVEN if supported and check.stands_alone else Outcome.MURKY
    return evidence_on(twin.claim, outcome, stances, shown)


def reading_evidence(reading: AnsweredBy, check: ClaimCheck, shown: NumberedPassages) -> Evidence:
    """Proven if its own chunk supports the answer, whatever others say.

    Raises:
        ReplyError: see `evidence_on`.
    """
    stances = ClaimStances(supports=check.supports, contradicts=check.contradicts)
    supported = reading.chunk_id in shown.ids(check.supports)
    outcome = Outcome.PROVEN if supported else Outcome.MURKY
    return evidence_on(reading.claim, outcome, stances, shown)


def evidence_on(
    claim: str, outcome: Outcome, stances: ClaimStances, shown: NumberedPassages
) -> Evidence:
    """Name the chunks of each stance.

    Raises:
        ReplyError: one passage is said both to support and to contradict, or was not shown.
    """
    both = sorted(set(stances.supports) & set(stances.contradicts))
    if both:
        raise ReplyError(f"passages {both} both support and contradict: {claim}")
    supports, contradicts = shown.ids(stances.supports), shown.ids(stances.contradicts)
    taken = {*supports, *contradicts}
    silent = tuple(chunk.id for chunk in shown.chunks if chunk.id not in taken)
    return Evidence(
        claim=claim, outcome=outcome, supports=supports, contradicts=contradicts, silent=silent
    )


def claim_of(question: str, answer: str) -> str:
    """Return the claim that a question is answered so."""
    return f"{question} — {answer}"
