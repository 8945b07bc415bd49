"""Excel workbooks: a section per sheet, a line per row."""

import io
import warnings
from collections.abc import Iterable, Sequence

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.readers.archives import open_archive
from uaeval.knowledge.reading import Content, FileReader, missing_extra


def read_xlsx(data: bytes) -> Content:
    """Return the values of a workbook's visible sheets; formulas give what they last gave."""
    open_archive(data, "an Excel workbook").close()
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise missing_extra(".xlsx") from error
    blocks = Blocks()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                sheet.reset_dimensions()  # what a file says of its size may be wrong
                _add(blocks, sheet.title, sheet.iter_rows(values_only=True))
    return Content(book.properties.title or None, blocks.text())


def _add(blocks: Blocks, title: str, rows: Iterable[Sequence[object]]) -> None:
    for row in rows:
        cells = ["" if value is None else str(value) for value in row]
        if title and any(cells):
            blocks.heading(1, title)
            title = ""
        blocks.row(cells)


READER = FileReader(suffixes=(".xlsx",), convert=read_xlsx)
