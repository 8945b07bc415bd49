"""What every report shows, as plain rows; the terminal and Markdown only draw them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from uaeval.categories.names import category_names
from uaeval.evaluation.latency import Latency
from uaeval.evaluation.leakage import FEWEST_PAIRS, Leakage
from uaeval.evaluation.metrics.registry import judged_metrics, metric_named
from uaeval.evaluation.metrics.spec import MACRO, OVERALL, Family, MetricSpec
from uaeval.run_folder import Count, Manifest
from uaeval.types import Failure, Query, Score

NOTHING = "–"
UNRELIABLE = "*"
_ORDER = {name: place for place, name in enumerate(category_names())}
_REASONS = 3
_COLUMNS = (
    "figure",
    "group",
    "value %",
    "95 % interval",
    "n",
    "errors",
    "undecided",
    "coverage %",
    "worst to best %",
)

_OVERALL = "Overall"
_BY_CATEGORY = "Unanswerable queries by category"
_CONTROLS = "Controls by the category of their pair"
_DIFFICULTY = "By difficulty"
_SUBTYPE = "By subtype"
_OWN_SECTION: Mapping[Family, str] = MappingProxyType(
    {
        Family.BLOCKED: "Stopped by a content filter",
        Family.CURVE: "Joint score by weight of correctness",
        Family.JUDGED: "Further metrics",
    }
)
"""Families whose scores stand together, whatever their groups."""
_NOTES: Mapping[str, str] = MappingProxyType(
    {
        _OWN_SECTION[Family.BLOCKED]: (
            "A blocked response is no refusal: it is left out of the ratios above, and a blocked "
            "control counts as incorrect. The ratios with blocked count it as a refusal."
        ),
        _OWN_SECTION[Family.JUDGED]: "Means of scores in percent.",
        _OWN_SECTION[Family.CURVE]: "The weight of the acceptable ratio is what is left to 1.",
    }
)
UNRELIABLE_NOTE = (
    f"{UNRELIABLE} unreliable interval: fewer than 20 source documents, or all of them agree, so "
    "that resampling them shows no spread."
)
_SECTIONS = (
    _OVERALL,
    _BY_CATEGORY,
    _CONTROLS,
    _OWN_SECTION[Family.BLOCKED],
    _DIFFICULTY,
    _SUBTYPE,
    _OWN_SECTION[Family.CURVE],
    _OWN_SECTION[Family.JUDGED],
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table that nobody has drawn yet. Cells hold text as it came: whoever draws it escapes."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    numbers: frozenset[str] = frozenset()
    """Columns that are set flush right."""
    totals: int = 0
    """How many of the last rows sum up the others."""


def percent(value: float | None) -> str:
    """Write a ratio in percent; an undefined one is a dash, never a zero."""
    return NOTHING if value is None else f"{100 * value:.1f}"


def decimal(value: float | None) -> str:
    """Write a figure with two decimals."""
    return NOTHING if value is None else f"{value:.2f}"


def interval(score: Score) -> str:
    """Write the 95 % interval in percent, marked when it rests on too few documents."""
    if score.low is None or score.high is None:
        return NOTHING
    mark = "" if score.reliable else f" {UNRELIABLE}"
    return f"{percent(score.low)}–{percent(score.high)}{mark}"


def coverage(score: Score) -> str:
    """Write how much of what should have been judged was, in percent."""
    return percent(score.judged / score.n if score.n else None)


def bounds(score: Score) -> str:
    """Write what the value would be if all that is not judged had counted against, and for."""
    if score.judged == score.n or score.worst is None or score.best is None:
        return NOTHING
    return f"{percent(score.worst)} to {percent(score.best)}"


def latency_told(found: Latency) -> str:
    """Describe how long the system under test took."""
    return (
        f"median {found.p50:g} s, p90 {found.p90:g}, p95 {found.p95:g}, p99 {found.p99:g}, "
        f"longest {found.longest:g} s, over {found.n} responses"
    )


def stopped_told(parts: Mapping[str, int]) -> str:
    """Say for how many responses which part of the RAG did nothing; empty if there are none."""
    return ", ".join(f"{part}: {count} responses" for part, count in parts.items())


def find(scores: Iterable[Score], metric: MetricSpec, group: str | None = None) -> Score | None:
    """Return the score of a metric, in its main group if none is named; `None` without one."""
    group = group or metric.group
    found = (score for score in scores if (score.metric, score.group) == (metric.name, group))
    return next(found, None)


def score_sheets(scores: Iterable[Score]) -> tuple[ReportTable, ...]:
    """Return the scores in their sections; a section without a score is left out."""
    by_section: dict[str, list[Score]] = {title: [] for title in _SECTIONS}
    for score in scores:
        by_section[_section(score)].append(score)
    for title in (_BY_CATEGORY, _CONTROLS):
        by_section[title].sort(key=lambda score: _ORDER[score.group])
    return tuple(_score_sheet(title, members) for title, members in by_section.items() if members)


def _section(score: Score) -> str:
    family = metric_named(score.metric).family
    if family in _OWN_SECTION:
        return _OWN_SECTION[family]
    if score.group in (OVERALL, MACRO):
        return _OVERALL
    if score.group in _ORDER:
        return _CONTROLS if family is Family.CONTROLS else _BY_CATEGORY
    return _SUBTYPE if "/" in score.group else _DIFFICULTY


def _score_sheet(title: str, scores: Sequence[Score]) -> ReportTable:
    marked = any(score.low is not None and not score.reliable for score in scores)
    names = {score.metric for score in scores}
    of_metrics = [
        metric.note
        for metric in judged_metrics().values()
        if names & {spec.name for spec in metric.metrics}
    ]
    notes = (_NOTES.get(title, ""), *of_metrics, UNRELIABLE_NOTE if marked else "")
    hidden = -1 if any(score.undecided for score in scores) else _COLUMNS.index("undecided")
    columns, *rows = (
        tuple(cell for place, cell in enumerate(row) if place != hidden)
        for row in (_COLUMNS, *map(_score_row, scores))
    )
    return ReportTable(
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=" ".join(note for note in notes if note),
        numbers=frozenset(_COLUMNS[2:]),
    )


def _score_row(score: Score) -> tuple[str, ...]:
    return (
        metric_named(score.metric).shown_name,
        score.group.replace("_", " "),
        percent(score.value),
        interval(score),
        str(score.n),
        str(score.errors),
        str(score.undecided),
        coverage(score),
        bounds(score),
    )


def leakage_sheet(measured: Sequence[Leakage]) -> ReportTable:
    """Show how easily the queries give themselves away."""
    columns = ("category", "pairs", "AUC", "length\nratio", "opening\n%", "commonest opening")
    return ReportTable(
        title="Easy items and leakage",
        columns=columns,
        rows=tuple(
            (
                one.category.replace("_", " "),
                str(one.pairs),
                decimal(one.auc),
                decimal(one.length_ratio),
                percent(one.opening_share),
                NOTHING if one.opening is None else one.opening,
            )
            for one in measured
        ),
        note=" ".join([_LEAKAGE_NOTE, *(_hardness(one) for one in measured if _is_graded(one))]),
        numbers=frozenset(columns[1:-1]),
    )


_LEAKAGE_NOTE = (
    "AUC: how well the words alone tell a query from its twin (0.50 is chance). Length ratio: "
    "query to twin. Opening: the share of queries with the commonest first four words. A dash: "
    f"fewer than {FEWEST_PAIRS} pairs."
)


def _is_graded(one: Leakage) -> bool:
    return one.hardness_mean is not None


def _hardness(one: Leakage) -> str:
    name = one.category.replace("_", " ")
    lowest, highest = decimal(one.hardness_min), decimal(one.hardness_max)
    return (
        f"Hardness of {name}, the best similarity in the knowledge base: mean "
        f"{decimal(one.hardness_mean)}, from {lowest} to {highest}."
    )


def dataset_sheet(manifest: Manifest) -> ReportTable:
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
        name.replace("_", " "),
        str(asked),
        str(manifest.chosen.get(name, 0)),
        str(sum(count.rejected for count in counts)),
        str(sum(count.failed for count in counts)),
        str(sum(count.waiting for count in counts)),
    )


def _counts(name: str, manifest: Manifest) -> list[Count]:
    return [stage.get(name, Count()) for stage in manifest.stages.values()]


def rejection_sheet(manifest: Manifest) -> ReportTable:
    """Show for each category the commonest reasons for which candidates were rejected."""
    rows = ((name.replace("_", " "), _reasons(name, manifest)) for name in manifest.asked)
    return ReportTable(
        title="Why candidates were rejected",
        columns=("category", "main reasons"),
        rows=tuple(row for row in rows if row[1]),
    )


def _reasons(name: str, manifest: Manifest) -> str:
    reasons: Counter[str] = Counter()
    for count in _counts(name, manifest):
        reasons.update(count.reasons)
    main = [(reason.replace("_", " "), count) for reason, count in reasons.most_common(_REASONS)]
    rest = reasons.total() - sum(count for _, count in main)
    shown = [*main, ("other", rest)] if rest else main
    return ", ".join(f"{reason} {count}" for reason, count in shown)


def sample_sheet(queries: Iterable[Query], per_category: int = 1) -> ReportTable:
    """Show the first queries of each category beside their twins."""
    known = {query.id: query for query in queries}
    rows = []
    for category in category_names():
        members = [query for query in known.values() if query.category == category]
        for query in members[:per_category]:
            twin = known.get(query.pair_id or NOTHING)
            name = category.replace("_", " ")
            rows.append((name, query.question, twin.question if twin else NOTHING))
    columns = ("category", "should not be answered", "its answerable twin")
    return ReportTable(title="Sample queries", columns=columns, rows=tuple(rows))


def blocked_sheet(counts: Mapping[str, Mapping[str, int]]) -> ReportTable:
    """Show by category what a content filter stopped, one column for each stage in `counts`."""
    names = dict.fromkeys([*category_names(), *(name for one in counts.values() for name in one)])
    by_category = {name: [one.get(name, 0) for one in counts.values()] for name in names}
    return ReportTable(
        title="Blocked by a content filter",
        columns=("category", *counts),
        rows=tuple(
            (name.replace("_", " "), *map(str, found))
            for name, found in by_category.items()
            if any(found)
        ),
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


def failure_sheet(failures: Iterable[Failure]) -> ReportTable:
    """Count the failures by stage and kind, with the message of the first."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for failure in failures:
        key = (failure.stage, failure.kind)
        counts[key] += 1
        first.setdefault(key, failure.message)
    return ReportTable(
        title="Failures",
        columns=("stage", "kind", "count", "first message"),
        rows=tuple(
            (stage, kind, str(count), first[stage, kind])
            for (stage, kind), count in sorted(counts.items())
        ),
        note="A failure is an error: never a refusal, never a score.",
        numbers=frozenset({"count"}),
    )
