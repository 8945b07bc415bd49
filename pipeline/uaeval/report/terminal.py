"""Tables for the terminal. What others wrote is shown as it stands and never read as markup."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import TypeAdapter
from rich.console import Group
from rich.table import Table
from rich.text import Text

from uaeval.evaluation.figures import Figure, Leakage
from uaeval.report.tables import (
    BLOCKING,
    CURVE,
    DIFFICULTY,
    SUBTYPE,
    Sheet,
    dataset_sheet,
    failure_sheet,
    find,
    leakage_sheet,
    sample_sheet,
    score_sheets,
)
from uaeval.report.text import visible
from uaeval.run_folder import Manifest
from uaeval.types import Failure, Query, Score


def draw(sheet: Sheet) -> Table:
    """Draw one table; every cell is literal text."""
    table = Table(
        title=Text(sheet.title, style="bold"),
        caption=Text(sheet.note) if sheet.note else None,
        title_justify="left",
        caption_justify="left",
    )
    for column in sheet.columns:
        justify: Literal["left", "right"] = "right" if column in sheet.numbers else "left"
        table.add_column(Text(column), justify=justify, overflow="fold")
    for row in sheet.rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    return table


def dataset_tables(manifest: Manifest) -> Group:
    """Show by category what was asked for, what became of it, and how much it gives away."""
    measured = TypeAdapter(tuple[Leakage, ...]).validate_python(manifest.leakage)
    tables = [draw(dataset_sheet(manifest))]
    return Group(*tables, *([draw(leakage_sheet(measured))] if measured else []))


def sample_table(queries: Iterable[Query], per_category: int = 1) -> Table:
    """Show the first queries of each category beside their twins."""
    return draw(sample_sheet(queries, per_category))


def score_tables(scores: Sequence[Score]) -> Group:
    """Show the main scores; the finer ones and the curve of weights are left to the report."""
    left_out = {DIFFICULTY, SUBTYPE, CURVE}
    stopped = find(scores, Figure.BLOCKED)
    if stopped is None or not stopped.value:
        left_out.add(BLOCKING)
    return Group(*(draw(sheet) for sheet in score_sheets(scores) if sheet.title not in left_out))


def leakage_table(measured: Iterable[Leakage]) -> Table:
    """Show how easily the queries give themselves away."""
    return draw(leakage_sheet(measured))


def failure_table(failures: Iterable[Failure]) -> Table:
    """Count the failures by stage and kind."""
    return draw(failure_sheet(failures))
