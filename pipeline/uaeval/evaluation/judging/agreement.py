"""Measure the agreement of judges, and ask the further judges of an evaluation."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Final, TypeVar

from uaeval.config import EvaluationConfig
from uaeval.evaluation.judging.judge import Undecided, judge, judge_tasks
from uaeval.evaluation.metrics.judged import Case
from uaeval.evaluation.statistics.labelled import kappa
from uaeval.llm.model import Model
from uaeval.records import Blocked, Failure, Judgement, Metric
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord, as_failure, of_kind, run_calls
from uaeval.storage import write_journal, write_json

A = TypeVar("A")
T = TypeVar("T")

AGREEMENT: Final = "agreement.json"
FEWEST_SCORES: Final = 3
"""Fewest common scores of two judges that are correlated."""
MOST_LISTED: Final = 10
"""Most disagreements that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """The agreement of two judges' labels under one metric."""

    metric: str
    first: str
    second: str
    n: int
    """Number of items that both have labelled."""
    same: int
    kappa: float | None
    """Cohen's kappa; `None` if both gave the same single label to all items, or n is 0."""
    differing: tuple[str, ...]
    """Ids of the items with different labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One item that two judges score differently."""

    id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreAgreement:
    """The agreement of two judges' scores under one metric."""

    metric: str
    first: str
    second: str
    n: int
    pearson: float | None
    """`None` for fewer than `FEWEST_SCORES`, or if a judge gave the same score to all items."""
    spearman: float | None
    largest: tuple[Disagreement, ...]
    """The largest disagreements, in descending order."""


def label_agreement(
    metric: str, first: str, second: str, items: Sequence[tuple[str, str, str]]
) -> LabelAgreement:
    """Compare the labels of the judges `first` and `second`; an item has an id and both labels."""
    differing = tuple(name for name, ours, theirs in items if ours != theirs)
    labels = [ours for _, ours, _ in items], [theirs for _, _, theirs in items]
    return LabelAgreement(
        metric=metric,
        first=first,
        second=second,
        n=len(items),
        same=len(items) - len(differing),
        kappa=kappa(*labels) if len({*labels[0], *labels[1]}) > 1 else None,
        differing=differing,
    )


def score_agreement(
    metric: str, first: str, second: str, items: Sequence[tuple[str, float, float]]
) -> ScoreAgreement:
    """Compare two judges' scores of items, as `label_agreement` compares labels."""
    from pandas import Series  # slow to import

    a, b = (Series([item[judge] for item in items]) for judge in (1, 2))
    is_defined = len(items) >= FEWEST_SCORES and a.nunique() > 1 and b.nunique() > 1
    apart = [Disagreement(id=name, first=x, second=y) for name, x, y in items if x != y]
    apart.sort(key=lambda scores: -abs(scores.first - scores.second))
    return ScoreAgreement(
        metric=metric,
        first=first,
        second=second,
        n=len(items),
        pearson=float(a.corr(b)) if is_defined else None,
        spearman=float(a.rank().corr(b.rank())) if is_defined else None,
        largest=tuple(apart[:MOST_LISTED]),
    )


def agreements(
    compare: Callable[[str, str, str, Sequence[tuple[str, T, T]]], A],
    values: Iterable[tuple[str, str, str, T]],
) -> tuple[A, ...]:
    """Compare every two judges by metric; metrics and judges keep their order.

    Each of `values` is a metric, a judge, the id of an item, and the judge's label or score of it.
    """
    by_metric: dict[str, dict[str, dict[str, T]]] = {}
    for metric, judge_name, item, value in values:
        by_metric.setdefault(metric, {}).setdefault(judge_name, {})[item] = value
    found = list[A]()
    for metric, by_judge in by_metric.items():
        for (first, ours), (second, theirs) in combinations(by_judge.items(), 2):
            items = [(name, ours[name], theirs[name]) for name in sorted(ours.keys() & theirs)]
            found.append(compare(metric, first, second, items))
    return tuple(found)


def label_agreements(labels: Iterable[tuple[str, str, str, str]]) -> tuple[LabelAgreement, ...]:
    """Compare labels as `agreements` does; leave out judges without common items."""
    return tuple(pair for pair in agreements(label_agreement, labels) if pair.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreements:
    """The agreement of the judges of an evaluation."""

    labels: tuple[LabelAgreement, ...]
    undecided: dict[str, int]
    """Number of undecided replies by judge; these are not part of the agreement."""


async def ask_others(
    cases: Iterable[Case],
    judges: Sequence[Model],
    folder: Path,
    config: EvaluationConfig,
    progress: ProgressListener,
) -> int:
    """Let each judge, including the first, judge every case; write their agreement.

    The judgements are written to journals of their own and change no score. Return the number of
    pending replies (batch mode).
    """
    tasks = [
        task
        for case in cases
        for task in judge_tasks(case.query, case.response.text, config.policy)
    ]
    calls = {
        f"{task.id}/{model.name}": partial(judge, task, model) for model in judges for task in tasks
    }
    progress.started("asking all judges", len(calls))
    outcomes = await run_calls(
        "other_judge", calls, concurrency=config.concurrency, advanced=progress.advanced
    )
    judgements, undecided = of_kind(outcomes, Judgement), of_kind(outcomes, Undecided)
    failures = [as_failure(call) for call in outcomes if isinstance(call, Failure | Blocked)]
    write_journal(folder / "judgements.others.jsonl", Judgement, judgements)
    write_journal(folder / "others.failed.jsonl", Failure, failures)
    write_journal(folder / "others.undecided.jsonl", Undecided, undecided)
    judgements.sort(key=lambda judgement: [*Metric].index(judgement.metric))
    agreement = LabelAgreements(
        labels=label_agreements(
            (judged.metric, judged.judge, judged.query_id, judged.label) for judged in judgements
        ),
        undecided=dict(Counter(reply.judge for reply in undecided)),
    )
    write_json(folder / AGREEMENT, asdict(agreement))
    return len(of_kind(outcomes, PendingRecord))
