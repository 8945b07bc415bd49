"""What a review found: validity, agreement between annotators, what they differ on."""

from collections.abc import Iterator, Mapping, Sequence

from uaeval.evaluation.labels.annotators import Disagreement, Pair
from uaeval.report.tables import (
    UNRELIABLE_NOTE,
    ReportTable,
    bounds,
    decimal,
    interval,
    percent,
)
from uaeval.report.text import shortened
from uaeval.types import Score

_SHOWN = 20
_LONGEST = 80


def review_sheets(
    counts: Mapping[str, Mapping[str, int]],
    validity: Sequence[Score],
    pairs: Sequence[Pair],
    disputed: Sequence[Disagreement],
) -> Iterator[ReportTable]:
    """Show what annotators said; a table without a row is left out."""
    if counts:
        yield _counts_sheet(counts)
    if validity:
        yield _validity_sheet(validity)
    if pairs:
        yield _pairs_sheet(pairs)
    if disputed:
        yield _disputed_sheet(disputed)


def _counts_sheet(counts: Mapping[str, Mapping[str, int]]) -> ReportTable:
    words = sorted({word for said in counts.values() for word in said})
    return ReportTable(
        title="Labels",
        columns=("annotator", *words),
        rows=tuple(
            (name, *(str(said.get(word, 0)) for word in words)) for name, said in counts.items()
        ),
        numbers=frozenset(words),
    )


def _validity_sheet(validity: Sequence[Score]) -> ReportTable:
    columns = ("group", "valid %", "95 %", "labelled", "open", "worst to best %")
    return ReportTable(
        title="Validity by category",
        columns=columns,
        rows=tuple(
            (
                one.group.replace("_", " "),
                percent(one.value),
                interval(one),
                str(one.n),
                str(one.errors),
                bounds(one),
            )
            for one in validity
        ),
        note=(
            "Open: annotators are unsure, or at odds. Overall: unanswerable queries, each weighed "
            "by the inverse of its chance to be drawn. " + UNRELIABLE_NOTE
        ),
        numbers=frozenset(columns[1:]),
    )


def _pairs_sheet(pairs: Sequence[Pair]) -> ReportTable:
    columns = ("annotators", "of", "both labelled", "same", "kappa")
    return ReportTable(
        title="Agreement between annotators",
        columns=columns,
        rows=tuple(
            (f"{one.first}, {one.second}", one.kind, str(one.n), str(one.same), decimal(one.kappa))
            for one in pairs
        ),
        note="Cohen's kappa; unsure is a label of its own. A dash: only one label occurs.",
        numbers=frozenset(columns[2:]),
    )


def _disputed_sheet(disputed: Sequence[Disagreement]) -> ReportTable:
    left = [one for one in disputed if one.settled is None]
    return ReportTable(
        title=f"Disagreements: {len(left)} to settle, {len(disputed) - len(left)} settled",
        columns=("item", "said", "settled"),
        rows=tuple((one.item, _said(one), one.settled or "") for one in disputed[:_SHOWN]),
        note=f"The first {_SHOWN}." if len(disputed) > _SHOWN else "",
    )


def _said(one: Disagreement) -> str:
    return shortened("; ".join(f"{name}: {row.word}" for name, row in one.said.items()), _LONGEST)
