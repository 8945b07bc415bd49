"""Web pages: their main text, by trafilatura."""

import re
from typing import Final

from uaeval.knowledge.decoding import text_of, with_newlines
from uaeval.knowledge.markdown import plain, top_heading
from uaeval.knowledge.reading import Content, FileReader, UnusableFile

_CHARSET: Final = re.compile(rb"<meta[^>]+charset=[\"']?\s*([\w-]+)", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)


def read_html(data: bytes) -> Content:
    """Return the main text of a page, without navigation and comments."""
    import trafilatura

    html = _decoded(data)
    markdown = trafilatura.extract(
        html, output_format="markdown", include_comments=False, favor_recall=True
    )
    if not markdown:
        raise UnusableFile("no main text was found on the page")
    text = plain(markdown)
    title = _TITLE.search(html)
    named = plain(title[1]).strip() if title else ""
    return Content(top_heading(text) or named or None, text)


def _decoded(data: bytes) -> str:
    declared = _CHARSET.search(data[:4096])
    if declared and b"\0" not in data:
        try:
            return with_newlines(data.decode(declared[1].decode("ascii")))
        except (UnicodeDecodeError, LookupError):
            return text_of(data)
    return text_of(data)


READER = FileReader(suffixes=(".html", ".htm", ".xhtml"), convert=read_html)
