"""Tables about a dataset: yields, rejections, blocked and failed calls, leakage, samples."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby

from uaeval.categories.names import category_names
from uaeval.records import Failure, Query
from uaeval.report.costs import usage_table
from uaeval.report.tables import ReportTable, declared_table, spaced
from uaeval.run_folder import Count, Leakage, Manifest
from uaeval.text.telling_apart import FEWEST_PAIRS

_REASONS = 3
_FIRST_WORDS = 5
"""Number of words by which messages of failures are told apart."""


def dataset_tables(manifest: Manifest) -> tuple[ReportTable, ...]:
    """Return the tables of a dataset: yields, rejections, blocked calls, leakage, and cost."""
    return (
        dataset_table(manifest),
        rejection_table(manifest),
        blocked_table(blocked_stages(manifest)),
        leakage_table(manifest.leakage),
        usage_table(manifest.usage, sum(manifest.selected.values()), "accepted query"),
    )


def leakage_table(measured: Sequence[Leakage]) -> ReportTable:
    """Return a table of how well queries can be told from their twins by words alone."""
    return declared_table("leakage", measured, fewest=FEWEST_PAIRS)


def dataset_table(manifest: Manifest) -> ReportTable:
    """Return a table by category of the quota, and of the outcomes of assignments."""
    rows = [_dataset_row(name, [name], manifest) for name in manifest.asked]
    return declared_table(
        "dataset",
        [*rows, _dataset_row("all", manifest.asked, manifest)],
        key_phrases=manifest.knowledge_base.key_phrases,
    )


def _dataset_row(name: str, members: Iterable[str], manifest: Manifest) -> dict[str, object]:
    counts = [count for member in members for count in _counts(member, manifest)]
    return {
        "category": name,
        "asked": sum(manifest.asked[member] for member in members),
        "kept": sum(manifest.selected.get(member, 0) for member in members),
        **{
            fate: sum(getattr(count, fate) for count in counts)
            for fate in ("rejected", "failed", "waiting")
        },
    }


def _counts(name: str, manifest: Manifest) -> list[Count]:
    return [stage.get(name, Count()) for stage in manifest.stages.values()]


def rejection_table(manifest: Manifest) -> ReportTable:
    """Return a table by category of the most frequent reasons of rejections."""
    reasons = {
        name: sum((Counter(count.reasons) for count in _counts(name, manifest)), Counter[str]())
        for name in manifest.asked
    }
    rows = [(name, _main_reasons(counts)) for name, counts in reasons.items() if counts]
    shown = {reason for counts in reasons.values() for reason, _ in counts.most_common(_REASONS)}
    return declared_table("rejections", rows, shown=shown)


def _main_reasons(reasons: Counter[str]) -> str:
    main = [(spaced(reason), count) for reason, count in reasons.most_common(_REASONS)]
    rest = reasons.total() - sum(count for _, count in main)
    shown = [*main, ("other", rest)] if rest else main
    return ", ".join(f"{reason} {count}" for reason, count in shown)


def sample_table(queries: Iterable[Query], per_category: int) -> ReportTable:
    """Return a table of the first queries of each category and their twins."""
    known = {query.id: query for query in queries}
    rows = list[tuple[Query, Query | None]]()
    for category in category_names():
        members = [query for query in known.values() if query.category == category]
        rows += [(query, known.get(query.pair_id or "")) for query in members[:per_category]]
    return declared_table("samples", rows)


def blocked_table(counts: Mapping[str, Mapping[str, int]]) -> ReportTable:
    """Return a table of blocked calls by category, with one column per stage in `counts`."""
    groups = dict.fromkeys([*category_names(), *chain.from_iterable(counts.values())])
    rows = [name for name in groups if any(by.get(name) for by in counts.values())]
    return declared_table("blocked", rows, counts=counts)


def blocked_stages(manifest: Manifest) -> Mapping[str, Mapping[str, int]]:
    """Return the number of blocked records, and of queries written offline instead, by category."""
    stages = manifest.stages
    written = stages.get("generate", {})
    return {
        "generate": {name: count.blocked for name, count in written.items()},
        "verify": {name: count.blocked for name, count in stages.get("verify", {}).items()},
        "written offline instead": {name: count.by_offline for name, count in written.items()},
    }


def failure_table(failures: Iterable[Failure]) -> ReportTable:
    """Return a table of failures by stage, kind and first words, with the first message of each."""
    by_reason = groupby(sorted(failures, key=_reason), _reason)
    members: list[list[Failure]] = [list(failures) for _, failures in by_reason]
    members.sort(key=len, reverse=True)
    return declared_table("failures", members)


def _reason(failure: Failure) -> tuple[str, ...]:
    words = failure.message.replace(failure.id, "").partition("(")[0].split()
    return failure.stage, failure.kind, *words[:_FIRST_WORDS]
