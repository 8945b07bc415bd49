"""Tables of a comparison of evaluations: differences of figures, and flipped queries."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from uaeval.evaluation.compare import ChangedOutcome, Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.registry import HEADLINE, metric_named
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.significance import LEVEL
from uaeval.report.markdown import document
from uaeval.report.tables import NOTHING, UNRELIABLE, ReportTable, declared_table, find, spaced


def by_runs(comparisons: Iterable[Comparison]) -> list[tuple[str, str, list[Comparison]]]:
    """Return the comparisons of every two runs, with the names of the runs."""
    pairs = groupby(comparisons, attrgetter("first_run", "second_run"))
    return [(first, second, list(members)) for (first, second), members in pairs]


def comparison_tables(
    comparisons: Sequence[Comparison], *, brief: bool = False
) -> Iterator[ReportTable]:
    """Yield one table for every two runs, the second compared with the first.

    A brief table has only the number of pairs as a count, and fits a terminal.
    """
    tested = [figure.primary for figure in comparisons if figure.p_value is not None]
    pairs = by_runs(comparisons)
    for number, (first, second, members) in enumerate(pairs, 1):
        yield declared_table(
            "comparison",
            members,
            explained=number == (len(pairs) if brief else 1),
            first=first,
            second=second,
            brief=brief,
            tested=len(tested),
            primary=sum(tested),
            level=LEVEL,
            figure=figure_in_words,
            change=difference_in_words,
            p_value=_p_value,
        )


def runs_table(runs: Sequence[Evaluation]) -> ReportTable:
    """Return a table of the headline figures of each run, over all its judged queries."""
    scores = [find(run.scores, metric) for run in runs for metric in HEADLINE]
    return declared_table("runs", runs, metrics=HEADLINE, scores=[*filter(None, scores)])


def figure_in_words(comparison: Comparison, brief: bool = False) -> str:
    """Return the name of a figure; if `brief`, that of a group is only the group's name."""
    name, group = metric_named(comparison.metric).shown_name, spaced(comparison.group)
    if comparison.group == OVERALL:
        return name
    return f"- {group}" if brief else f"{name}, {group}"


def difference_in_words(comparison: Comparison) -> str:
    """Return a difference in percentage points with its interval, as text."""
    if comparison.difference is None or comparison.interval is None:
        return NOTHING
    low, high = (f"{100 * end:+.1f}" for end in comparison.interval)
    mark = "" if comparison.reliable else f" {UNRELIABLE}"
    return f"{100 * comparison.difference:+.1f} ({low} to {high}){mark}"


def _p_value(value: float | None) -> str:
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FLIPS = 20
"""Most flipped queries in a table of an HTML page."""


def flip_tables(
    flips: Sequence[ChangedOutcome], most: int | None = None, rest: str = "", *, brief: bool = False
) -> Iterator[ReportTable]:
    """Yield one table per ordered pair of runs (right, wrong), with the first `most` queries.

    The note has the number of further queries, and with `rest` where to find them.
    """
    for members in flips_by_runs(flips):
        shown = members[:most]
        yield declared_table(
            "flips",
            shown,
            good=members[0].good,
            bad=members[0].bad,
            all=len(members),
            more=len(members) - len(shown),
            rest=rest,
            brief=brief,
        )


def flips_by_runs(flips: Iterable[ChangedOutcome]) -> list[list[ChangedOutcome]]:
    """Return the flipped queries of each ordered pair of runs (right, wrong)."""
    runs = attrgetter("good", "bad")
    return [list(members) for _, members in groupby(sorted(flips, key=runs), runs)]


def comparison_report(comparisons: Sequence[Comparison], flips: Sequence[ChangedOutcome]) -> str:
    """Return the comparison as Markdown, with every flipped query."""
    tables = [*comparison_tables(comparisons), *flip_tables(flips)]
    return document("comparison.md.jinja", tables=tables)
