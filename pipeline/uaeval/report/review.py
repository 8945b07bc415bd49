"""Tables about a review: validity, agreement between annotators, what they differ on."""

from collections.abc import Mapping, Sequence

from uaeval.evaluation.labels.annotators import Disagreement, Pair
from uaeval.report.tables import (
    UNRELIABLE_NOTE,
    ReportTable,
    bounds,
    decimal,
    interval,
    percent,
    spaced,
    table_of,
)
from uaeval.report.text import shortened
from uaeval.types import Score

_SHOWN = 20
_LONGEST = 80


def review_tables(
    counts: Mapping[str, Mapping[str, int]],
    validity: Sequence[Score],
    pairs: Sequence[Pair],
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


def _pairs_table(pairs: Sequence[Pair]) -> ReportTable:
    return table_of(
        "Agreement between annotators",
        pairs,
        {
            "annotators": lambda pair: f"{pair.first}, {pair.second}",
            "of": lambda pair: pair.kind,
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
