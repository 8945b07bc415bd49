"""The tables of a grading: one row a sample, the best of each question, one row a cell."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from uaeval.evaluation.labels.label_files import csv_text, inert
from uaeval.evaluation.metrics.graded import CORRECTNESS, GRADED, RELEVANCY, Grade, GradedMetric
from uaeval.evaluation.statistics.composites import Observation, mean_score, proportion_score
from uaeval.grading.sample import Cell, Sample
from uaeval.storage import append, write_text
from uaeval.types import Score

REVIEW: Final = "per_sample_review.csv"
BEST: Final = "best_by_question.csv"
SUMMARY: Final = "summary_by_model_condition.csv"

_OF_RUN: Final = (
    "rag_context_used",
    "rag_gate_reason",
    "rag_top_score",
    "rag_context_chars",
    "rag_returned_chunks",
    "format_ok",
    "format_retry_used",
    "format_violation_reason",
    "format_violation_reason_after_retry",
)
REVIEW_COLUMNS: Final = (
    "question_id",
    "model",
    "condition",
    "question",
    "reference_answer",
    "answer",
    "grade",
    *(metric.name for metric in GRADED),
    "error",
    "blocked",
    *_OF_RUN,
    "correctness_rationale",
)
_RANKS: Final = (None, Grade.FAIL, Grade.PARTIAL, Grade.PASS)


def review_row(sample: Sample) -> dict[str, object]:
    """Return the cells of one sample."""
    run, primary = sample.run, sample.primary
    said = primary.rationales.get(CORRECTNESS.name, "") if primary else ""
    return {
        "question_id": sample.query.id,
        **sample.cell._asdict(),
        "question": sample.query.question,
        "reference_answer": sample.query.reference_answer or "",
        "answer": run.answer if run else "",
        "grade": sample.grade,
        **{metric.name: sample.scores.get(metric.name) for metric in GRADED},
        "error": sample.error,
        "blocked": sample.blocked,
        **{name: getattr(run, name) if run else None for name in _OF_RUN},
        "correctness_rationale": said,
    }


def start_review(folder: Path) -> None:
    """Write the review's header; rows of an earlier session come again as they are gone over."""
    _write(folder / REVIEW, REVIEW_COLUMNS, ())


def append_row(folder: Path, sample: Sample) -> None:
    """Add one row to the review.

    Raises:
        StorageError: the disk is full, or the file cannot be written.
    """
    row = csv_text(REVIEW_COLUMNS, [_cells(review_row(sample))], header=False)
    append(folder / REVIEW, row.encode())


def write_tables(folder: Path, samples: Sequence[Sample], cells: Sequence[Cell]) -> None:
    """Write all three tables anew, in the order of the cells and queries."""
    _write(folder / REVIEW, REVIEW_COLUMNS, map(review_row, samples))
    best = [
        {name: row[name.removeprefix("best_")] for name in _BEST_COLUMNS}
        for row in map(review_row, best_by_question(samples))
    ]
    _write(folder / BEST, _BEST_COLUMNS, best)
    summaries = [summary_row(cell, samples) for cell in cells]
    _write(folder / SUMMARY, tuple(summaries[0]), summaries)


_BEST_COLUMNS: Final = (
    "question_id",
    "question",
    "reference_answer",
    "best_model",
    "best_condition",
    "grade",
    CORRECTNESS.name,
    RELEVANCY.name,
    "answer",
)


def best_by_question(samples: Sequence[Sample]) -> list[Sample]:
    """Return the best sample of each question: by grade, correctness, relevancy; ties by order.

    A question to which no answer came has none.
    """
    best: dict[str, Sample] = {}
    for sample in samples:
        if sample.run is None:
            continue
        other = best.get(sample.query.id)
        if other is None or _rank(sample) > _rank(other):
            best[sample.query.id] = sample
    return list(best.values())


def _rank(sample: Sample) -> tuple[float, ...]:
    """Order samples: the later the better; what was not scored comes below a score of 0."""
    scores = (sample.scores.get(name, -1.0) for name in (CORRECTNESS.name, RELEVANCY.name))
    return (_RANKS.index(sample.grade), *scores)


def summary_row(cell: Cell, samples: Sequence[Sample]) -> dict[str, object]:
    """Sum up one model in one condition; failures are counted apart and enter no figure."""
    members = [sample for sample in samples if sample.cell == cell]
    passing = [Observation(sample.document, sample.passes) for sample in members]
    passes = proportion_score("pass_ratio", "/".join(cell), passing)
    runs = [sample.run for sample in members if sample.run]
    row: dict[str, object] = {
        **cell._asdict(),
        "n": len(members),
        "errors": sum(sample.error is not None for sample in members),
        "blocked": sum(sample.blocked for sample in members),
        "coverage": passes.judged / passes.n if passes.n else None,
        **{str(each): sum(sample.grade is each for sample in members) for each in Grade},
        **_flat("pass_ratio", passes),
        "format_ok_ratio": _ratio(run.format_ok for run in runs),
        "format_retry_ratio": _ratio(run.format_retry_used for run in runs),
        "rag_context_used_ratio": _ratio(run.rag_context_used for run in runs),
    }
    for metric in GRADED:
        row |= _flat(metric.name, _mean(metric, cell, members))
        row[f"{metric.name}_n"] = sum(metric.name in sample.scores for sample in members)
    return row


def _mean(metric: GradedMetric, cell: Cell, members: Sequence[Sample]) -> Score:
    """Score the mean over the samples that the metric was asked of."""
    seen = [
        Observation(sample.document, sample.scores.get(metric.name))
        for sample in members
        if sample.primary
        and (metric.name in sample.primary.scores or metric.name in sample.primary.errors)
    ]
    return mean_score(metric.name, "/".join(cell), seen, lower_is_better=metric.lower_is_better)


def _flat(name: str, score: Score) -> Mapping[str, object]:
    fields = ("low", "high", "worst", "best", "reliable")
    return {name: score.value} | {f"{name}_{field}": getattr(score, field) for field in fields}


def _ratio(held: Iterable[bool]) -> float | None:
    values = list(held)
    return sum(values) / len(values) if values else None


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    write_text(path, csv_text(columns, map(_cells, rows)))


def _cells(row: Mapping[str, object]) -> dict[str, str]:
    """Write values as text: nothing for what there is not, and no formula for a spreadsheet."""
    return {name: _cell(value) for name, value in row.items()}


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".") if value else "0"
    return inert(str(value))
