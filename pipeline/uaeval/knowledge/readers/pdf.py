"""Read PDF files with PDFium; the places and heights of lines show paragraphs and headings."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from uaeval.knowledge.plain_text import is_code, structured
from uaeval.knowledge.reading import Content, UnusableFile

_PAGE_NUMBER: Final = re.compile(
    r"\s*(?:page\s+)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|/)\s*\d{1,4})?\s*", re.IGNORECASE
)
_LINE: Final = re.compile(r"[^\s\ufffe][^\r\n\ufffe]*\ufffe?")
"""A line; for a hyphen at its end, PDFium writes U+FFFE and no end of line."""


class _Line(NamedTuple):
    text: str
    left: float
    top: float
    bottom: float
    height: float
    space: float
    """Width of a space, or of the first character if there is none."""


def read_pdf(data: bytes) -> Content:
    """Return the text of a PDF file, without page numbers, headers and footers."""
    import pypdfium2

    try:
        pages = [[*_lines(page.get_textpage())] for page in pypdfium2.PdfDocument(data)]
    except pypdfium2.PdfiumError as error:
        raise UnusableFile("it is damaged or locked and cannot be read as PDF") from error
    heights, edges = Counter[float](), defaultdict[tuple[str, int | None], list[str]](list)
    for number, lines in enumerate(pages):
        for text in {line.text for line in lines[:2] + lines[-2:]}:
            found = re.search(r"^\d{1,4}(?=\s)|(?<=\s)\d{1,4}$", text)
            rest = text.replace(found[0], "", 1) if found else text
            edges[rest.strip(), int(found[0]) - number if found else None].append(text)
        for line in lines:
            heights[line.height] += len(line.text)
    running = {
        text
        for texts in edges.values()
        for text in texts
        if len(texts) > 2 and (len(texts) > len(pages) / 2 or len({*texts}) > 2)
    }
    usual = max(heights, key=heights.__getitem__, default=0.0)
    larger = sorted((height for height in heights if height > 1.15 * usual), reverse=True)
    blocks = list[str]()
    for lines in pages:
        with_text = [line for line in lines if line.text not in running]
        kept = [line for line in with_text if not _PAGE_NUMBER.fullmatch(line.text)]
        blocks += [_text(block, larger) for block in _blocks(kept)]
    return Content(None, structured("\n\n".join(blocks)))


def _lines(page: Any) -> Iterator[_Line]:
    """Yield the lines of a page in reading order, with three spaces between columns."""
    for match in _LINE.finditer(page.get_text_range()):
        first, whole = match.start(), match[0].rstrip()
        last = first + len(whole) - 1
        boxes = [page.get_charbox(at, loose=True) for at in (first, (first + last) // 2, last)]
        height = min((top - bottom for _, bottom, _, top in boxes if top > bottom), default=1.0)
        space = page.get_charbox(first + max(whole.find(" "), 0))

        def columns(gap: re.Match[str], at: int = first, wide: float = 1.5 * height) -> str:
            right = page.get_charbox(at + gap.start() - 1)[2]
            left = page.get_charbox(at + gap.end())[0]
            return "   " if left - right > wide else " "

        text = re.sub(" +", columns, whole).replace("\ufffe", "-")
        (left, _, _, top), bottom = boxes[0], boxes[2][1]
        yield _Line(
            text, left, top, bottom, max(round(height, 1), 1.0), max(space[2] - space[0], 1.0)
        )


def _blocks(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Return the lines of a page up to a gap that is wider than usual, or a change of height."""
    gaps = Counter(
        round(above.bottom - line.top, 1)
        for above, line in pairwise(lines)
        if line.top < above.top and line.height == above.height
    )
    usual = max(gaps, key=lambda gap: (gaps[gap], -gap), default=0.0)
    blocks = [list(lines[:1])]
    for before, line in pairwise(lines):
        wide = before.bottom - line.top > usual + 0.3 * line.height
        if wide or abs(line.height / before.height - 1) > 0.1:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _text(block: Sequence[_Line], larger: Sequence[float]) -> str:
    """Return a block as plain text: a heading with an underline, or code between fences."""
    texts = [line.text for line in block]
    whole = " ".join(texts)
    if is_code(texts) or whole.startswith("#"):
        left = min(line.left for line in block)
        code = (" " * round((line.left - left) / line.space) + line.text for line in block)
        return "\n".join(("~~~", *code, "~~~"))
    if whole and block[0].height in larger and len(whole) < 100:
        return f"{whole}\n{'=-^+*:'[min(larger.index(block[0].height), 5)] * len(whole)}"
    return "\n".join(texts)
