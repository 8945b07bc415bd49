"""What a page says of one run, section by section: charts, and the same figures as tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from uaeval.evaluation.metrics.attribution import METRIC as ATTRIBUTION
from uaeval.report.all_scores import attribution_table, score_tables
from uaeval.report.costs import usage_table
from uaeval.report.dataset import (
    blocked_stages,
    blocked_table,
    dataset_table,
    failure_table,
    leakage_table,
    rejection_table,
)
from uaeval.report.html.charts import (
    fault_chart,
    metric_charts,
    plane_chart,
    reason_chart,
    yield_chart,
)
from uaeval.report.html.kinds import Chart, curve_chart
from uaeval.report.overview import overview_tables
from uaeval.report.reading import ReportData
from uaeval.report.tables import ReportTable

_NOTHING_PAID = "uaeval called no model that costs anything."


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page."""

    id: str
    short: str
    """Its name in the navigation."""
    title: str
    text: str = ""
    charts: tuple[Chart, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    """Tables that stand open."""
    details: tuple[ReportTable, ...] = ()
    """Tables that open on demand."""


def section(
    name: str,
    short: str,
    title: str,
    charts: Iterable[Chart | None] = (),
    tables: Iterable[ReportTable] = (),
    details: Iterable[ReportTable] = (),
    *,
    text: str = "",
) -> Section:
    """Make a section of the charts and tables that have anything to show."""
    return Section(
        id=name,
        short=short,
        title=title,
        text=text,
        charts=tuple(chart for chart in charts if chart),
        tables=tuple(table for table in tables if table.rows),
        details=tuple(table for table in details if table.rows),
    )


def evaluation_sections(run: ReportData) -> Iterator[Section]:
    """Yield the sections about the evaluation."""
    evaluation, scores = run.evaluation, run.evaluation.scores
    overview = {table.title: table for table in overview_tables(scores)}
    further, headline = overview.pop("Further figures"), overview.pop("Headline")
    attributions = evaluation.further.of(ATTRIBUTION) if evaluation.further else ()
    yield section(
        "categories",
        "Categories",
        "By category",
        metric_charts(scores, "categories"),
        overview.values(),
    )
    yield section(
        "refusal",
        "Refusal",
        "Does it decline what it should, and only that?",
        [plane_chart(scores), *metric_charts(scores, "refusal")],
        [further],
    )
    yield section(
        "weights",
        "Weights",
        "How much the weights matter",
        [curve_chart([(run.name, scores)], run.about.weights[0])],
    )
    yield section(
        "attribution",
        "Causes",
        "Why responses are bad",
        [fault_chart(evaluation.queries, attributions)],
        [attribution_table(evaluation)],
    )
    yield section(
        "errors",
        "Errors",
        "Errors and blocked calls",
        tables=[failure_table(evaluation.failures), blocked_table(evaluation.blocked_counts)],
        text="" if evaluation.failures else "No call failed.",
    )
    yield section(
        "cost",
        "Cost",
        "What the evaluation cost",
        tables=[usage_table(run.about.usage, len(evaluation.queries), "query")],
        text=_cost_text(run),
    )
    yield section(
        "figures", "All figures", "All figures", details=[headline, *score_tables(scores)]
    )


def synthesis_sections(run: ReportData) -> Iterator[Section]:
    """Yield the sections about how the dataset was made."""
    manifest = run.synthesis
    accepted = sum(manifest.chosen.values())
    yield section(
        "synthesis",
        "Dataset",
        "How the queries were made",
        [yield_chart(manifest), reason_chart(manifest)],
        [dataset_table(manifest), rejection_table(manifest)],
        [blocked_table(blocked_stages(manifest)), leakage_table(run.about.leakage)],
    )
    yield section(
        "synthesis-cost",
        "Dataset cost",
        "What the dataset cost",
        tables=[usage_table(manifest.usage, accepted, "accepted query")],
        text="" if manifest.usage else _NOTHING_PAID,
    )


def _cost_text(run: ReportData) -> str:
    sweep = run.recorded.manifest.sweep
    if sweep:
        return f"Calls and cost are counted for the whole sweep {sweep}."
    return "" if run.about.usage else _NOTHING_PAID
