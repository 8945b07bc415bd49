"""How far judges agree, as tables, and what they could not tell."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from uaeval.evaluation.judging.agreement import LabelAgreement, ScoreAgreement
from uaeval.evaluation.judging.other_judges import OtherJudgements
from uaeval.report.tables import ReportTable, decimal, spaced, table_of


def undecided_text(counts: Mapping[str, int]) -> str:
    """Return how often the judge could not tell, by name; empty if it always could."""
    return ", ".join(f"{spaced(name)} {count}" for name, count in counts.items() if count)


def undecided_note(counts: Mapping[str, int]) -> str:
    """Return the same as a note below a table."""
    text = undecided_text(counts)
    return f"Undecided (the judge could not tell): {text}." if text else ""


def agreement_table(
    passes: Sequence[LabelAgreement], scores: Sequence[ScoreAgreement] = ()
) -> ReportTable:
    """Show how far every two judges agree."""
    pairs: list[LabelAgreement | ScoreAgreement] = [*passes, *scores]
    return table_of(
        "Do the judges agree?",
        pairs,
        {
            "judged": lambda pair: spaced(pair.metric),
            "judge": lambda pair: pair.first,
            "other judge": lambda pair: pair.second,
            "n": lambda pair: str(pair.n),
            "kappa": lambda pair: decimal(getattr(pair, "kappa", None)),
            "Pearson": lambda pair: decimal(getattr(pair, "pearson", None)),
            "Spearman": lambda pair: decimal(getattr(pair, "spearman", None)),
        },
        text=3,
    )


def others_table(others: OtherJudgements | None) -> ReportTable:
    """Show how far the judges of an evaluation agree, and how often each could not tell."""
    if others is None:
        return agreement_table(())
    return replace(agreement_table(others.agreement), note=undecided_note(others.undecided_counts))


def disagreement_table(scores: Sequence[ScoreAgreement], most: int = 5) -> ReportTable:
    """List the largest disagreements of every two judges."""
    return table_of(
        "Largest disagreements",
        [(pair.metric, apart) for pair in scores for apart in pair.largest[:most]],
        {
            "answer": lambda row: row[1].id,
            "judged": lambda row: spaced(row[0]),
            "first": lambda row: decimal(row[1].first),
            "second": lambda row: decimal(row[1].second),
        },
        text=2,
    )
