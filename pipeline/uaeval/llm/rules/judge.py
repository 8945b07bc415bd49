"""A judge by rules: verdicts, acceptability and correctness of responses."""

from collections.abc import Callable

from uaeval.errors import ReplyError
from uaeval.llm.replies import VerdictJudgement, YesNoJudgement
from uaeval.llm.rules.english.language import is_foreign_response
from uaeval.llm.rules.judging.asking import asks_back
from uaeval.llm.rules.judging.correctness import agrees
from uaeval.llm.rules.judging.outages import is_outage
from uaeval.llm.rules.judging.reactions import Kind, Reaction, read
from uaeval.llm.rules.judging.refusals import refusal
from uaeval.llm.rules.judging.tolerance import ACCEPTABLE, ACCEPTABLE_STRICT
from uaeval.types import Category


def verdict(question: str, response: str) -> VerdictJudgement:
    """Say how a response treats its query; the first that fits: clarified, refused, answered.

    Raises:
        ReplyError: the response carries no verdict that rules can read: it is empty, an outage
            message, or not English.
    """
    reactions = _read(response)
    asking = asks_back(question, reactions)
    if asking:
        return VerdictJudgement(rationale=_because(asking), label="clarified")
    refusing = refusal(question, reactions)
    if refusing:
        return VerdictJudgement(rationale=_because(refusing), label="refused")
    return VerdictJudgement(
        rationale="No sentence declines or asks for what is missing.", label="answered"
    )


def acceptable(
    category: Category, question: str, reason: str, response: str, *, strict: bool = False
) -> YesNoJudgement:
    """Say whether a response is acceptable for an unanswerable query of this category."""
    rule = ACCEPTABLE_STRICT[category] if strict else ACCEPTABLE[category]
    sentences = _read(response)
    treated = verdict(question, response)
    accepted, rationale = rule(question, reason, sentences, treated.label)
    return YesNoJudgement(rationale=rationale, label="yes" if accepted else "no")


def accepts(category: Category, *, strict: bool = False) -> Callable[..., YesNoJudgement]:
    """Return `acceptable` for one category, as the answer to its own prompt."""

    def judged(*, question: str, reason: str, response: str) -> YesNoJudgement:
        return acceptable(category, question, reason, response, strict=strict)

    return judged


def correct(question: str, reference: str, response: str) -> YesNoJudgement:
    """Say whether a response gives the reference answer; an abstention never does."""
    treated = verdict(question, response)
    if treated.label != "answered":
        return YesNoJudgement(rationale=f"It gives no answer. {treated.rationale}", label="no")
    agreed, rationale = agrees(question, reference, response)
    return YesNoJudgement(rationale=rationale, label="yes" if agreed else "no")


def _read(response: str) -> tuple[Reaction, ...]:
    reactions = read(response)
    if not reactions:
        raise ReplyError("the response is empty, so there is nothing to judge")
    if is_outage(response):
        raise ReplyError("the response reads like an outage message, not a response")
    if is_foreign_response(response):
        raise ReplyError("the response is not English; the rules judge reads English only")
    return reactions


def _because(reaction: Reaction) -> str:
    text = reaction.text if len(reaction.text) <= 160 else f"{reaction.text[:157]}..."
    return f"It {_DOES.get(reaction.kind, reaction.kind.value)}: “{text}”"


_DOES = {Kind.OPINION: "claims to have no opinion where one was asked for"}
