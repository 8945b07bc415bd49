"""Tables about a dataset: yields, rejections, blocked and failed calls, leakage, samples."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from uaeval.categories.names import category_names
from uaeval.evaluation.leakage import FEWEST_PAIRS, Leakage
from uaeval.report.tables import NOTHING, ReportTable, decimal, percent, spaced
from uaeval.run_folder import Count, Manifest
from uaeval.types import Failure, Query

_REASONS = 3
_LEAKAGE_NOTE = (
    "AUC: how well the words alone tell a query from its twin (0.50 is chance). Length ratio: "
    "query to twin. Opening: the share of queries with the commonest first four words. A dash: "
    f"fewer than {FEWEST_PAIRS} pairs."
)


def leakage_table(measured: Sequence[Leakage]) -> ReportTable:
    """Show how easily the queries give themselves away."""
    graded = (_hardness(leak) for leak in measured if leak.hardness_mean is not None)
    columns = ("category", "pairs", "AUC", "length\nratio", "opening\n%", "commonest opening")
    return ReportTable(
        title="Easy items and leakage",
        columns=columns,
        rows=tuple(
            (
                spaced(leak.category),
                str(leak.pairs),
                decimal(leak.auc),
                decimal(leak.length_ratio),
                percent(leak.opening_share),
                NOTHING if leak.opening is None else leak.opening,
            )
            for leak in measured
        ),
        note=" ".join([_LEAKAGE_NOTE, *graded]),
        numbers=frozenset(columns[1:-1]),
    )


def _hardness(leak: Leakage) -> str:
    lowest, highest = decimal(leak.hardness_min), decimal(leak.hardness_max)
    return (
        f"Hardness of {spaced(leak.category)}, the best similarity in the knowledge base: mean "
        f"{decimal(leak.hardness_mean)}, from {lowest} to {highest}."
    )


def dataset_table(manifest: Manifest) -> ReportTable:
    """Show for each category how many queries were asked for, and what became of the attempts."""
    columns = ("category", "asked", "kept", "rejected", "failed", "waiting")
    rows = [_dataset_row(name, asked, manifest) for name, asked in manifest.asked.items()]
    totals = [str(sum(int(row[place]) for row in rows)) for place in range(1, len(columns))]
    return ReportTable(
        title="Dataset",
        columns=columns,
        rows=(*rows, ("all", *totals)),
        note="Kept: queries in the dataset, each with its twin. A failure is no rejection. "
        f"Key phrases: {manifest.knowledge_base.key_phrases}.",
        numbers=frozenset(columns[1:]),
        totals=1,
    )


def _dataset_row(name: str, asked: int, manifest: Manifest) -> tuple[str, ...]:
    counts = _counts(name, manifest)
    return (
        spaced(name),
        str(asked),
        str(manifest.chosen.get(name, 0)),
        str(sum(count.rejected for count in counts)),
        str(sum(count.failed for count in counts)),
        str(sum(count.waiting for count in counts)),
    )


def _counts(name: str, manifest: Manifest) -> list[Count]:
    return [stage.get(name, Count()) for stage in manifest.stages.values()]


def rejection_table(manifest: Manifest) -> ReportTable:
    """Show for each category the commonest reasons for which candidates were rejected."""
    rows = ((spaced(name), _reasons(name, manifest)) for name in manifest.asked)
    return ReportTable(
        title="Why candidates were rejected",
        columns=("category", "main reasons"),
        rows=tuple(row for row in rows if row[1]),
    )


def _reasons(name: str, manifest: Manifest) -> str:
    reasons: Counter[str] = Counter()
    for count in _counts(name, manifest):
        reasons.update(count.reasons)
    main = [(spaced(reason), count) for reason, count in reasons.most_common(_REASONS)]
    rest = reasons.total() - sum(count for _, count in main)
    shown = [*main, ("other", rest)] if rest else main
    return ", ".join(f"{reason} {count}" for reason, count in shown)


def sample_table(queries: Iterable[Query], per_category: int = 1) -> ReportTable:
    """Show the first queries of each category beside their twins."""
    known = {query.id: query for query in queries}
    rows = []
    for category in category_names():
        members = [query for query in known.values() if query.category == category]
        for query in members[:per_category]:
            twin = known.get(query.pair_id or NOTHING)
            rows.append((spaced(category), query.question, twin.question if twin else NOTHING))
    columns = ("category", "should not be answered", "its answerable twin")
    return ReportTable(title="Sample queries", columns=columns, rows=tuple(rows))


def blocked_table(counts: Mapping[str, Mapping[str, int]]) -> ReportTable:
    """Show by category what a content filter stopped, one column for each stage in `counts`."""
    names = dict.fromkeys(
        [*category_names(), *(name for stage in counts.values() for name in stage)]
    )
    rows = {name: [stage.get(name, 0) for stage in counts.values()] for name in names}
    return ReportTable(
        title="Blocked by a content filter",
        columns=("category", *counts),
        rows=tuple((spaced(name), *map(str, row)) for name, row in rows.items() if any(row)),
        note="What a provider's content filter stopped is no refusal and no failure."
        + (" What a judge was blocked at is an error of its figures." if "judge" in counts else ""),
        numbers=frozenset(counts),
    )


def blocked_stages(manifest: Manifest) -> Mapping[str, Mapping[str, int]]:
    """Count by category what was blocked in each stage, and what was written offline instead."""
    stages = manifest.stages
    counts = {
        stage: {name: count.blocked for name, count in stages.get(stage, {}).items()}
        for stage in ("generate", "verify")
    }
    written = {name: count.by_offline for name, count in stages.get("generate", {}).items()}
    return counts | {"written offline instead": written}


def failure_table(failures: Iterable[Failure]) -> ReportTable:
    """Count the failures by stage and kind, with the message of the first."""
    kinds: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        kinds.setdefault((failure.stage, failure.kind), []).append(failure)
    return ReportTable(
        title="Failures",
        columns=("stage", "kind", "count", "first message"),
        rows=tuple(
            (stage, kind, str(len(members)), members[0].message)
            for (stage, kind), members in sorted(kinds.items())
        ),
        note="A failure is an error: never a refusal, never a score.",
        numbers=frozenset({"count"}),
    )
