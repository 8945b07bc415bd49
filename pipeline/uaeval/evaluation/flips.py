"""The queries on which one run does well and another does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from uaeval.evaluation.compare import joined, outcome_of
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS
from uaeval.evaluation.recorded_evaluation import RecordedEvaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedOutcome:
    """A query on which one run did well and the other did not."""

    query_id: str
    question: str
    metric: str
    good: str
    """The run that did well."""
    bad: str


def flips(runs: Sequence[RecordedEvaluation]) -> tuple[ChangedOutcome, ...]:
    """Return the queries on which every two runs differ: acceptable, or correct, for one only."""
    flipped = [flip for pair in combinations(runs, 2) for flip in _flips(*pair)]
    if not flipped:
        return ()
    ids = {query_id for query_id, *_ in flipped}
    asked = {query.id: query.question for query in runs[0].queries() if query.id in ids}
    return tuple(
        ChangedOutcome(
            query_id=query_id, question=asked[query_id], metric=metric, good=good, bad=bad
        )
        for query_id, metric, good, bad in flipped
    )


def _flips(
    first: RecordedEvaluation, second: RecordedEvaluation
) -> Iterator[tuple[str, str, str, str]]:
    """Yield query, figure, the run that did well and the one that did not."""
    for a, b in joined(first.items, second.items):
        ratio = CORRECTNESS if a.answerable else ACCEPTABLE
        outcomes = outcome_of(ratio, a), outcome_of(ratio, b)
        if None in outcomes or outcomes[0] == outcomes[1]:
            continue
        good, bad = (first.name, second.name) if outcomes[0] else (second.name, first.name)
        yield a.query_id, ratio.name, good, bad
