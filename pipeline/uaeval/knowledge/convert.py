"""From one file of text, Markdown, HTML, PDF or Word to its title and clean text."""

import io
import logging
import re
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from uaeval.knowledge.decoding import decode
from uaeval.knowledge.markdown import plain, read_markdown, split_front_matter
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.reading import Content, UnusableFile, address_in, day_in

if TYPE_CHECKING:
    from markitdown import MarkItDown

_MAX_UNPACKED = 200_000_000
_MAX_RATIO = 200
_PAGE_NUMBER = re.compile(
    r"\s*(?:page\s+)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|/)\s*\d{1,4})?\s*", re.I
)
_TOP_HEADING = re.compile(r"^# +(.+)$", re.MULTILINE)
_HTML_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_WORD = {
    "sup_symbol": "<sup>",
    "sub_symbol": "<sub>",
    "style_map": "\n".join(
        f"p[style-name='{style}'] => pre:separator('\\n')"
        for style in ("Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Listing")
    ),
}
"""How Word's raised letters and its usual styles of code are written as Markdown."""
VERBATIM = "verbatim"
"""Value of `text:` in the front matter of files whose body is not Markdown to be cleaned."""


def title_of(path: str) -> str:
    """Make a title of a file's path: `leave/sick_leave.md` becomes `Sick leave`."""
    pure = PurePosixPath(path)
    stem = pure.stem
    if stem.lower() in ("index", "readme", "_index") and pure.parent.name:
        stem = pure.parent.name
    words = " ".join(re.split(r"[\s_\-]+", stem)).strip()
    return words[:1].upper() + words[1:] if words else path


def _markdown(data: bytes) -> Content:
    text = _lines(decode(data))
    meta, body = split_front_matter(text)
    if meta.get("text") == VERBATIM:
        text = body.removesuffix("\n")
        return Content(meta.get("title"), text, meta, day_in(meta), address_in(meta))
    page = read_markdown(text)
    return Content(page.title, page.text, {}, day_in(page.meta), address_in(page.meta))


def _text(data: bytes) -> Content:
    return Content(None, structured(_lines(decode(data))))


def _html(data: bytes) -> Content:
    import trafilatura

    html = _lines(_declared(data))
    markdown = trafilatura.extract(
        html, output_format="markdown", include_comments=False, favor_recall=True
    )
    if not markdown:
        raise UnusableFile("no main text was found on the page")
    text = plain(markdown)
    heading, title = _TOP_HEADING.search(text), _HTML_TITLE.search(html)
    named = plain(title[1]).strip() if title else ""
    return Content(heading[1] if heading else named or None, text)


def _declared(data: bytes) -> str:
    declared = re.search(rb"<meta[^>]+charset=[\"']?\s*([\w-]+)", data[:4096], re.IGNORECASE)
    if declared and b"\0" not in data:
        try:
            return data.decode(declared[1].decode("ascii"))
        except (UnicodeDecodeError, LookupError):
            return decode(data)
    return decode(data)


def _pdf(data: bytes) -> Content:
    pages = _office(data, ".pdf").split("\f")
    return Content(None, structured("\n\n".join(_without_furniture(pages))))


def _without_furniture(pages: list[str]) -> list[str]:
    """Drop page numbers, and lines that stand at the edge of most pages."""
    split = [[line for line in page.split("\n")] for page in pages if page.strip()]
    edges: dict[str, int] = {}
    for lines in split:
        full = [line.strip() for line in lines if line.strip()]
        for line in {*full[:2], *full[-2:]}:
            edges[line] = edges.get(line, 0) + 1
    furniture = {line for line, times in edges.items() if times > 2 and times > len(split) / 2}
    return [
        "\n".join(
            line
            for line in lines
            if line.strip() not in furniture and not _PAGE_NUMBER.fullmatch(line)
        )
        for lines in split
    ]


def _docx(data: bytes) -> Content:
    _check_archive(data)
    page = read_markdown(_office(data, ".docx", **_WORD))
    return Content(page.title, page.text)


def _check_archive(data: bytes) -> None:
    """Refuse an archive that would unpack to very much more than it is."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        raise UnusableFile("it is damaged: not a Word file") from error
    if unpacked > _MAX_UNPACKED or unpacked > max(len(data) * _MAX_RATIO, 1_000_000):
        raise UnusableFile(f"it would unpack to {unpacked:,} bytes, which is not to be trusted")


def _office(data: bytes, extension: str, **options: str) -> str:
    from markitdown import MarkItDownException, StreamInfo

    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = _converter().convert_stream(
                io.BytesIO(data), stream_info=StreamInfo(extension=extension), **options
            )
    except MarkItDownException as error:
        kind = extension[1:].upper()
        raise UnusableFile(f"it is damaged or locked and cannot be read as {kind}") from error
    text: str = result.markdown
    return _lines(text)


@cache
def _converter() -> "MarkItDown":
    from markitdown import MarkItDown
    from markitdown.converters import DocxConverter, PdfConverter

    converter = MarkItDown(enable_builtins=False, enable_plugins=False)
    converter.register_converter(PdfConverter())
    docx = DocxConverter()  # type: ignore[no-untyped-call]
    converter.register_converter(docx)
    return converter


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


MARKDOWN = (".md", ".markdown", ".mdx")
CONVERTERS: dict[str, Callable[[bytes], Content]] = {
    **dict.fromkeys(MARKDOWN, _markdown),
    ".txt": _text,
    ".text": _text,
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
    ".pdf": _pdf,
    ".docx": _docx,
}
"""How each kind of file is read, by the end of its name."""
