"""Convert files with markitdown: PDF files, and Word and HTML for other readers."""

import io
import logging
import re
import warnings
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

from uaeval.knowledge.decoding import with_newlines
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.reading import Content, UnusableFile

if TYPE_CHECKING:
    from markitdown import MarkItDown

_STYLES: Final = "\n".join(
    f"p[style-name='{style}'] => pre:separator('\\n')"
    for style in ("Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Listing")
)
_DEFINED: Final = re.compile(r"^( *)(\S.*)\n+ *:   ", re.MULTILINE)
_PAGE_NUMBER: Final = re.compile(
    r"\s*(?:page\s+)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|/)\s*\d{1,4})?\s*", re.IGNORECASE
)


def read_pdf(data: bytes) -> Content:
    """Return the text of a PDF file, without page numbers, headers and footers."""
    pages = [page.split("\n") for page in converted(data, ".pdf").split("\f") if page.strip()]
    edges: Counter[str] = Counter()
    for lines in pages:
        with_text = [line.strip() for line in lines if line.strip()]
        edges.update({*with_text[:2], *with_text[-2:]})
    headers = {line for line, times in edges.items() if times > 2 and times > len(pages) / 2}
    kept = (
        "\n".join(
            line
            for line in lines
            if line.strip() not in headers and not _PAGE_NUMBER.fullmatch(line)
        )
        for lines in pages
    )
    return Content(None, structured("\n\n".join(kept)))


def markdown_of(html: bytes) -> str:
    """Return a page as Markdown, with a definition list as a list of `term: meaning`."""
    return _DEFINED.sub(r"\1- \2: ", converted(html, ".html"))


def converted(data: bytes, extension: str) -> str:
    """Return a file as Markdown with `<sup>` and `<sub>`; pages of a PDF end with a form feed.

    Raises:
        UnusableFile: the file is damaged or encrypted.
    """
    from markitdown import MarkItDownException, StreamInfo

    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
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
    from markitdown.converters import DocxConverter, HtmlConverter, PdfConverter

    converter = MarkItDown(enable_builtins=False, enable_plugins=False)
    for kind in (PdfConverter, HtmlConverter, DocxConverter):
        converter.register_converter(kind())
    return converter
