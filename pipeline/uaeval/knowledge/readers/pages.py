"""Read pages: Markdown files with front matter, plain text, HTML and Jupyter notebooks."""

import json
import re
from itertools import chain
from typing import Final

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.decoding import decode_page, text_of, with_newlines
from uaeval.knowledge.markdown import plain, read_markdown, split_front_matter, top_heading
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.reading import Content, UnusableFile, address_in, day_in

MARKDOWN: Final = (".md", ".markdown", ".mdx")
VERBATIM: Final = "verbatim"
"""Value of `text:` in the front matter of files whose body must not be cleaned."""
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)


def read_markdown_file(data: bytes) -> Content:
    """Return the content of a page, with date and address from its front matter."""
    text = text_of(data)
    meta, body = split_front_matter(text)
    if meta.get("text") == VERBATIM:
        body = body.removesuffix("\n")
        return Content(meta.get("title"), body, day_in(meta), address_in(meta), meta.get("id"))
    return read_markdown(text)


def read_text(data: bytes) -> Content:
    """Return plain text with its structure recognised."""
    return Content(None, structured(text_of(data)))


def read_html(data: bytes) -> Content:
    """Return the main text of a page, without navigation and comments, as trafilatura finds it."""
    import trafilatura

    html = with_newlines(decode_page(data))
    markdown = trafilatura.extract(
        html, output_format="markdown", include_comments=False, favor_recall=True
    )
    if not markdown:
        raise UnusableFile("no main text was found on the page")
    text = plain(markdown)
    title = _TITLE.search(html)
    named = plain(title[1]).strip() if title else ""
    return Content(top_heading(text) or named or None, text)


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
