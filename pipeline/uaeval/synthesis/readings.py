"""Whether the readings of an underspecified query are answered as stated, and its twin too."""

from collections.abc import Sequence
from typing import TypeAlias

from uaeval.errors import ReplyError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import ClaimCheck, ReadingsVerification
from uaeval.synthesis.checks import answers_differ, readings_that_hold
from uaeval.synthesis.evidence import AnsweredBy, reading_evidence, twin_evidence
from uaeval.synthesis.numbered_passages import NumberedPassages, enough_for_twin, evidence_for
from uaeval.types import Candidate, Claim, Evidence, Outcome

TwinAndReadings: TypeAlias = tuple[Evidence, tuple[Evidence, ...]]


async def prove_readings(
    candidate: Candidate, retriever: Retriever, model: Model, passages_shown: int
) -> TwinAndReadings:
    """Ask once whether the twin, and each reading, is answered as stated by its own chunk.

    Returns the evidence on the twin, and on the readings that are proven; on all of them if the
    answers of the proven ones do not differ. That another chunk answers a reading otherwise makes
    the query no less ambiguous; the twin has to hold against all that is found.

    Raises:
        RecordError: the verifier could not be asked, or replied out of form.
        Pending: the verifier's answer is not there yet.
    """
    held = readings_that_hold(candidate, retriever, passages_shown)
    readings = [AnsweredBy(one.question, one.answer, one.chunk_id) for one in held]
    twin = AnsweredBy.twin(candidate.twin)
    answered = tuple(dict.fromkeys((twin, *readings)))
    shown = _shown(answered, retriever, enough_for_twin(passages_shown))

    def read(reply: ReadingsVerification) -> TwinAndReadings:
        checks = dict(zip(answered, _in_turn(reply.claims, len(answered)), strict=True))
        found = [reading_evidence(one, checks[one], shown) for one in readings]
        proven = [evidence.outcome is Outcome.PROVEN for evidence in found]
        differ = answers_differ([one for one, holds in zip(held, proven, strict=True) if holds])
        kept = [one for one, holds in zip(found, proven, strict=True) if holds or not differ]
        return twin_evidence(twin, checks[twin], shown), tuple(kept)

    return await model.ask(
        "underspecified/verify_readings",
        ReadingsVerification,
        read,
        claims=tuple(
            Claim(number=number, question=one.question, answer=one.answer)
            for number, one in enumerate(answered, 1)
        ),
        passages=shown.passages,
    )


def _shown(answered: Sequence[AnsweredBy], retriever: Retriever, limit: int) -> NumberedPassages:
    """Show the best hits for the twin, which comes first, and the own chunk of each reading."""
    own = [retriever.chunk(one.chunk_id) for one in answered]
    return evidence_for(retriever, [answered[0].question], own[0], limit, beside=own[1:])


def _in_turn(checks: Sequence[ClaimCheck], claims: int) -> Sequence[ClaimCheck]:
    """Return one check for each claim.

    Raises:
        ReplyError: the reply leaves a claim out, or has another order.
    """
    numbers = [one.claim for one in checks]
    if numbers != list(range(1, claims + 1)):
        raise ReplyError(f"there are claims 1 to {claims}, and the reply is about {numbers}")
    return checks
