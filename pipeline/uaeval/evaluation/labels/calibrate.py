"""How far a judge agrees with people, and what its ratios are when its mistakes are allowed for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix, f1_score

from uaeval.evaluation.judging.undecided import Undecided
from uaeval.evaluation.labels.label_files import ALLOWED, Label
from uaeval.evaluation.labels.sampling import group_of
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.spec import OVERALL, Ratio
from uaeval.evaluation.metrics.standard import STANDARD
from uaeval.evaluation.statistics.composites import Observation
from uaeval.evaluation.statistics.corrected_ratio import (
    rogan_gladen,
    weighted_share,
)
from uaeval.evaluation.statistics.intervals import Interval, wilson
from uaeval.types import Judgement, Metric, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How the judge's labels agree with people's in one group; each label weighs 1 / its chance."""

    metric: Metric
    group: str
    n: int
    """Labelled responses that the judge was to label too."""
    judged: int
    undecided: int
    """Of those that are not judged: what the judge could not tell."""
    accuracy: float | None
    interval: Interval | None
    """Of the accuracy, 95 %."""
    f1: float | None
    """Of `yes`; for the verdict the mean over its labels that occur."""
    kappa: float | None
    """Cohen's; `None` where only one label occurs."""
    confusion: dict[str, dict[str, int]]
    """How many responses, by the label that people gave and the one that the judge gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedRatio:
    """A ratio as judged, and corrected by the labels."""

    metric: str
    group: str
    raw: float | None
    value: float | None
    """`None` without enough labels of both kinds, or where Se + Sp <= 1.1."""
    interval: Interval | None
    sensitivity: float | None
    specificity: float | None
    positives: int
    """Labelled responses that count by what people say."""
    negatives: int


def agreements(
    queries: Iterable[Query],
    judgements: Iterable[Judgement],
    labels: Sequence[Label],
    undecided: Iterable[Undecided] = (),
) -> tuple[Agreement, ...]:
    """Compare the judge's labels with people's: by metric overall, and in each category."""
    labelled = {label.query_id for label in labels}
    by_id = {query.id: query for query in queries if query.id in labelled}
    said = {(one.query_id, one.metric): one.label for one in judgements if one.query_id in labelled}
    undecided_ids = {(one.query_id, one.metric) for one in undecided}
    found = list[Agreement]()
    for metric in Metric:
        members = [label for label in labels if label.metric is metric]
        groups = {group_of(by_id[label.query_id]): 0 for label in members}
        found += [
            _agreement(metric, group, by_id, said, undecided_ids, chosen)
            for group, chosen in _groups(members, sorted(groups), by_id)
        ]
    return tuple(found)


def _groups(
    members: Sequence[Label], groups: Sequence[str], by_id: dict[str, Query]
) -> Iterator[tuple[str, list[Label]]]:
    if members:
        yield OVERALL, list(members)
    if len(groups) > 1:
        for group in groups:
            yield group, [one for one in members if group_of(by_id[one.query_id]) == group]


def _agreement(
    metric: Metric,
    group: str,
    by_id: dict[str, Query],
    said: dict[tuple[str, Metric], str],
    undecided_ids: Set[tuple[str, Metric]],
    labels: Sequence[Label],
) -> Agreement:
    known = [one for one in labels if (one.query_id, metric) in said]
    human = [one.label for one in known]
    judge = [said[one.query_id, metric] for one in known]
    weights = [1 / one.inclusion_probability for one in known]
    agree = weighted_share(
        [
            Observation(by_id[one.query_id].provenance.document_id, a == b)
            for one, a, b in zip(known, human, judge, strict=True)
        ],
        weights,
    )
    return Agreement(
        metric=metric,
        group=group,
        n=len(labels),
        judged=len(known),
        undecided=sum((one.query_id, metric) in undecided_ids for one in labels),
        accuracy=float(accuracy_score(human, judge, sample_weight=weights)) if known else None,
        interval=wilson(*agree) if agree else None,
        f1=_f1(metric, human, judge, weights),
        kappa=_kappa(human, judge, weights),
        confusion=_confusion(metric, human, judge),
    )


def _f1(
    metric: Metric, human: Sequence[str], judge: Sequence[str], weights: Sequence[float]
) -> float | None:
    if metric is Metric.VERDICT:
        occurring = sorted({*human, *judge})
        if not occurring:
            return None
        return float(
            f1_score(human, judge, labels=occurring, average="macro", sample_weight=weights)
        )
    if "yes" not in {*human, *judge}:
        return None
    return float(f1_score(human, judge, pos_label="yes", sample_weight=weights))


def _kappa(human: Sequence[str], judge: Sequence[str], weights: Sequence[float]) -> float | None:
    if len({*human, *judge}) < 2:
        return None
    return float(cohen_kappa_score(human, judge, sample_weight=weights))


def _confusion(
    metric: Metric, human: Sequence[str], judge: Sequence[str]
) -> dict[str, dict[str, int]]:
    names = ALLOWED[metric]
    if not human:
        return {}
    matrix = confusion_matrix(human, judge, labels=names)
    return {
        name: {other: int(count) for other, count in zip(names, row, strict=True)}
        for name, row in zip(names, matrix, strict=True)
    }


def calibrated(
    items: Sequence[QueryOutcomeRow], labels: Sequence[Label]
) -> tuple[CalibratedRatio, ...]:
    """Correct the ratios by Rogan and Gladen's estimator, from labels of the same group."""
    said: dict[tuple[str, Metric | None], Label] = {
        (label.query_id, label.metric): label for label in labels
    }
    return tuple(
        _calibrated(ratio, group, members, said)
        for ratio in STANDARD
        if isinstance(ratio, Ratio) and ratio.labelled
        for group, members in _members(ratio, items)
    )


def _members(
    ratio: Ratio, items: Sequence[QueryOutcomeRow]
) -> Iterator[tuple[str, list[QueryOutcomeRow]]]:
    rows = [row for row in items if ratio.includes(row) and ratio.applies_to(row)]
    yield OVERALL, rows
    if ratio.by_category:
        for category in sorted({str(row.category) for row in items if ratio.includes(row)}):
            yield category, [row for row in rows if row.category == category]


def _calibrated(
    ratio: Ratio,
    group: str,
    items: Sequence[QueryOutcomeRow],
    said: Mapping[tuple[str, Metric | None], Label],
) -> CalibratedRatio:
    judged = [
        (row, outcome, said.get((row.query_id, ratio.labelled)))
        for row in items
        if (outcome := ratio.outcome(row)) is not None
    ]
    raw = weighted_share([Observation(row.document, outcome) for row, outcome, _ in judged])
    labelled = [(row, outcome, label) for row, outcome, label in judged if label]
    positives = [entry for entry in labelled if entry[2].label in ratio.counted]
    negatives = [entry for entry in labelled if entry[2].label not in ratio.counted]
    sensitivity, specificity = (
        weighted_share(
            [Observation(row.document, outcome is counts) for row, outcome, _ in entries],
            [1 / label.inclusion_probability for _, _, label in entries],
        )
        for counts, entries in ((True, positives), (False, negatives))
    )
    corrected = None
    if raw and sensitivity and specificity:
        corrected = rogan_gladen(raw, sensitivity, specificity)
    return CalibratedRatio(
        metric=ratio.name,
        group=group,
        raw=raw.value if raw else None,
        value=corrected.value if corrected else None,
        interval=corrected.interval if corrected else None,
        sensitivity=sensitivity.value if sensitivity else None,
        specificity=specificity.value if specificity else None,
        positives=len(positives),
        negatives=len(negatives),
    )
