"""Read pages: Markdown with front matter, plain text, notebooks."""

import json
from itertools import chain
from typing import Final

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import plain, read_markdown, top_heading
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.reading import Content

MARKDOWN: Final = (".md", ".markdown", ".mdx")


def read_markdown_file(data: bytes) -> Content:
    """Return the content of a page, with date and address from its front matter."""
    return read_markdown(text_of(data))


def read_text(data: bytes) -> Content:
    """Return plain text with its structure recognised."""
    return Content(None, structured(text_of(data)))


def read_notebook(data: bytes) -> Content:
    """Return the Markdown and code of a notebook, without outputs."""
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
