"""The queries on which one run does well and another does not."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from uaeval.evaluation.compare import joined, outcome_of
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedOutcome:
    """A query on which one run did well and the other did not."""

    query_id: str
    question: str
    metric: str
    good: str
    """The run that did well."""
    bad: str


def flips(runs: Sequence[Evaluation]) -> tuple[ChangedOutcome, ...]:
    """Return the queries on which every two runs differ: acceptable, or correct, for one only."""
    flipped = []
    for first, second in combinations(runs, 2):
        for a, b in joined(first.items, second.items):
            ratio = CORRECTNESS if a.answerable else ACCEPTABLE
            outcomes = {outcome_of(ratio, a): first.name, outcome_of(ratio, b): second.name}
            if outcomes.keys() == {True, False}:
                flipped.append((a.query_id, ratio.name, outcomes[True], outcomes[False]))
    ids = {query_id for query_id, *_ in flipped}
    queries = runs[0].queries if flipped else ()
    asked = {query.id: query.question for query in queries if query.id in ids}
    return tuple(
        ChangedOutcome(
            query_id=query_id, question=asked[query_id], metric=metric, good=good, bad=bad
        )
        for query_id, metric, good, bad in flipped
    )
