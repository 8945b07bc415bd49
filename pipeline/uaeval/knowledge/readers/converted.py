"""What markitdown makes of PDF, Word and HTML; it is used nowhere else."""

import io
import logging
import re
import warnings
from functools import cache
from typing import TYPE_CHECKING

from uaeval.knowledge.decoding import with_newlines
from uaeval.knowledge.reading import UnusableFile

if TYPE_CHECKING:
    from markitdown import MarkItDown

_DEFINED = re.compile(r"^( *)(\S.*)\n+ *:   ", re.MULTILINE)
POWERS = {"sup_symbol": "<sup>", "sub_symbol": "<sub>"}
"""Options by which raised and lowered letters stay what they are."""


def converted(data: bytes, extension: str, **options: str) -> str:
    """Return a file as Markdown, a PDF as text with a form feed between pages.

    Raises:
        UnusableFile: it is damaged or locked.
    """
    from markitdown import MarkItDownException, StreamInfo

    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    info = StreamInfo(extension=extension)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = _converter().convert_stream(io.BytesIO(data), stream_info=info, **options)
    except MarkItDownException as error:
        kind = extension[1:].upper()
        raise UnusableFile(f"it is damaged or locked and cannot be read as {kind}") from error
    return with_newlines(str(result.markdown))


def markdown_of(html: bytes) -> str:
    """Return a page as Markdown; a list of definitions becomes a list of `term: meaning`."""
    return _DEFINED.sub(r"\1- \2: ", converted(html, ".html", **POWERS))


@cache
def _converter() -> "MarkItDown":
    from markitdown import MarkItDown
    from markitdown.converters import DocxConverter, HtmlConverter, PdfConverter

    converter = MarkItDown(enable_builtins=False, enable_plugins=False)
    for kind in (PdfConverter, HtmlConverter, DocxConverter):
        converter.register_converter(kind())
    return converter
