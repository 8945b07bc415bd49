"""How far judges and people agree, as tables: other judges, a review, the judge's calibration."""

from collections.abc import Iterator, Mapping, Sequence

from uaeval.evaluation.judging.agreement import LabelAgreement, LabelAgreements, ScoreAgreement
from uaeval.evaluation.labels.annotators import Disagreement
from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio
from uaeval.evaluation.metrics.outcomes import LABELS
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.corrected_ratio import LEAST_SKILL
from uaeval.records import Metric, Score
from uaeval.report.tables import ReportTable, declared_table, spaced
from uaeval.report.text import shortened

_SHOWN = 20
_LONGEST = 80


def agreement_table(
    passes: Sequence[LabelAgreement], scores: Sequence[ScoreAgreement] = ()
) -> ReportTable:
    """Show how far every two judges agree."""
    return declared_table("judges", [*passes, *scores], undecided={})


def others_table(others: LabelAgreements | None) -> ReportTable:
    """Show how far the judges of an evaluation agree, and how often each could not tell."""
    rows, undecided = (others.labels, others.undecided) if others else ((), {})
    return declared_table("judges", rows, undecided=undecided)


def disagreement_table(scores: Sequence[ScoreAgreement]) -> ReportTable:
    """List the five largest disagreements of every two judges."""
    rows = [
        {"metric": pair.metric, "apart": apart} for pair in scores for apart in pair.largest[:5]
    ]
    return declared_table("largest_disagreements", rows)


def review_tables(
    counts: Mapping[str, Mapping[str, int]],
    validity: Sequence[Score],
    pairs: Sequence[LabelAgreement],
    disputed: Sequence[Disagreement],
) -> tuple[ReportTable, ...]:
    """Show what annotators said; a table may have no row."""
    return (
        _counts_table(counts),
        declared_table("validity", validity),
        declared_table("annotators", pairs),
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


def _disputed_table(disputed: Sequence[Disagreement]) -> ReportTable:
    rows = []
    for item in disputed[:_SHOWN]:
        said = "; ".join(f"{name}: {row.word}" for name, row in item.said.items())
        said = shortened(said, _LONGEST)
        rows.append({"item": item.item, "said": said, "settled": item.settled})
    left = sum(item.settled is None for item in disputed)
    return declared_table("disputes", rows, left=left, settled=len(disputed) - left)


def calibration_tables(
    agreements: Sequence[Agreement], ratios: Sequence[CalibratedRatio]
) -> Iterator[ReportTable]:
    """Show agreement, the confusion by metric, and the corrected ratios."""
    undecided = {each.metric.value: each.undecided for each in agreements if each.group == OVERALL}
    yield declared_table("judge_and_people", agreements, undecided=undecided)
    for metric in Metric:
        members = [agreement for agreement in agreements if agreement.metric is metric]
        if members:
            yield _confusion_table(metric, members)
    yield declared_table("corrected", ratios, least_skill=LEAST_SKILL)


def _confusion_table(metric: Metric, agreements: Sequence[Agreement]) -> ReportTable:
    judged = LABELS[metric]
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


def _confusion_name(group: str, human: str) -> str:
    return human if group == OVERALL else f"- {spaced(group)}: {human}"
