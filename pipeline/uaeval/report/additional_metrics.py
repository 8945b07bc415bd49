"""What is shown beyond the scores: why responses are bad, and lines for single queries."""

from collections import Counter
from collections.abc import Iterator

from uaeval.categories.names import category_names
from uaeval.evaluation.metrics.attribution import METRIC, Fault
from uaeval.evaluation.metrics.on_demand import AdditionalResults
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.metrics.spec import CONTROLS
from uaeval.evaluation.run import Evaluation
from uaeval.report.tables import ReportTable


def attribution_table(evaluation: Evaluation) -> ReportTable:
    """Count by category which part of the system the bad responses are laid to."""
    columns = ("bad responses", "all", *(fault.replace("_", " ") for fault in Fault))
    group_of = {query.id: query.category or CONTROLS for query in evaluation.queries}
    found = evaluation.further.of(METRIC) if evaluation.further else ()
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


def record_lines(further: AdditionalResults) -> Iterator[str]:
    """Yield a line for each record of the metrics that write one."""
    for metric in judged_metrics().values():
        if metric.line:
            yield from map(metric.line, further.of(metric))
