"""What a verifier is shown of a candidate, and the evidence that its reply gives on each claim."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, Self

from uaeval.categories.numbered_passages import NumberedPassages, in_turns
from uaeval.errors import ReplyError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import ClaimCheck, ClaimStances, TwinCheck
from uaeval.records import Candidate, Chunk, Evidence, Outcome, Twin

FOR_TWIN = 0.75
"""The share of a verifier's passages that is shown if they only concern the twin. Of 266 candidates
of the offline engine over two knowledge bases, 6 passages refuted every twin that one of 40
passages really contradicts; what only 8 or more refuted were false alarms."""
Unsuitable = Literal["modality_limited", "safety_concerned", "inconclusive"]
"""Labels of a query that another category claims, or about which the passages decide nothing."""


@dataclass(frozen=True, slots=True)
class VerifierContext:
    """The index and the model behind a verification."""

    retriever: Retriever
    model: Model
    modalities: str
    """What the system under test supports."""
    passages_shown: int

    def shown(
        self,
        candidate: Candidate,
        *claims: str,
        limit: int | None = None,
        beside: Sequence[Chunk] = (),
    ) -> NumberedPassages:
        """Show the best hits for the query, its twin and its claims, the twin's chunk, `beside`."""
        texts = (candidate.question, candidate.twin.question, *claims)
        source = self.retriever.get(candidate.twin.chunk_id)
        return self.search(texts, source, limit or self.passages_shown, beside)

    def shown_for_twin(self, candidate: Candidate) -> NumberedPassages:
        """Show fewer hits, where the passages tell on no claim but the twin's."""
        return self.shown(candidate, limit=self.enough_for_twin)

    def search(
        self, texts: Sequence[str], always: Chunk, limit: int, beside: Sequence[Chunk] = ()
    ) -> NumberedPassages:
        """Show the best hits of all texts in the whole knowledge base, `always` and `beside`."""
        searches = self.retriever.search_many(texts, limit)
        return in_turns([[hit.chunk for hit in hits] for hits in searches], always, limit, beside)

    @property
    def enough_for_twin(self) -> int:
        """How many passages are shown where no claim but the twin's is checked."""
        return math.ceil(FOR_TWIN * self.passages_shown)


class AnsweredBy(NamedTuple):
    """A claim that a chunk answers a question in this way."""

    question: str
    answer: str
    chunk_id: str

    @classmethod
    def twin(cls, twin: Twin) -> Self:
        """Return the claim of a twin."""
        return cls(twin.question, twin.reference_answer, twin.chunk_id)

    @property
    def claim(self) -> str:
        """The claim in words."""
        return claim_of(self.question, self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierResult:
    """The result of a verification, in one form for all categories."""

    label: str
    rationale: str
    evidence: tuple[Evidence, ...] = ()
    twin: Evidence | None = None
    """`None` if the query was rejected before its twin was checked."""


class _Verification(Protocol):
    """The common part of the replies about a query and its twin."""

    @property
    def label(self) -> str: ...
    @property
    def rationale(self) -> str: ...
    @property
    def twin(self) -> TwinCheck: ...


def result_of(
    candidate: Candidate, reply: _Verification, shown: NumberedPassages, *evidence: Evidence
) -> VerifierResult:
    """Return the result of a reply, with the evidence on the query, and that on the twin.

    Raises:
        ReplyError: see `evidence_on`.
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
    supported = twin.chunk_id in shown.ids(check.supports)
    if check.contradicts:
        outcome = Outcome.REFUTED
    else:
        outcome = Outcome.PROVEN if supported and check.stands_alone else Outcome.MURKY
    return evidence_on(twin.claim, outcome, check, shown)


def reading_evidence(reading: AnsweredBy, check: ClaimCheck, shown: NumberedPassages) -> Evidence:
    """Proven if its own chunk supports the answer, whatever others say.

    Raises:
        ReplyError: see `evidence_on`.
    """
    supported = reading.chunk_id in shown.ids(check.supports)
    outcome = Outcome.PROVEN if supported else Outcome.MURKY
    return evidence_on(reading.claim, outcome, check, shown)


def evidence_on(
    claim: str,
    outcome: Outcome,
    stances: ClaimStances | ClaimCheck | TwinCheck,
    shown: NumberedPassages,
) -> Evidence:
    """Return the evidence on a claim, with the chunks of each stance.

    Raises:
        ReplyError: a passage both supports and contradicts, or was not shown.
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
    """Return the claim that this answers a question."""
    return f"{question} — {answer}"
