"""Draw a stratified sample of judgements to label, with their inclusion probabilities."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from uaeval.errors import ConfigError
from uaeval.evaluation.metrics.spec import CONTROLS
from uaeval.records import Judgement, Metric, Query

T = TypeVar("T", bound=Judgement | Query)


class SampledJudgement(NamedTuple):
    """One judgement to be labelled, and the probability of being drawn within its stratum."""

    judgement: Judgement
    query: Query
    inclusion_probability: float


def draw_sample(
    queries: Sequence[Query], judgements: Sequence[Judgement], size: int, *, seed: int = 0
) -> tuple[SampledJudgement, ...]:
    """Draw `size` judgements by metric, category and label; raise `ConfigError` without any."""
    if not judgements:
        raise ConfigError("no judgement to label; run the evaluation to its end first")
    by_id = {query.id: query for query in queries}

    def stratum(judgement: Judgement) -> str:
        return f"{judgement.metric}/{group_of(by_id[judgement.query_id])}/{judgement.label}"

    drawn = stratified(judgements, stratum, size, seed)
    return tuple(SampledJudgement(each, by_id[each.query_id], share) for each, share in drawn)


def stratified(
    records: Iterable[T], stratum_of: Callable[[T], str], size: int, seed: int
) -> list[tuple[T, float]]:
    """Draw `size` records (or all), as evenly from the strata as possible, in random order.

    Each has its probability, which is the same within a stratum. The same seed draws the same.
    """
    strata: dict[str, list[T]] = {}
    for record in sorted(records, key=lambda record: record.id):
        strata.setdefault(stratum_of(record), []).append(record)
    generator = random.Random(seed)
    sizes = {name: len(members) for name, members in strata.items()}
    drawn = [
        (record, count / sizes[name])
        for name, count in sorted(allocation(sizes, size).items())
        for record in generator.sample(strata[name], count)
    ]
    generator.shuffle(drawn)
    return drawn


def group_of(query: Query) -> str:
    """Return the category of a query, or `controls`."""
    return CONTROLS if query.category is None else query.category


def allocation(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Return the number to draw from each stratum: equal shares of `total`, up to its size.

    Larger strata, then those earlier in the alphabet, get one more if the shares are not equal.
    """
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    shares = dict.fromkeys(order, 0)
    for _ in range(min(total, sum(sizes.values()))):
        open_strata = [name for name in order if shares[name] < sizes[name]]
        shares[min(open_strata, key=shares.__getitem__)] += 1
    return {name: count for name, count in shares.items() if count}


def judged_metric_named(name: str) -> Metric:
    """Return the metric of this name, or raise `ConfigError`."""
    if name not in {*Metric}:
        raise ConfigError(f"unknown metric {name!r}; a judge is asked for {', '.join(Metric)}")
    return Metric(name)
