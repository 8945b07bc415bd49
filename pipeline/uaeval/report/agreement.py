"""Tables of agreement: between judges, between annotators, and of the judge with human labels."""

from collections.abc import Iterator, Mapping, Sequence

from uaeval.evaluation.judging.agreement import LabelAgreement, ScoreAgreement
from uaeval.evaluation.judging.further_judges import LabelAgreements
from uaeval.evaluation.labels.annotators import Disagreement
from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio
from uaeval.evaluation.metrics.graded import GRADED
from uaeval.evaluation.metrics.outcomes import LABELS
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.labelled import LEAST_SKILL
from uaeval.records import Metric, Score
from uaeval.report.tables import ReportTable, declared_table
from uaeval.report.text import shortened


def others_table(others: LabelAgreements | None) -> ReportTable:
    """Return a table of the agreement of an evaluation's judges, and of their undecided replies."""
    rows, undecided = (others.labels, others.undecided) if others else ((), {})
    return declared_table("judges", rows, undecided=undecided)


def review_tables(
    counts: Mapping[str, Mapping[str, int]],
    validity: Sequence[Score],
    agreement: Sequence[LabelAgreement],
) -> tuple[ReportTable, ...]:
    """Return tables of labels, validity and annotators' agreement; a table may have no row."""
    labels = sorted({word for said in counts.values() for word in said})
    return (
        declared_table("labels", counts.items(), labels=labels),
        declared_table("validity", validity),
        declared_table("annotators", agreement),
    )


def disputed_table(disputed: Sequence[Disagreement]) -> ReportTable:
    """Return a table of the first items on which annotators differ."""
    rows = []
    for item in disputed[:20]:
        labels = shortened("; ".join(f"{key}: {row.word}" for key, row in item.labels.items()), 80)
        rows.append({"item": item.item, "labels": labels, "resolution": item.resolution})
    left = sum(item.resolution is None for item in disputed)
    return declared_table("disputes", rows, left=left, resolved=len(disputed) - left)


def calibration_tables(
    agreements: Sequence[Agreement], ratios: Sequence[CalibratedRatio]
) -> Iterator[ReportTable]:
    """Yield tables of agreement, of confusion by metric, and of corrected ratios."""
    undecided = {each.metric.value: each.undecided for each in agreements if each.group == OVERALL}
    yield declared_table("judge_and_people", agreements, undecided=undecided)
    for metric in Metric:
        members = [agreement for agreement in agreements if agreement.metric is metric]
        rows = [
            {"group": each.group, "human": human, "judged": judged}
            for each in members
            for human, judged in each.confusion.items()
        ]
        if members:
            labels = list(LABELS[metric])
            yield declared_table("confusion", rows, metric=metric.value, labels=labels)
    yield declared_table("corrected", ratios, least_skill=LEAST_SKILL)


def grading_tables(
    rows: Sequence[Mapping[str, object]],
    passes: Sequence[LabelAgreement],
    scores: Sequence[ScoreAgreement],
) -> Iterator[ReportTable]:
    """Yield tables of a grading's summary, of the judges' agreement, and of where they differ."""
    yield declared_table("grading", rows, metrics=[metric for metric in GRADED if metric.column])
    yield declared_table("judges", [*passes, *scores], undecided={})
    largest = (
        {"metric": pair.metric, "apart": apart} for pair in scores for apart in pair.largest[:5]
    )
    yield declared_table("largest_disagreements", largest)
