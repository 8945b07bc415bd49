"""Read files that are ZIP archives: e-books (EPUB), Word, PowerPoint and Excel files.

Archives that are encrypted, damaged, or much larger when unpacked are refused.
"""

import io
import posixpath
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers.expat import ExpatError

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import top_heading
from uaeval.knowledge.markup import text_of_html
from uaeval.knowledge.reading import Content, UnusableFile

_STYLES: Final = "\n".join(
    f"p[style-name='{style}'] => pre:separator('\\n')"
    for style in ("Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Listing")
)
_MAX_UNPACKED: Final = 200_000_000
OFFICE: Final = "office"
"""Extra with the libraries that read `.pptx` and `.xlsx`."""


def _opened(data: bytes, kind: str) -> zipfile.ZipFile:
    """Open an archive; raise `UnusableFile` if it is none, encrypted, or far larger unpacked."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):  # an office file, encrypted or older than 2007
        raise UnusableFile(f"it is encrypted or too old; save it as {kind} without a password")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise UnusableFile(f"it is damaged: not {kind}") from error
    unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > _MAX_UNPACKED or unpacked > max(len(data) * 200, 1_000_000):
        raise UnusableFile(f"it would have {unpacked:,} bytes when unpacked, which is suspicious")
    if any(entry.flag_bits & 1 for entry in archive.infolist()):  # the flag of encryption
        raise UnusableFile("it is encrypted; save it without a password")
    return archive


@contextmanager
def _checked(data: bytes, kind: str, suffix: str) -> Iterator[None]:
    """Check an office file; in the block, report a missing library as `UnusableFile`."""
    _opened(data, kind).close()
    try:
        yield
    except ImportError as error:
        needed = f"{suffix} files need an extra: pip install 'uaeval[{OFFICE}]'"
        raise UnusableFile(needed) from error


def read_docx(data: bytes) -> Content:
    """Return the text of a Word file; paragraphs with a style for code become code."""
    from mammoth import convert_to_html
    from markitdown.converter_utils.docx.pre_process import pre_process_docx

    _opened(data, "a Word file").close()
    try:
        page = pre_process_docx(io.BytesIO(data))  # formulas become LaTeX
        text = text_of_html(convert_to_html(page, style_map=_STYLES).value)
    except (ExpatError, OSError) as error:
        raise UnusableFile("it is damaged or locked and cannot be read as DOCX") from error
    return Content(top_heading(text), text)


def read_epub(data: bytes) -> Content:
    """Return the chapters of an e-book in reading order, without its table of contents."""
    with _opened(data, "an EPUB book") as archive:
        names = set(archive.namelist())
        if "META-INF/encryption.xml" in names and "META-INF/rights.xml" in names:
            raise UnusableFile("it is encrypted (DRM); give a copy without protection")
        container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
        package = next(
            (str(item.get("full-path")) for item in container.iterfind(".//{*}rootfile")), ""
        )
        book = ElementTree.fromstring(archive.read(package))
        pages = [archive.read(name) for name in _spine(book, package) if name in names]
    chapters = [text_of_html(text_of(page)) for page in pages]
    title = next((item.text for item in book.iterfind(".//{*}title") if item.text), None)
    text = "\n\n".join(chapter for chapter in chapters if chapter)
    return Content(title.strip() if title else top_heading(text), text)


def _spine(book: Element, package: str) -> list[str]:
    pages = {
        item.get("id"): posixpath.normpath(
            posixpath.join(posixpath.dirname(package), unquote(item.get("href") or ""))
        )
        for item in book.iterfind(".//{*}item")
        if item.get("media-type") in ("application/xhtml+xml", "text/html")
        and "nav" not in (item.get("properties") or "").split()
    }
    order = (item.get("idref") for item in book.iterfind(".//{*}itemref"))
    return list(dict.fromkeys(pages[name] for name in order if name in pages))


def read_pptx(data: bytes) -> Content:
    """Return a section per slide, with its lists, tables and notes."""
    with _checked(data, "a PowerPoint file", ".pptx"):
        from pptx import Presentation

    blocks = Blocks()
    deck = Presentation(io.BytesIO(data))
    for number, slide in enumerate(deck.slides, start=1):
        title = slide.shapes.title
        if slide.shapes:
            blocks.heading(1, title.text_frame.text if title else f"Slide {number}")
        _add_shapes(blocks, (shape for shape in slide.shapes if shape != title))
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame):
            for line in notes.text.splitlines():
                blocks.paragraph(line)
    return Content(deck.core_properties.title or None, blocks.text())


def _add_shapes(blocks: Blocks, shapes: Iterable[Any]) -> None:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            _add_shapes(blocks, shape.shapes)
        elif shape.has_table:
            for row in shape.table.rows:
                blocks.row([cell.text for cell in row.cells], group=shape.shape_id)
        elif shape.has_text_frame:
            lines = [(line.text, line.level) for line in shape.text_frame.paragraphs if line.text]
            for text, level in lines:
                if len(lines) == 1:
                    blocks.paragraph(text)
                else:
                    blocks.item(" ".join(text.split()), depth=level, group=("list", shape.shape_id))


def read_xlsx(data: bytes) -> Content:
    """Return a section per visible sheet with a line per row; formulas have their last values."""
    with _checked(data, "an Excel workbook", ".xlsx"):
        from openpyxl import load_workbook

    blocks = Blocks()
    with warnings.catch_warnings(action="ignore"):
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                sheet.reset_dimensions()  # the size that a file states may be wrong
                values = sheet.iter_rows(values_only=True)
                rows = [["" if value is None else str(value) for value in row] for row in values]
                blocks.heading(1, sheet.title if any(map(any, rows)) else "")
                for row in rows:
                    blocks.row(row)
    return Content(book.properties.title or None, blocks.text())
