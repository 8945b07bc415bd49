import pytest

from uaeval.errors import ModelError, PendingReply, UaevalError
from uaeval.records import (
    Candidate,
    Check,
    Evidence,
    Outcome,
    Rejection,
    Twin,
)
from uaeval.synthesis.verify import Panel, Proven, Verifying

CANDIDATE = Candidate(
    id="nonsensical-0001",
    category="nonsensical",
    subtype="illogical",
    question="how many hours tall is a leave?",
    reason="A leave has no height.",
    twin=Twin(question="How long?", reference_answer="a week", chunk_id="a#0", quote="a week"),
    source_chunk_id="a#0",
)


def proving(rationale: str = "sound") -> Verifying:
    async def verify(candidate: Candidate) -> Proven | Rejection:
        return Proven(
            id=candidate.id,
            candidate=candidate,
            query_evidence=(),
            twin_evidence=Evidence(claim="c", outcome=Outcome.PROVEN),
            checks=(Check(name="verifier", passed=True, rationale=rationale),),
            hardness=0.5,
        )

    return verify


def rejecting(check: str) -> Verifying:
    async def verify(candidate: Candidate) -> Proven | Rejection:
        return Rejection(id=candidate.id, check=check, rationale="It reads well.")

    return verify


def failing(error: UaevalError) -> Verifying:
    async def verify(candidate: Candidate) -> Proven | Rejection:
        raise error

    return verify


async def test_a_single_voter_decides_and_records_no_votes() -> None:
    assert await Panel((proving(),))(CANDIDATE) == await proving()(CANDIDATE)
    rejection = await rejecting("repair_is_answered")(CANDIDATE)
    assert await Panel((rejecting("repair_is_answered"),))(CANDIDATE) == rejection


async def test_a_query_proven_by_more_than_half_is_released_with_the_votes() -> None:
    members = (rejecting("repair_is_answered"), proving("first"), proving("second"))
    outcome = await Panel(members)(CANDIDATE)
    assert isinstance(outcome, Proven)
    assert [(check.name, check.rationale) for check in outcome.checks] == [
        ("verifier", "first"),
        ("majority", "votes: proven 2, repair_is_answered 1"),
    ]


async def test_a_query_rejected_by_more_than_half_gets_their_reason() -> None:
    members = (proving(), rejecting("twin"), rejecting("twin"))
    outcome = await Panel(members)(CANDIDATE)
    assert isinstance(outcome, Rejection)
    assert outcome.check == "twin"
    assert outcome.rationale == "It reads well. (votes: twin 2, proven 1)"


@pytest.mark.parametrize(
    "members",
    [
        (proving(), rejecting("twin")),
        (proving(), rejecting("twin"), rejecting("proof")),
        (proving(), proving(), rejecting("twin"), rejecting("twin")),
    ],
)
async def test_without_a_majority_a_candidate_is_rejected(members: tuple[Verifying, ...]) -> None:
    outcome = await Panel(members)(CANDIDATE)
    assert isinstance(outcome, Rejection)
    assert outcome.check == "no_majority"
    assert outcome.rationale.startswith("no outcome has a majority: ")


@pytest.mark.parametrize("error", [ModelError("the line is dead"), PendingReply("later")])
async def test_a_judge_that_could_not_be_asked_has_no_vote(
    error: UaevalError,
) -> None:
    with pytest.raises(type(error)):
        await Panel((proving(), proving(), failing(error)))(CANDIDATE)
