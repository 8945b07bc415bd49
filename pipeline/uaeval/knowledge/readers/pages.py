"""Read pages: Markdown with front matter, plain text, notebooks; markitdown for other readers."""

import io
import json
import re
import warnings
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.decoding import text_of, with_newlines
from uaeval.knowledge.markdown import plain, read_markdown, top_heading
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.reading import Content, UnusableFile

if TYPE_CHECKING:
    from markitdown import MarkItDown

MARKDOWN: Final = (".md", ".markdown", ".mdx")
_STYLES: Final = "\n".join(
    f"p[style-name='{style}'] => pre:separator('\\n')"
    for style in ("Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Listing")
)
_DEFINED: Final = re.compile(r"^( *)(\S.*)\n+ *:   ", re.MULTILINE)


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


def markdown_of(html: bytes) -> str:
    """Return a page as Markdown, with a definition list as a list of `term: meaning`."""
    return _DEFINED.sub(r"\1- \2: ", converted(html, ".html"))


def converted(data: bytes, extension: str) -> str:
    """Return a file as Markdown with `<sup>` and `<sub>`.

    Raise `UnusableFile` if the file is damaged or encrypted.
    """
    from markitdown import MarkItDownException, StreamInfo

    try:
        with warnings.catch_warnings(action="ignore"):
            result = _converter().convert_stream(
                io.BytesIO(data),
                stream_info=StreamInfo(extension=extension),
                style_map=_STYLES,
                sup_symbol="<sup>",
                sub_symbol="<sub>",
            )
    except MarkItDownException as error:
        kind = extension[1:].upper()
        raise UnusableFile(f"it is damaged or locked and cannot be read as {kind}") from error
    return with_newlines(str(result.markdown))


@cache
def _converter() -> "MarkItDown":
    from markitdown import MarkItDown
    from markitdown.converters import DocxConverter, HtmlConverter

    converter = MarkItDown(enable_builtins=False, enable_plugins=False)
    for kind in (HtmlConverter, DocxConverter):
        converter.register_converter(kind())
    return converter
