"""How far judges agree, as tables."""

from collections.abc import Sequence
from dataclasses import replace

from uaeval.evaluation.judging.agreement import LabelAgreement, ScoreAgreement
from uaeval.evaluation.judging.other_judges import OtherJudgements
from uaeval.report.tables import NOTHING, ReportTable, decimal
from uaeval.report.undecided import undecided_note


def agreement_sheet(
    passes: Sequence[LabelAgreement], scores: Sequence[ScoreAgreement] = ()
) -> ReportTable:
    """Show how far every two judges agree."""
    rows = [
        (each.metric, each.first, each.second, str(each.n), decimal(each.kappa), NOTHING, NOTHING)
        for each in passes
    ]
    rows += [
        (
            each.metric.replace("_", " "),
            each.first,
            each.second,
            str(each.n),
            NOTHING,
            decimal(each.pearson),
            decimal(each.spearman),
        )
        for each in scores
    ]
    columns = ("judged", "judge", "other judge", "n", "kappa", "Pearson", "Spearman")
    return ReportTable(
        title="Do the judges agree?",
        columns=columns,
        rows=tuple(rows),
        numbers=frozenset(columns[3:]),
    )


def others_sheet(others: OtherJudgements) -> ReportTable:
    """Show how far the judges of an evaluation agree, and how often each could not tell."""
    note = undecided_note(others.undecided_counts)
    return replace(agreement_sheet(others.agreement), note=note)


def disagreement_sheet(scores: Sequence[ScoreAgreement], most: int = 5) -> ReportTable:
    """List the largest disagreements of every two judges."""
    return ReportTable(
        title="Largest disagreements",
        columns=("answer", "judged", "first", "second"),
        rows=tuple(
            (one.id, each.metric.replace("_", " "), decimal(one.first), decimal(one.second))
            for each in scores
            for one in each.largest[:most]
        ),
        numbers=frozenset({"first", "second"}),
    )
