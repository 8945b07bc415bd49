"""Write the tables of a grading: all samples, the best sample per question, and a summary."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from uaeval.evaluation.metrics.graded import GRADED, Grade
from uaeval.evaluation.metrics.spec import value_at
from uaeval.evaluation.statistics.composites import CompositePart, mean_score, proportion_score
from uaeval.evaluation.statistics.intervals import Observation
from uaeval.grading.sample import Cell, Sample
from uaeval.records import Score
from uaeval.resources import shipped_table
from uaeval.storage import append, csv_text, without_formula, write_text

REVIEW: Final = "per_sample_review.csv"
BEST: Final = "best_by_question.csv"
SUMMARY: Final = "summary_by_model_condition.csv"

_COLUMNS: Final[Mapping[str, Mapping[str, str]]] = shipped_table("grading/columns.yaml")
"""The path of each column's value in a sample, such as `query.id`, by table and column."""


def start_review(folder: Path) -> None:
    """Start an empty review table; stored samples of an earlier session are appended again."""
    write_text(folder / REVIEW, _csv("review", ()))


def append_row(folder: Path, sample: Sample) -> None:
    """Append one sample to the review table."""
    append(folder / REVIEW, _csv("review", [sample], header=False).encode())


def write_tables(folder: Path, samples: Sequence[Sample], cells: Sequence[Cell]) -> None:
    """Rewrite all three tables, in the order of the cells and queries."""
    write_text(folder / REVIEW, _csv("review", samples))
    write_text(folder / BEST, _csv("best", best_by_question(samples)))
    summaries = (summary_row(cell, samples) for cell in cells)
    rows = [{name: _cell(value) for name, value in row.items()} for row in summaries]
    write_text(folder / SUMMARY, csv_text(rows[0], rows))


def best_by_question(samples: Sequence[Sample]) -> list[Sample]:
    """Return the best answered sample of each question by grade, correctness and relevancy."""
    best: dict[str, Sample] = {}
    for sample in samples:
        if sample.run is not None:
            rival = best.get(sample.query.id, sample)
            best[sample.query.id] = max(rival, sample, key=lambda each: each.rank)
    return [*best.values()]


def summary_row(cell: Cell, samples: Sequence[Sample]) -> dict[str, object]:
    """Return the figures of one model in one condition; failures are only counted."""
    members = [sample for sample in samples if sample.cell == cell]
    group, passing = "/".join(cell), [_observed(each, each.passes) for each in members]
    passes = proportion_score("pass_ratio", group, CompositePart(passing))
    runs = [sample.run for sample in members if sample.run]
    row: dict[str, object] = {
        **cell._asdict(),
        "n": len(members),
        "errors": sum(sample.error is not None for sample in members),
        "blocked": sum(sample.blocked for sample in members),
        "coverage": passes.judged / passes.n if passes.n else None,
        **{str(grade): sum(sample.grade is grade for sample in members) for grade in Grade},
        **_flat("pass_ratio", passes),
        "format_ok_ratio": _ratio(run.format_ok for run in runs),
        "format_retry_ratio": _ratio(run.format_retry_used for run in runs),
        "rag_context_used_ratio": _ratio(run.rag_context_used for run in runs),
    }
    for metric in GRADED:
        judged = [
            _observed(sample, sample.scores.get(metric.name))
            for sample in members
            if sample.primary and metric.name in sample.primary.scores | sample.primary.errors
        ]
        part = CompositePart(judged, metric.lower_is_better)
        row |= _flat(metric.name, mean_score(metric.name, group, part))
        row[f"{metric.name}_n"] = sum(metric.name in sample.scores for sample in members)
    return row


def _observed(sample: Sample, outcome: float | None) -> Observation:
    return Observation(sample.query.provenance.document_id, outcome)


def _flat(name: str, score: Score) -> Mapping[str, object]:
    fields = ("low", "high", "worst", "best", "reliable")
    return {name: score.value} | {f"{name}_{field}": getattr(score, field) for field in fields}


def _ratio(values: Iterable[bool]) -> float | None:
    known = list(values)
    return sum(known) / len(known) if known else None


def _csv(table: str, samples: Iterable[Sample], *, header: bool = True) -> str:
    columns = _COLUMNS[table].items()
    rows = ({name: _cell(value_at(one, path)) for name, path in columns} for one in samples)
    return csv_text(_COLUMNS[table], rows, header=header)


def _cell(value: object) -> str:
    """Return a value as text: empty for `None`, and never a formula of a spreadsheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".") if value else "0"
    return without_formula(str(value))
