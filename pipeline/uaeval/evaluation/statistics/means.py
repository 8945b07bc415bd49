"""A mean of scores in [0, 1] over items of which some could not be scored."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uaeval.evaluation.statistics.intervals import RELIABLE_CLUSTERS, Interval, cluster_bootstrap
from uaeval.evaluation.statistics.statistic import rates
from uaeval.types import Score


class Measurement(NamedTuple):
    """The score of one item, in [0, 1]; `None` when it could not be found out."""

    document: str
    value: float | None


def mean_score(
    metric: str,
    group: str,
    measurements: Sequence[Measurement],
    *,
    lower_is_better: bool = False,
) -> Score:
    """Score the mean of what could be measured; its bounds count errors as 0 and as 1."""
    known = [(seen.document, seen.value) for seen in measurements if seen.value is not None]
    values = [value for _, value in known]
    documents = [document for document, _ in known]
    n, clusters = len(measurements), len(set(documents))
    total, errors = math.fsum(values), n - len(known)
    interval = _interval(values, documents) if known else None
    least, most = (total / n, (total + errors) / n) if n else (None, None)
    return Score(
        metric=metric,
        group=group,
        value=total / len(known) if known else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        n=n,
        judged=len(known),
        errors=errors,
        worst=most if lower_is_better else least,
        best=least if lower_is_better else most,
        clusters=clusters,
        reliable=(
            interval is not None and interval.low < interval.high and clusters >= RELIABLE_CLUSTERS
        ),
    )


def _interval(values: Sequence[float], documents: Sequence[str]) -> Interval:
    order = sorted(range(len(values)), key=lambda place: (documents[place], values[place]))
    columns = np.array([[values[place], 1.0] for place in order])
    (interval,) = cluster_bootstrap(
        columns, [documents[place] for place in order], rates
    ).intervals()
    return interval
