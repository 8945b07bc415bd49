"""Jupyter notebooks: their Markdown and code, without what the code printed."""

import json
from itertools import chain

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import plain, top_heading
from uaeval.knowledge.reading import Content, FileReader


def read_notebook(data: bytes) -> Content:
    """Return the cells of a notebook."""
    notebook = json.loads(text_of(data))
    sheets = notebook.get("worksheets", [notebook])  # version 3 has its cells in worksheets
    blocks = Blocks()
    for cell in chain.from_iterable(sheet["cells"] for sheet in sheets):
        source = cell.get("source", cell.get("input", ""))
        source = source if isinstance(source, str) else "".join(source)
        if cell.get("cell_type") == "code":
            blocks.code(source)
        elif cell.get("cell_type") == "heading":
            blocks.heading(cell.get("level", 1), source)
        elif cell.get("cell_type") == "markdown":
            blocks.add(plain(source))
    return Content(top_heading(blocks.text()), blocks.text())


READER = FileReader(suffixes=(".ipynb",), convert=read_notebook)
