"""Which runs are better than which, after correction for all that were compared."""

from collections.abc import Callable
from pathlib import Path

from tests.evaluation.folders import manifest_of
from tests.evaluation.records import both, control, response, unanswerable

from uaeval.evaluation.compare import Comparison, compare
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.items import read_items
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.records import Judgement, Query, Response
from uaeval.report.sweep import better_than

QUERIES = [each for n in range(40) for each in (unanswerable(n), control(n))]


def items(good: Callable[[int, Query], bool | None]) -> tuple[QueryOutcomeRow, ...]:
    """Judge a run that does well on the n-th pair or not; `None` gives no response."""
    responses: list[Response] = []
    judgements: list[Judgement] = []
    for place, query in enumerate(QUERIES):
        well = good(place // 2, query)
        if well is None:
            continue
        responses.append(response(query))
        verdict = "answered" if query.answerable else "refused" if well else "answered"
        judgements += both(query, verdict, "yes" if well else "no")
    return read_items(QUERIES, responses, judgements)


BEST = items(lambda n, _: n % 10 != 0)
NEXT = items(lambda n, _: n % 10 != 0 and n != 1)
WORST = items(lambda n, _: n % 4 == 0)
CRASHED = items(lambda _n, _q: None)


def joint_comparisons(**runs: tuple[QueryOutcomeRow, ...]) -> tuple[Comparison, ...]:
    """Compare the joint scores of runs, given the outcome of each query, by name."""
    evaluations = []
    for name, outcomes in runs.items():
        evaluation = Evaluation(folder=Path(name), manifest=manifest_of(QUERIES))
        vars(evaluation)["items"] = outcomes
        evaluations.append(evaluation)
    return compare(evaluations, primary_only=True)


def test_clear_differences_are_marked_and_small_ones_are_not() -> None:
    found = joint_comparisons(best=BEST, next=NEXT, worst=WORST)
    assert [(one.first_run, one.second_run) for one in found] == [
        ("best", "next"),
        ("best", "worst"),
        ("next", "worst"),
    ]
    assert better_than("best", found) == {"worst"}
    assert better_than("next", found) == {"worst"}
    assert better_than("worst", found) == frozenset()
    adjusted = [one.adjusted for one in found]
    raw = [one.p_value for one in found]
    assert all(
        a is not None and p is not None and a >= p for a, p in zip(adjusted, raw, strict=True)
    )


def test_a_run_that_crashed_is_compared_with_nothing_and_better_than_none() -> None:
    found = joint_comparisons(worst=WORST, crashed=CRASHED)
    [one] = found
    assert (one.difference, one.p_value, one.adjusted) == (None, None, None)
    assert better_than("worst", found) == better_than("crashed", found) == frozenset()


def test_equal_runs_do_not_differ() -> None:
    [one] = joint_comparisons(a=BEST, b=BEST)
    assert (one.difference, one.adjusted, one.significant) == (0.0, 1.0, False)
