"""What is shown beyond the scores: why responses are bad, and one line for each final score."""

from collections import Counter

from uaeval.categories.names import category_names
from uaeval.evaluation.attribution import Fault
from uaeval.evaluation.figures import CONTROLS
from uaeval.evaluation.final_score import FinalScore, line
from uaeval.evaluation.run import Evaluation
from uaeval.report.tables import ReportTable


def attribution_sheet(evaluation: Evaluation) -> ReportTable:
    """Count by category which part of the system the bad responses are laid to."""
    columns = ("bad responses", "all", *(fault.replace("_", " ") for fault in Fault))
    group_of = {query.id: query.category or CONTROLS for query in evaluation.queries}
    found = evaluation.further.attributions if evaluation.further else ()
    counts = Counter((group_of[one.query_id], one.fault) for one in found)
    rows = []
    for group in (*category_names(), CONTROLS):
        numbers = [counts[group, fault] for fault in Fault]
        if sum(numbers):
            rows.append((group.replace("_", " "), str(sum(numbers)), *map(str, numbers)))
    return ReportTable(
        title="Why responses are bad",
        columns=columns,
        rows=tuple(rows),
        note=(
            "Retrieval: the passages that a right response rests on were not retrieved. "
            "Generation: they were, or none could have answered. Knowledge base: the contexts "
            "state what the dataset's knowledge base does not."
        ),
        numbers=frozenset(columns[1:]),
    )


def scored_line(scored: FinalScore) -> str:
    """Write one query's final score on a line of its own."""
    return f"{scored.question_id} {line(scored)}"
