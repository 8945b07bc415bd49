"""PDF files, without page numbers and running titles."""

import re
from collections import Counter
from typing import Final

from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.readers.converted import converted
from uaeval.knowledge.reading import Content, FileReader

_PAGE_NUMBER: Final = re.compile(
    r"\s*(?:page\s+)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|/)\s*\d{1,4})?\s*", re.IGNORECASE
)


def read_pdf(data: bytes) -> Content:
    """Return the text of a PDF file."""
    pages = [page.split("\n") for page in converted(data, ".pdf").split("\f") if page.strip()]
    return Content(None, structured("\n\n".join(_without_furniture(pages))))


def _without_furniture(pages: list[list[str]]) -> list[str]:
    """Drop page numbers, and lines that stand at the edge of most pages."""
    edges: Counter[str] = Counter()
    for lines in pages:
        full = [line.strip() for line in lines if line.strip()]
        edges.update({*full[:2], *full[-2:]})
    furniture = {line for line, times in edges.items() if times > 2 and times > len(pages) / 2}
    return [
        "\n".join(
            line
            for line in lines
            if line.strip() not in furniture and not _PAGE_NUMBER.fullmatch(line)
        )
        for lines in pages
    ]


READER = FileReader(suffixes=(".pdf",), convert=read_pdf)
