"""What a calibration shows: agreement with people, confusion, corrected ratios."""

from collections.abc import Iterator, Sequence

from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio
from uaeval.evaluation.labels.label_files import ALLOWED
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.corrected_ratio import LEAST_SKILL
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.report.tables import NOTHING, ReportTable, decimal, percent
from uaeval.report.undecided import undecided_note
from uaeval.types import Metric


def calibration_sheets(
    agreements: Sequence[Agreement], ratios: Sequence[CalibratedRatio]
) -> Iterator[ReportTable]:
    """Show agreement, the confusion by metric, and the corrected ratios."""
    yield _agreement_sheet(agreements)
    for metric in Metric:
        members = [one for one in agreements if one.metric is metric]
        if members:
            yield _confusion_sheet(metric, members)
    yield _corrected_sheet(ratios)


def _agreement_sheet(agreements: Sequence[Agreement]) -> ReportTable:
    columns = ("judged", "labels", "not judged", "accuracy %", "95 %", "F1 %", "kappa")
    return ReportTable(
        title="The judge against people",
        columns=columns,
        rows=tuple(
            (
                _name(one.metric, one.group),
                str(one.n),
                str(one.n - one.judged),
                percent(one.accuracy),
                _interval(one.interval),
                percent(one.f1),
                decimal(one.kappa),
            )
            for one in agreements
        ),
        note=(
            "Each label weighs the inverse of its chance to be drawn. F1: of yes; for the verdict "
            "the mean over its labels. "
            + undecided_note(
                {one.metric: one.undecided for one in agreements if one.group == OVERALL}
            )
        ),
        numbers=frozenset(columns[1:]),
    )


def _confusion_sheet(metric: Metric, agreements: Sequence[Agreement]) -> ReportTable:
    judged = ALLOWED[metric]
    columns = (f"{metric}: people say", *(f"judge: {name}" for name in judged))
    return ReportTable(
        title=f"Confusion, {metric}",
        columns=columns,
        rows=tuple(
            (_line(one.group, human), *(str(row[name]) for name in judged))
            for one in agreements
            for human, row in one.confusion.items()
        ),
        note="Responses, not weighted.",
        numbers=frozenset(columns[1:]),
    )


def _corrected_sheet(ratios: Sequence[CalibratedRatio]) -> ReportTable:
    columns = ("ratio", "raw %", "corrected %", "95 %", "Se %", "Sp %", "labels +", "labels -")
    return ReportTable(
        title="Ratios corrected for the judge's mistakes",
        columns=columns,
        rows=tuple(
            (
                _name(metric_named(one.metric).shown_name, one.group),
                percent(one.raw),
                percent(one.value),
                _interval(one.interval),
                percent(one.sensitivity),
                percent(one.specificity),
                str(one.positives),
                str(one.negatives),
            )
            for one in ratios
        ),
        note=(
            "Rogan and Gladen's estimator, with the interval of Lang and Reiczigel. Se, Sp: how "
            "often the judge is right where people say that a response counts, or does not. A "
            f"dash: no labels of one kind, or Se + Sp is {LEAST_SKILL:g} or less."
        ),
        numbers=frozenset(columns[1:]),
    )


def _name(name: str, group: str) -> str:
    return name if group == OVERALL else f"- {group.replace('_', ' ')}"


def _line(group: str, human: str) -> str:
    return human if group == OVERALL else f"- {group.replace('_', ' ')}: {human}"


def _interval(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{percent(interval.low)}–{percent(interval.high)}"
