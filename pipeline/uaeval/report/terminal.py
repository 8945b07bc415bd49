"""Render tables for the terminal; cells are literal text, never markup."""

import re
from typing import Literal

from rich.box import Box
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from uaeval.report.tables import ReportTable
from uaeval.report.text import visible

_RULES = Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")
_LONG = 12  # a name of more characters is broken, after punctuation
_PART = re.compile(rf".{{1,{_LONG - 1}}}[-_./:@](?=.{{3}})")


def render(*tables: ReportTable) -> Group:
    """Render the tables that have rows."""
    return Group(*(_drawn(table) for table in tables if table.rows))


def _drawn(table: ReportTable) -> Padding:
    gap = 1 if len(table.columns) > 6 else 2  # many columns stand closer together
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
    """Return a long name without spaces with line feeds after its punctuation."""
    return text if len(text) <= _LONG or " " in text else _PART.sub(r"\g<0>\n", text)
