"""A stratified sample of judgements for people to label, with the chance that each had."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uaeval.errors import ConfigError
from uaeval.evaluation.figures import CONTROLS
from uaeval.types import Judgement, Metric, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledJudgement:
    """One judgement that is to be labelled."""

    judgement: Judgement
    query: Query
    stratum: str
    """`<metric>/<category or controls>/<the judge's label>`; people do not see it."""
    inclusion_probability: float
    """The chance that this judgement had to be drawn: drawn / there, of its stratum."""


def draw_sample(
    queries: Sequence[Query], judgements: Sequence[Judgement], size: int, *, seed: int = 0
) -> tuple[SampledJudgement, ...]:
    """Draw `size` judgements (all, if there are fewer), as evenly over the strata as these allow.

    Strata are metric, category and the judge's label, so that rare labels are seen often enough to
    tell how far the judge can be trusted with them. Within a stratum every judgement has the same
    chance. The same seed draws the same sample, in an order that tells nothing.

    Raises:
        ConfigError: there is nothing to label.
    """
    if not judgements:
        raise ConfigError("there is no judgement to label; run the evaluation to its end first")
    by_id = {query.id: query for query in queries}
    strata: dict[str, list[Judgement]] = {}
    for judgement in sorted(judgements, key=lambda one: one.id):
        stratum = "/".join((judgement.metric, group_of(by_id[judgement.query_id]), judgement.label))
        strata.setdefault(stratum, []).append(judgement)
    chance = random.Random(seed)
    drawn = [
        SampledJudgement(
            judgement=judgement,
            query=by_id[judgement.query_id],
            stratum=name,
            inclusion_probability=count / len(strata[name]),
        )
        for name, count in sorted(allocation(_sizes(strata), size).items())
        for judgement in chance.sample(strata[name], count)
    ]
    chance.shuffle(drawn)
    return tuple(drawn)


def group_of(query: Query) -> str:
    """Name the category of a query, or `controls`."""
    return CONTROLS if query.category is None else query.category


def allocation(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Share `total` out evenly; what a small stratum cannot take goes to the others.

    Where it does not come out even, strata with more members, then those earlier in the alphabet,
    get one more.
    """
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    given = dict.fromkeys(order, 0)
    left = min(total, sum(sizes.values()))
    while left:
        open_ones = [name for name in order if given[name] < sizes[name]]
        each = max(1, left // len(open_ones))
        for name in open_ones[:left]:
            taken = min(each, sizes[name] - given[name])
            given[name] += taken
            left -= taken
    return {name: count for name, count in given.items() if count}


def _sizes(strata: Mapping[str, Sequence[Judgement]]) -> dict[str, int]:
    return {name: len(members) for name, members in strata.items()}


def metric_named(name: str) -> Metric:
    """Return the metric of this name.

    Raises:
        ConfigError: there is none.
    """
    try:
        return Metric(name)
    except ValueError as error:
        known = ", ".join(Metric)
        raise ConfigError(f"unknown metric {name!r}; a judge is asked for {known}") from error
