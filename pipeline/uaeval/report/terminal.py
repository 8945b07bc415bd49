"""Tables for the terminal. What others wrote is shown as it stands and never read as markup."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from rich.box import Box
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from uaeval.records import Score
from uaeval.report.costs import usage_table
from uaeval.report.dataset import (
    blocked_stages,
    blocked_table,
    dataset_table,
    leakage_table,
    rejection_table,
)
from uaeval.report.overview import joint_line, overview_tables
from uaeval.report.tables import ReportTable
from uaeval.report.text import visible
from uaeval.run_folder import Manifest

_RULES = Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")
_MANY = 6  # more columns than this stand closer together
_LONG = 12  # a name of more characters is broken, after punctuation
_PART = re.compile(rf".{{1,{_LONG - 1}}}[-_./:@](?=.{{3}})")


def render(*tables: ReportTable) -> Group:
    """Draw the tables that have rows; every cell is literal text."""
    return Group(*(_drawn(table) for table in tables if table.rows))


def _drawn(table: ReportTable) -> Padding:
    gap = 1 if len(table.columns) > _MANY else 2
    drawn = Table(
        title=Text(table.title, style="bold"),
        caption=Text(table.note) if table.note else None,
        title_justify="left",
        caption_justify="left",
        box=_RULES,
        show_edge=False,
        pad_edge=False,
        padding=(0, gap - 1, 0, 0),
    )
    for place, column in enumerate(table.columns):
        justify: Literal["left", "right"] = "right" if column in table.numbers else "left"
        drawn.add_column(
            Text(_broken(column)), justify=justify, overflow="fold", no_wrap=place == 0
        )
    for place, row in enumerate(table.rows):
        if table.totals and place == len(table.rows) - table.totals:
            drawn.add_section()
        first, *others = (visible(cell) for cell in row)
        drawn.add_row(Text(first), *(Text(_broken(cell)) for cell in others))
    return Padding(drawn, (0, 0, 1, 0))


def _broken(text: str) -> str:
    """Return a long name without spaces, such as a run's, in lines that end at its punctuation."""
    return text if len(text) <= _LONG or " " in text else _PART.sub(r"\g<0>\n", text)


def render_dataset(manifest: Manifest) -> Group:
    """Show by category what became of what was asked, how much it gives away, and what it cost."""
    return render(
        dataset_table(manifest),
        rejection_table(manifest),
        blocked_table(blocked_stages(manifest)),
        leakage_table(manifest.leakage),
        usage_table(manifest.usage, sum(manifest.chosen.values()), "accepted query"),
    )


def render_scores(
    scores: Sequence[Score], blocked: Mapping[str, Mapping[str, int]] = MappingProxyType({})
) -> Group:
    """Show the scores at a glance; the finer ones and the curve of weights are in the report.

    `blocked` counts by stage and category what a content filter stopped; it stands below, if any.
    """
    headline = Padding(Text(joint_line(scores), style="bold"), (0, 0, 1, 0))
    return Group(headline, render(*overview_tables(scores, brief=True), blocked_table(blocked)))
