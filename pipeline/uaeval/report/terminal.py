"""Tables for the terminal. What others wrote is shown as it stands and never read as markup."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Literal

from rich.box import Box
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from uaeval.evaluation.leakage import recorded_leakage
from uaeval.report.costs import usage_sheet
from uaeval.report.overview import joint_line, overview_sheets
from uaeval.report.tables import (
    ReportTable,
    blocked_sheet,
    blocked_stages,
    dataset_sheet,
    leakage_sheet,
    rejection_sheet,
    sample_sheet,
)
from uaeval.report.text import visible
from uaeval.run_folder import Manifest, ModelUsage
from uaeval.types import Query, Score

_RULES = Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")
_MANY = 6  # more columns than this stand closer together


def draw(sheet: ReportTable) -> Padding:
    """Draw one table; every cell is literal text, and the first column is never broken."""
    table = _table(sheet.title, sheet.note, gap=1 if len(sheet.columns) > _MANY else 2)
    for place, column in enumerate(sheet.columns):
        justify: Literal["left", "right"] = "right" if column in sheet.numbers else "left"
        table.add_column(Text(column), justify=justify, overflow="fold", no_wrap=place == 0)
    for place, row in enumerate(sheet.rows):
        if sheet.totals and place == len(sheet.rows) - sheet.totals:
            table.add_section()
        table.add_row(*(Text(visible(cell)) for cell in row))
    return Padding(table, (0, 0, 1, 0))


def _table(title: str, note: str, gap: int) -> Table:
    return Table(
        title=Text(title, style="bold"),
        caption=Text(note) if note else None,
        title_justify="left",
        caption_justify="left",
        box=_RULES,
        show_edge=False,
        pad_edge=False,
        padding=(0, gap - 1, 0, 0),
    )


def dataset_tables(manifest: Manifest) -> Group:
    """Show by category what became of what was asked, how much it gives away, and what it cost."""
    measured = recorded_leakage(manifest)
    accepted = sum(manifest.chosen.values())
    sheets = [
        dataset_sheet(manifest),
        rejection_sheet(manifest),
        blocked_sheet(blocked_stages(manifest)),
        leakage_sheet(measured),
        usage_sheet(manifest.usage, accepted, "accepted query"),
    ]
    return Group(*(draw(sheet) for sheet in sheets if sheet.rows))


def sample_table(queries: Iterable[Query], per_category: int = 1) -> Padding:
    """Show the first queries of each category beside their twins."""
    sheet = sample_sheet(queries, per_category)
    table = _table(sheet.title, sheet.note, gap=3)
    for column in sheet.columns[1:]:
        table.add_column(Text(column), ratio=1, overflow="fold")
    for name, rows in groupby(sheet.rows, key=lambda row: row[0]):
        table.add_section()
        table.add_row(Text(name, style="bold"))
        for row in rows:
            table.add_row(*(_bullet(cell) for cell in row[1:]))
    return Padding(table, (0, 0, 1, 0))


def score_tables(
    scores: Sequence[Score], blocked: Mapping[str, Mapping[str, int]] = MappingProxyType({})
) -> Group:
    """Show the scores at a glance; the finer ones and the curve of weights are in the report.

    `blocked` counts by stage and category what a content filter stopped; it stands below, if any.
    """
    headline = Padding(Text(joint_line(scores), style="bold"), (0, 0, 1, 0))
    sheets = [*overview_sheets(scores, brief=True), blocked_sheet(blocked)]
    return Group(headline, *(draw(sheet) for sheet in sheets if sheet.rows))


def usage_table(usage: Sequence[ModelUsage], queries: int) -> Group:
    """Show what an evaluation of so many queries cost; nothing if no model was paid."""
    sheet = usage_sheet(usage, queries, "query")
    return Group(*([draw(sheet)] if sheet.rows else []))


def _bullet(text: str) -> Table:
    """Draw a text whose further lines are indented, so that its neighbours stand apart."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(Text("•"), Text(visible(text), overflow="fold"))
    return grid
