"""How far judges agree, as tables."""

from collections.abc import Sequence

from uaeval.evaluation.judging.agreement import LabelAgreement, ScoreAgreement
from uaeval.evaluation.judging.other_judges import OtherJudgements
from uaeval.report.tables import ReportTable, declared_table


def agreement_table(
    passes: Sequence[LabelAgreement], scores: Sequence[ScoreAgreement] = ()
) -> ReportTable:
    """Show how far every two judges agree."""
    return declared_table("judges", [*passes, *scores], undecided={})


def others_table(others: OtherJudgements | None) -> ReportTable:
    """Show how far the judges of an evaluation agree, and how often each could not tell."""
    rows, undecided = (others.agreement, others.undecided_counts) if others else ((), {})
    return declared_table("judges", rows, undecided=undecided)


def disagreement_table(scores: Sequence[ScoreAgreement]) -> ReportTable:
    """List the five largest disagreements of every two judges."""
    rows = [
        {"metric": pair.metric, "apart": apart} for pair in scores for apart in pair.largest[:5]
    ]
    return declared_table("largest_disagreements", rows)
