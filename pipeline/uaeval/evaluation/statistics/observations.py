"""A proportion over items of which some could not be judged."""

from collections.abc import Sequence
from typing import NamedTuple

from uaeval.evaluation.statistics.intervals import RELIABLE_CLUSTERS, proportion_interval
from uaeval.types import Score


class Observation(NamedTuple):
    """Whether one item counts, or its score in [0, 1]; `None` where that is not known."""

    document: str
    outcome: float | None
    undecided: bool = False
    """Whether the outcome is unknown because the judge could not tell; else it is an error."""


def documents(observations: Sequence[Observation]) -> frozenset[str]:
    """Name the documents behind the judged observations."""
    return frozenset(seen.document for seen in observations if seen.outcome is not None)


def proportion_score(
    metric: str, group: str, observations: Sequence[Observation], *, lower_is_better: bool = False
) -> Score:
    """Score the share of the judged observations that count."""
    judged = [seen for seen in observations if seen.outcome is not None]
    outcomes = [bool(seen.outcome) for seen in judged]
    n, unknown, hits = len(observations), len(observations) - len(judged), sum(outcomes)
    undecided = sum(seen.undecided for seen in observations)
    clusters = len(documents(judged))
    interval = proportion_interval(outcomes, [seen.document for seen in judged]) if judged else None
    least, most = (hits / n, (hits + unknown) / n) if n else (None, None)
    return Score(
        metric=metric,
        group=group,
        value=hits / len(judged) if judged else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        n=n,
        judged=len(judged),
        errors=unknown - undecided,
        undecided=undecided,
        worst=most if lower_is_better else least,
        best=least if lower_is_better else most,
        clusters=clusters,
        reliable=clusters >= RELIABLE_CLUSTERS,
    )
