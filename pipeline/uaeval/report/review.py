"""Tables about human labels: a review's figures, and the calibration of the judge by them."""

from collections.abc import Iterator, Mapping, Sequence

from uaeval.evaluation.judging.agreement import LabelAgreement
from uaeval.evaluation.labels.annotators import Disagreement
from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio
from uaeval.evaluation.labels.label_files import ALLOWED
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.corrected_ratio import LEAST_SKILL
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.report.agreement import undecided_note
from uaeval.report.tables import (
    UNRELIABLE_NOTE,
    ReportTable,
    bounds,
    decimal,
    interval,
    percent,
    percent_range,
    spaced,
    table_of,
)
from uaeval.report.text import shortened
from uaeval.types import Metric, Score

_SHOWN = 20
_LONGEST = 80


def review_tables(
    counts: Mapping[str, Mapping[str, int]],
    validity: Sequence[Score],
    pairs: Sequence[LabelAgreement],
    disputed: Sequence[Disagreement],
) -> tuple[ReportTable, ...]:
    """Show what annotators said; a table may have no row."""
    return (
        _counts_table(counts),
        _validity_table(validity),
        _pairs_table(pairs),
        _disputed_table(disputed),
    )


def _counts_table(counts: Mapping[str, Mapping[str, int]]) -> ReportTable:
    words = sorted({word for said in counts.values() for word in said})
    return ReportTable(
        title="Labels",
        columns=("annotator", *words),
        rows=tuple(
            (name, *(str(said.get(word, 0)) for word in words)) for name, said in counts.items()
        ),
        numbers=frozenset(words),
    )


def _validity_table(validity: Sequence[Score]) -> ReportTable:
    return table_of(
        "Validity by category",
        validity,
        {
            "group": lambda score: spaced(score.group),
            "valid %": lambda score: percent(score.value),
            "95 %": interval,
            "labelled": lambda score: str(score.n),
            "open": lambda score: str(score.errors),
            "worst to best %": bounds,
        },
        note=(
            "Open: annotators are unsure, or at odds. Overall: unanswerable queries, each weighed "
            "by the inverse of its chance to be drawn. " + UNRELIABLE_NOTE
        ),
    )


def _pairs_table(pairs: Sequence[LabelAgreement]) -> ReportTable:
    return table_of(
        "Agreement between annotators",
        pairs,
        {
            "annotators": lambda pair: f"{pair.first}, {pair.second}",
            "of": lambda pair: pair.metric,
            "both labelled": lambda pair: str(pair.n),
            "same": lambda pair: str(pair.same),
            "kappa": lambda pair: decimal(pair.kappa),
        },
        note="Cohen's kappa; unsure is a label of its own. A dash: only one label occurs.",
        text=2,
    )


def _disputed_table(disputed: Sequence[Disagreement]) -> ReportTable:
    left = sum(item.settled is None for item in disputed)
    return table_of(
        f"Disagreements: {left} to settle, {len(disputed) - left} settled",
        disputed[:_SHOWN],
        {"item": lambda item: item.item, "said": _said, "settled": lambda item: item.settled or ""},
        note=f"The first {_SHOWN}." if len(disputed) > _SHOWN else "",
        text=3,
    )


def _said(item: Disagreement) -> str:
    said = "; ".join(f"{name}: {row.word}" for name, row in item.said.items())
    return shortened(said, _LONGEST)


def calibration_tables(
    agreements: Sequence[Agreement], ratios: Sequence[CalibratedRatio]
) -> Iterator[ReportTable]:
    """Show agreement, the confusion by metric, and the corrected ratios."""
    yield _agreement_table(agreements)
    for metric in Metric:
        members = [agreement for agreement in agreements if agreement.metric is metric]
        if members:
            yield _confusion_table(metric, members)
    yield _corrected_table(ratios)


def _agreement_table(agreements: Sequence[Agreement]) -> ReportTable:
    undecided = {each.metric.value: each.undecided for each in agreements if each.group == OVERALL}
    return table_of(
        "The judge against people",
        agreements,
        {
            "judged": lambda each: _name(each.metric, each.group),
            "labels": lambda each: str(each.n),
            "not judged": lambda each: str(each.n - each.judged),
            "accuracy %": lambda each: percent(each.accuracy),
            "95 %": lambda each: _interval(each.interval),
            "F1 %": lambda each: percent(each.f1),
            "kappa": lambda each: decimal(each.kappa),
        },
        note=(
            "Each label weighs the inverse of its chance to be drawn. F1: of yes; for the verdict "
            "the mean over its labels. " + undecided_note(undecided)
        ),
    )


def _confusion_table(metric: Metric, agreements: Sequence[Agreement]) -> ReportTable:
    judged = ALLOWED[metric]
    columns = (f"{metric}: people say", *(f"judge: {name}" for name in judged))
    return ReportTable(
        title=f"Confusion, {metric}",
        columns=columns,
        rows=tuple(
            (_confusion_name(each.group, human), *(str(row[name]) for name in judged))
            for each in agreements
            for human, row in each.confusion.items()
        ),
        note="Responses, not weighted.",
        numbers=frozenset(columns[1:]),
    )


def _corrected_table(ratios: Sequence[CalibratedRatio]) -> ReportTable:
    return table_of(
        "Ratios corrected for the judge's mistakes",
        ratios,
        {
            "ratio": lambda ratio: _name(metric_named(ratio.metric).shown_name, ratio.group),
            "raw %": lambda ratio: percent(ratio.raw),
            "corrected %": lambda ratio: percent(ratio.value),
            "95 %": lambda ratio: _interval(ratio.interval),
            "Se %": lambda ratio: percent(ratio.sensitivity),
            "Sp %": lambda ratio: percent(ratio.specificity),
            "labels +": lambda ratio: str(ratio.positives),
            "labels -": lambda ratio: str(ratio.negatives),
        },
        note=(
            "Rogan and Gladen's estimator, with the interval of Lang and Reiczigel. Se, Sp: how "
            "often the judge is right where people say that a response counts, or does not. A "
            f"dash: no labels of one kind, or Se + Sp is {LEAST_SKILL:g} or less."
        ),
    )


def _name(name: str, group: str) -> str:
    return name if group == OVERALL else f"- {spaced(group)}"


def _confusion_name(group: str, human: str) -> str:
    return human if group == OVERALL else f"- {spaced(group)}: {human}"


def _interval(interval: Interval | None) -> str:
    return percent_range(*(interval or (None, None)))
