"""How far judges agree, as tables."""

from collections.abc import Sequence

from uaeval.evaluation.agreement import LabelAgreement, ScoreAgreement
from uaeval.report.tables import NOTHING, Sheet, decimal


def agreement_sheet(
    passes: Sequence[LabelAgreement], scores: Sequence[ScoreAgreement] = ()
) -> Sheet:
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
    return Sheet(
        title="Do the judges agree?",
        columns=columns,
        rows=tuple(rows),
        numbers=frozenset(columns[3:]),
    )


def disagreement_sheet(scores: Sequence[ScoreAgreement], most: int = 5) -> Sheet:
    """List the largest disagreements of every two judges."""
    return Sheet(
        title="Largest disagreements",
        columns=("answer", "judged", "first", "second"),
        rows=tuple(
            (one.id, each.metric.replace("_", " "), decimal(one.first), decimal(one.second))
            for each in scores
            for one in each.largest[:most]
        ),
        numbers=frozenset({"first", "second"}),
    )
