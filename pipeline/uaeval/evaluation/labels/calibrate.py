"""The agreement of a judge with human labels, and ratios corrected for the judge's mistakes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from uaeval.evaluation.metrics.outcomes import LABELS, QueryOutcomeRow
from uaeval.evaluation.metrics.ratios import Ratio
from uaeval.evaluation.metrics.registry import STANDARD
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.statistics.intervals import Interval, Observation, weighted_share, wilson
from uaeval.evaluation.statistics.labelled import kappa, mean_f1, rogan_gladen
from uaeval.labels import JudgementLabel
from uaeval.records import Metric

LabelledRow: TypeAlias = tuple[QueryOutcomeRow, JudgementLabel]
"""The judge's outcome and the human label of one response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The judge's agreement with human labels in one group, weighted by inverse probability."""

    metric: Metric
    group: str
    n: int
    """Number of responses with a human label."""
    judged: int
    undecided: int
    """Labelled responses that the judge could not decide."""
    accuracy: float | None
    interval: Interval | None
    """95 % interval of the accuracy."""
    f1: float | None
    """F1 of `yes`; for the verdict, the mean F1 of the labels that occur."""
    kappa: float | None
    """Cohen's kappa; `None` if only one label occurs."""
    confusion: dict[str, dict[str, int]]
    """Number of responses by human label and judge's label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedRatio:
    """A ratio as judged, and as corrected with human labels."""

    metric: str
    group: str
    raw: float | None
    value: float | None
    """`None` without labels of both kinds, or if sensitivity + specificity <= 1.1."""
    interval: Interval | None
    sensitivity: float | None
    specificity: float | None
    positives: int
    """Number of responses whose human label counts."""
    negatives: int


def agreements(
    items: Iterable[QueryOutcomeRow], labels: Sequence[JudgementLabel]
) -> tuple[Agreement, ...]:
    """Compare the judge's labels with human labels, by metric, overall and in each category."""
    by_id = {item.query_id: item for item in items}
    compared = list[Agreement]()
    for metric in Metric:
        pairs = [(by_id[label.query_id], label) for label in labels if label.metric is metric]
        groups = defaultdict[str, list[LabelledRow]](list)
        for row, label in pairs:
            groups[row.category or CONTROLS].append((row, label))
        by_name = sorted(groups.items()) if len(groups) > 1 else []
        all_groups = [(OVERALL, pairs), *by_name] if pairs else []
        compared += [_agreement(metric, name, members) for name, members in all_groups]
    return tuple(compared)


def _agreement(metric: Metric, group: str, pairs: Sequence[LabelledRow]) -> Agreement:
    known = [(row, label) for row, label in pairs if row.label(metric) is not None]
    human = [str(label.label) for _, label in known]
    judge = [str(row.label(metric)) for row, _ in known]
    weights = [1 / label.inclusion_probability for _, label in known]
    right = [
        Observation(row.document, row.label(metric) == label.label, weight=weight)
        for (row, label), weight in zip(known, weights, strict=True)
    ]
    accuracy = weighted_share(right)
    occurring = sorted({*human, *judge})
    positive = [label for label in occurring if metric is Metric.VERDICT or label == "yes"]
    counts, names = Counter(zip(human, judge, strict=True)), LABELS[metric] if known else ()
    return Agreement(
        metric=metric,
        group=group,
        n=len(pairs),
        judged=len(known),
        undecided=sum(metric in row.undecided for row, _ in pairs),
        accuracy=accuracy.value if accuracy else None,
        interval=wilson(*accuracy) if accuracy else None,
        f1=mean_f1(human, judge, positive, weights) if positive else None,
        kappa=kappa(human, judge, weights) if len(occurring) > 1 else None,
        confusion={name: {other: counts[name, other] for other in names} for name in names},
    )


def calibrated(
    items: Sequence[QueryOutcomeRow], labels: Sequence[JudgementLabel]
) -> tuple[CalibratedRatio, ...]:
    """Correct the ratios with Rogan and Gladen's estimator, from human labels of the same group."""
    by_item = {label.item: label for label in labels}
    corrected = list[CalibratedRatio]()
    for ratio in STANDARD:
        if isinstance(ratio, Ratio) and ratio.labelled:
            included = [row for row in items if ratio.includes(row)]
            names = sorted({str(row.category) for row in included}) if ratio.by_category else []
            rows = [row for row in included if ratio.applies_to(row)]
            groups = [(name, [row for row in rows if row.category == name]) for name in names]
            corrected += [_calibrated(ratio, *each, by_item) for each in [(OVERALL, rows), *groups]]
    return tuple(corrected)


def _calibrated(
    ratio: Ratio, group: str, items: Sequence[QueryOutcomeRow], human: Mapping[str, JudgementLabel]
) -> CalibratedRatio:
    judged = list[Observation]()
    right: dict[bool, list[Observation]] = {True: [], False: []}
    """Whether the judge agrees, for responses whose human label counts, and for the others."""
    for row in items:
        outcome, label = ratio.outcome(row), human.get(f"{row.query_id}/{ratio.labelled}")
        if outcome is not None:
            judged.append(Observation(row.document, outcome))
            if label:
                counts, weight = label.label in ratio.counted, 1 / label.inclusion_probability
                right[counts].append(Observation(row.document, outcome is counts, weight=weight))
    raw, sensitivity, specificity = map(weighted_share, (judged, right[True], right[False]))
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
        positives=len(right[True]),
        negatives=len(right[False]),
    )
