"""What a comparison of evaluations shows: how figures differ, and which queries flipped."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from uaeval.evaluation.compare import ChangedOutcome, Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.registry import HEADLINE, metric_named
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.paired import LEVEL
from uaeval.report.markdown import document
from uaeval.report.tables import NOTHING, UNRELIABLE, ReportTable, declared_table, find, spaced


def by_runs(comparisons: Iterable[Comparison]) -> list[tuple[str, str, list[Comparison]]]:
    """Return the comparisons of every two runs, with the names of the runs."""
    pairs = groupby(comparisons, attrgetter("first_run", "second_run"))
    return [(first, second, list(members)) for (first, second), members in pairs]


def comparison_tables(
    comparisons: Sequence[Comparison], *, brief: bool = False
) -> Iterator[ReportTable]:
    """Show every two runs in a table of their own, the second against the first.

    A brief one has no counts beyond that of the pairs, and fits a terminal.
    """
    tested = [each.primary for each in comparisons if each.p_value is not None]
    pairs = by_runs(comparisons)
    for place, (first, second, members) in enumerate(pairs, 1):
        yield declared_table(
            "comparison",
            members,
            last=place == len(pairs),
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
    """Show the headline figures of each run over all that it was judged on."""
    scores = [find(run.scores, metric) for run in runs for metric in HEADLINE]
    return declared_table("runs", runs, metrics=HEADLINE, find=find, scores=[*filter(None, scores)])


def figure_in_words(comparison: Comparison, brief: bool = False) -> str:
    """Write what is compared; a `brief` name of a group stands below the figure of all."""
    name, group = metric_named(comparison.metric).shown_name, spaced(comparison.group)
    if comparison.group == OVERALL:
        return name
    return f"- {group}" if brief else f"{name}, {group}"


def difference_in_words(comparison: Comparison) -> str:
    """Write a difference in percentage points with its interval."""
    if comparison.difference is None or comparison.interval is None:
        return NOTHING
    low, high = (f"{100 * end:+.1f}" for end in comparison.interval)
    mark = "" if comparison.reliable else f" {UNRELIABLE}"
    return f"{100 * comparison.difference:+.1f} ({low} to {high}){mark}"


def _p_value(value: float | None) -> str:
    """Write a p-value with as many decimals as matter."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FLIPS = 20
"""Flipped queries in a table of a page."""


def flip_tables(
    flips: Sequence[ChangedOutcome], most: int | None = None, rest: str = "", *, brief: bool = False
) -> Iterator[ReportTable]:
    """List by the run that did well and the one that did not the first `most` queries of each.

    The note says how many more there are, and by `rest` where they can be read.
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
    """Return the flipped queries of each two runs, the good one first."""
    runs = attrgetter("good", "bad")
    return [list(members) for _, members in groupby(sorted(flips, key=runs), runs)]


def comparison_report(comparisons: Sequence[Comparison], flips: Sequence[ChangedOutcome]) -> str:
    """Write the comparison as Markdown, with every query that flipped."""
    tables = [*comparison_tables(comparisons), *flip_tables(flips)]
    return document("comparison.md.jinja", tables=tables)
