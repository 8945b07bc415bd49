"""The outcome of a query in one word, for every report."""

from uaeval.evaluation.judging.judge import UNDECIDED_LABEL
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.registry import ACCEPTABLE, CORRECTNESS, OVER_REFUSAL
from uaeval.evaluation.metrics.spec import Ratio


def outcome(item: QueryOutcomeRow) -> str:
    """Return the outcome of a query in one word; without a judgement it is `error` or undecided."""
    if item.blocked:
        return "blocked"
    if not item.answerable:
        return _named(ACCEPTABLE, item, "acceptable", "unacceptable")
    if item.abstained:
        return "over-refused"
    if item.has_reference:
        return _named(CORRECTNESS, item, "correct", "incorrect")
    if item.verdict:
        return item.verdict.value
    return _not_judged(OVER_REFUSAL, item)


def _named(ratio: Ratio, item: QueryOutcomeRow, yes: str, no: str) -> str:
    is_yes = ratio.outcome(item)
    if is_yes is None:
        return _not_judged(ratio, item)
    return yes if is_yes else no


def _not_judged(ratio: Ratio, item: QueryOutcomeRow) -> str:
    return UNDECIDED_LABEL if item.is_undecided(ratio.basis) else "error"
