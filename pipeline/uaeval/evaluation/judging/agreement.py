"""How far judges of the same things agree; further judges of an evaluation are asked alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter

from uaeval.config import EvaluationConfig
from uaeval.evaluation.judging.judge import Undecided, judge, judge_tasks
from uaeval.evaluation.statistics.label_figures import kappa
from uaeval.llm.model import Model
from uaeval.records import Blocked, Failure, Judgement, Metric, Query, Response
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord, as_failure, of_kind, run_calls
from uaeval.storage import read_json, write_journal, write_json

T = TypeVar("T")
A = TypeVar("A")

AGREEMENT: Final = "agreement.json"
OTHERS: Final = "judgements.others.jsonl"
FAILED: Final = "others.failed.jsonl"
UNDECIDED: Final = "others.undecided.jsonl"
LEAST: Final = 3
"""Scores from which on a correlation says something."""
LARGEST: Final = 10
"""Disagreements that are listed, at the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """Two judges' labels of the same things under one metric."""

    metric: str
    first: str
    second: str
    n: int
    """What both have judged; where one failed, nothing is compared."""
    same: int
    kappa: float | None
    """Cohen's; `None` where both gave one and the same label throughout, or n is 0."""
    differing: tuple[str, ...]
    """Ids of what they label differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One thing that two judges score differently."""

    id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreAgreement:
    """Two judges' scores of the same things under one metric."""

    metric: str
    first: str
    second: str
    n: int
    pearson: float | None
    """`None` under 3 scores, or where a judge gave one and the same score throughout."""
    spearman: float | None
    largest: tuple[Disagreement, ...]
    """The largest disagreements, the largest first."""


def label_agreement(
    metric: str, names: tuple[str, str], first: Mapping[str, str], second: Mapping[str, str]
) -> LabelAgreement:
    """Compare labels by id."""
    ids = sorted(first.keys() & second.keys())
    mine, theirs = [first[name] for name in ids], [second[name] for name in ids]
    differing = tuple(name for name in ids if first[name] != second[name])
    return LabelAgreement(
        metric=metric,
        first=names[0],
        second=names[1],
        n=len(ids),
        same=len(ids) - len(differing),
        kappa=kappa(mine, theirs) if len({*mine, *theirs}) > 1 else None,
        differing=differing,
    )


def score_agreement(
    metric: str, names: tuple[str, str], first: Mapping[str, float], second: Mapping[str, float]
) -> ScoreAgreement:
    """Compare scores by id."""
    from pandas import Series  # slow to load

    ids = sorted(first.keys() & second.keys())
    mine, theirs = (Series([scores[name] for name in ids]) for scores in (first, second))
    varied = len(ids) >= LEAST and mine.nunique() > 1 and theirs.nunique() > 1
    apart = sorted(ids, key=lambda name: -abs(first[name] - second[name]))[:LARGEST]
    return ScoreAgreement(
        metric=metric,
        first=names[0],
        second=names[1],
        n=len(ids),
        pearson=float(mine.corr(theirs)) if varied else None,
        spearman=float(mine.rank().corr(theirs.rank())) if varied else None,
        largest=tuple(
            Disagreement(id=name, first=first[name], second=second[name])
            for name in apart
            if first[name] != second[name]
        ),
    )


def agreements(
    compare: Callable[[str, tuple[str, str], Mapping[str, T], Mapping[str, T]], A],
    said: Iterable[tuple[str, str, str, T]],
) -> tuple[A, ...]:
    """Compare every two judges by metric, given metric, judge, id and what the judge says of it.

    Metrics and judges are in the order given.
    """
    by_metric: dict[str, dict[str, dict[str, T]]] = {}
    for metric, judge_name, name, value in said:
        by_metric.setdefault(metric, {}).setdefault(judge_name, {})[name] = value
    return tuple(
        compare(metric, (first, second), by_judge[first], by_judge[second])
        for metric, by_judge in by_metric.items()
        for first, second in combinations(by_judge, 2)
    )


def label_agreements(said: Iterable[tuple[str, str, str, str]]) -> tuple[LabelAgreement, ...]:
    """Compare labels; two judges who labelled nothing in common are left out."""
    return tuple(each for each in agreements(label_agreement, said) if each.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreements:
    """How far the judges of an evaluation agree."""

    labels: tuple[LabelAgreement, ...]
    """Of every two judges, by metric."""
    undecided: dict[str, int]
    """What each judge could not tell; no labels, and no part of the agreement."""


async def ask_others(
    queries: Sequence[Query],
    responses: Sequence[Response],
    judges: Sequence[Model],
    folder: Path,
    config: EvaluationConfig,
    progress: ProgressListener,
) -> int:
    """Have each of the judges, the first among them, judge every response alone.

    Write what they say beside the other journals of `folder`; failures change no score. Return how
    many answers are still to come (batch mode).
    """
    tasks = judge_tasks(queries, responses)
    calls = {
        f"{task.id}/{model.name}": partial(judge, task, model, config.policy)
        for model in judges
        for task in tasks
    }
    progress.started("asking all judges", len(calls))
    outcomes = await run_calls(
        "other_judge", calls, concurrency=config.concurrency, advanced=progress.advanced
    )
    judgements, undecided = of_kind(outcomes, Judgement), of_kind(outcomes, Undecided)
    failures = [as_failure(each) for each in outcomes if isinstance(each, Failure | Blocked)]
    write_journal(folder / OTHERS, Judgement, judgements)
    write_journal(folder / FAILED, Failure, failures)
    write_journal(folder / UNDECIDED, Undecided, undecided)
    judgements.sort(key=lambda judgement: [*Metric].index(judgement.metric))
    agreement = LabelAgreements(
        labels=label_agreements(
            (each.metric, each.judge, each.query_id, each.label) for each in judgements
        ),
        undecided=dict(Counter(reply.judge for reply in undecided)),
    )
    write_json(folder / AGREEMENT, asdict(agreement))
    return len(of_kind(outcomes, PendingRecord))


def read_agreements(folder: Path) -> LabelAgreements | None:
    """Read how far the judges agree; `None` if they were not asked yet.

    Raises:
        StorageError: the file is damaged.
    """
    path = folder / AGREEMENT
    return TypeAdapter(LabelAgreements).validate_python(read_json(path)) if path.exists() else None
