"""Select the passages that a verifier is shown, and turn its reply into evidence on each claim."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from uaeval.categories.numbered_passages import NumberedPassages, in_turns
from uaeval.errors import ReplyError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import ClaimCheck, ClaimStances, Naturalness, TwinCheck
from uaeval.records import Candidate, Chunk, Evidence, Outcome, Reading, Twin

FOR_TWIN = 0.75
"""Share of the usual number of passages that a verifier is shown if they only concern the twin.
Measured on 266 candidates of the offline engine over two knowledge bases: 6 passages were enough to
refute every twin that any of 40 passages really contradicts, and the twins that only 8 or more
passages refuted were false alarms."""
Unsuitable = Literal["modality_limited", "safety_concerned", "inconclusive"]
"""Labels of a query that belongs to another category, or that the passages cannot decide."""


@dataclass(frozen=True, slots=True)
class VerifierContext:
    """The index and the model behind a verification."""

    retriever: Retriever
    model: Model
    modalities: str
    """What the system under test supports."""
    passages_shown: int

    def shown(
        self, candidate: Candidate, *claims: str, beside: Sequence[Chunk] = (), limit: int = 0
    ) -> NumberedPassages:
        """Return the best hits for query, twin and `claims`, the twin's chunk, and `beside`."""
        texts = (candidate.question, candidate.twin.question, *claims)
        source = self.retriever.get(candidate.twin.chunk_id)
        return self.search(texts, source, limit or self.passages_shown, beside)

    def shown_for_twin(self, candidate: Candidate) -> NumberedPassages:
        """Return the passages for a candidate whose only claim on passages is that of the twin."""
        return self.shown(candidate, limit=self.enough_for_twin)

    def search(
        self, texts: Sequence[str], always: Chunk, limit: int, beside: Sequence[Chunk] = ()
    ) -> NumberedPassages:
        """Return the best hits of all texts in the whole knowledge base, `always` and `beside`."""
        searches = [self.retriever.search(text, limit) for text in texts]
        return in_turns([[hit.chunk for hit in hits] for hits in searches], always, limit, beside)

    @property
    def enough_for_twin(self) -> int:
        """Number of passages that are shown if only the claim of the twin is checked."""
        return math.ceil(FOR_TWIN * self.passages_shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierResult:
    """The result of a verification, in one form for all categories."""

    label: str
    rationale: str
    evidence: tuple[Evidence, ...] = ()
    twin: Evidence | None = None
    """`None` if the query was rejected before its twin was checked."""
    one_subject: bool = True
    """Whether query and twin are about one thing; otherwise other pairs are preferred."""
    natural: Naturalness = None
    """Other pairs are preferred to one whose query is odd or contrived."""


class _Verification(Protocol):
    """What the replies about a query and its twin have in common."""

    @property
    def label(self) -> str: ...
    @property
    def rationale(self) -> str: ...
    @property
    def twin(self) -> TwinCheck: ...


def result_of(
    candidate: Candidate, reply: _Verification, shown: NumberedPassages, *evidence: Evidence
) -> VerifierResult:
    """Return a reply's result, with the `evidence` on the query and that on the twin."""
    return VerifierResult(
        label=reply.label,
        rationale=reply.rationale,
        evidence=evidence,
        twin=twin_evidence(candidate.twin, reply.twin, shown),
        natural=getattr(reply, "natural", None),
    )


def twin_evidence(twin: Twin, check: TwinCheck | ClaimCheck, shown: NumberedPassages) -> Evidence:
    """Return the evidence on a twin.

    The twin is proven if its question can be understood alone, its chunk supports the answer, and
    no passage contradicts it.
    """
    supported = twin.chunk_id in shown.ids(check.supports)
    outcome = Outcome.PROVEN if supported and check.stands_alone else Outcome.INCONCLUSIVE
    if check.contradicts:
        outcome = Outcome.REFUTED
    return evidence_on(claim_of(twin.question, twin.reference_answer), outcome, check, shown)


def reading_evidence(reading: Reading, check: ClaimCheck, shown: NumberedPassages) -> Evidence:
    """Return the evidence on a reading, which is proven if its own chunk supports the answer."""
    supported = reading.chunk_id in shown.ids(check.supports)
    outcome = Outcome.PROVEN if supported else Outcome.INCONCLUSIVE
    return evidence_on(claim_of(reading.question, reading.answer), outcome, check, shown)


def evidence_on(
    claim: str,
    outcome: Outcome,
    stances: ClaimStances | ClaimCheck | TwinCheck,
    shown: NumberedPassages,
) -> Evidence:
    """Return the evidence on a claim, with the ids of the chunks of each stance.

    Raise `ReplyError` if a passage both supports and contradicts, or was not shown.
    """
    if both := sorted(set(stances.supports) & set(stances.contradicts)):
        raise ReplyError(f"passages {both} both support and contradict: {claim}")
    supports, contradicts = shown.ids(stances.supports), shown.ids(stances.contradicts)
    speaking = {*supports, *contradicts}
    silent = tuple(chunk.id for chunk in shown.chunks if chunk.id not in speaking)
    return Evidence(
        claim=claim, outcome=outcome, supports=supports, contradicts=contradicts, silent=silent
    )


def claim_of(question: str, answer: str) -> str:
    """Return the text of the claim that a question has this answer."""
    return f"{question} — {answer}"
