"""Tables about a calibration: agreement with people, confusion, corrected ratios."""

from collections.abc import Iterator, Sequence

from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio
from uaeval.evaluation.labels.label_files import ALLOWED
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.corrected_ratio import LEAST_SKILL
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.report.agreement import undecided_note
from uaeval.report.tables import ReportTable, decimal, percent, percent_range, spaced, table_of
from uaeval.types import Metric


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
