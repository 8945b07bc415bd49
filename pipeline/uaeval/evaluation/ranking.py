"""Which of many runs over the same queries have a better joint score than which others."""

from collections.abc import Sequence
from itertools import combinations

from uaeval.evaluation.compare import Comparison, compare_items, corrected
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.standard import JOINT


def joint_comparisons(
    runs: Sequence[tuple[str, Sequence[QueryOutcomeRow]]], weights: tuple[float, float]
) -> tuple[Comparison, ...]:
    """Compare the joint scores of every two of `runs`, with Holm's correction over all of them.

    Every pair counts, so that the run which turns out best may be looked at without further ado.
    """
    return corrected(
        [
            next(one for one in compare_items(*first, *second, weights) if one.metric == JOINT.name)
            for first, second in combinations(runs, 2)
        ]
    )


def better_than(name: str, comparisons: Sequence[Comparison]) -> frozenset[str]:
    """Name the runs that `name` is significantly better than."""
    return frozenset(
        worse
        for one in comparisons
        if one.significant and one.difference is not None
        for better, worse in [_order(one, one.difference)]
        if better == name
    )


def _order(comparison: Comparison, difference: float) -> tuple[str, str]:
    runs = (comparison.first_run, comparison.second_run)
    return runs if difference < 0 else (runs[1], runs[0])
