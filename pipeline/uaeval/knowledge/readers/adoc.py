"""Read AsciiDoc as Markdown: headings, lists, tables and code; of macros, only the text."""

import re
from collections.abc import Iterator
from typing import Final

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import read_markdown
from uaeval.knowledge.reading import Content
from uaeval.resources import shipped_table

_ATTRIBUTE: Final = re.compile(r"^:(\w[\w-]*):[ \t]*(.*)$", re.MULTILINE)
_BYLINE: Final = re.compile(r"^(= .+\n)(?:[^\s:=/\[].*\n){1,2}", re.MULTILINE)
_LINE: Final = re.compile(
    r"""(?P<code>-{4,}|\.{4,}|```).*|(?P<removed>\+{4,}|/{4,})|(?P<table>\|===)
      |(?P<head>={1,6})\s+(?P<title>\S.*)|(?P<item>[*.]{1,5}|-|\d+\.)\s+(?P<text>\S.*)
      |(?P<term>\S.*?)::+(?:\s+(?P<meaning>\S.*)|\s*)
      |(?P<mark>//.*|={4,}|\*{4,}|_{4,}|--|\+|<<<|'''|\[.*\]|:[\w!-]+:.*|\w+::\S*\[.*\])""",
    re.VERBOSE,
)
_TITLE: Final = re.compile(
    r"^(-{4,80}|\.{4,80})$[\s\S]*?^\1$|^((?![.]|\[.*\]$)(?=.*\w).{1,200})\n([=~^+-])\3+$", re.M
)
"""A block of code, or a title with an underline."""
_CELL: Final = re.compile(r"(?:^|\s)(?:\d+\+|\.\d+\+|[<^>])*[adehlms]?\|")
_INLINE: Final[list[tuple[str, str]]] = shipped_table("knowledge/readers/adoc.yaml")["inline"]


def read_adoc(data: bytes) -> Content:
    """Return the text of a page, without included files."""
    text = _BYLINE.sub(r"\1", text_of(data), count=1)
    names = dict(_ATTRIBUTE.findall(text))
    text = re.sub(r"\{([\w-]+)\}", lambda match: names.get(match[1], match[0]), text)
    text = _TITLE.sub(_titled, "\n".join(map(str.rstrip, text.split("\n"))))
    return read_markdown("\n".join(_markdown(iter(text.split("\n")))))


def _titled(match: re.Match[str]) -> str:
    whole, _, title, sign = match[0], *match.groups()
    if not title or abs(2 * len(title) + 1 - len(whole)) > 1:  # the underline is as long
        return whole
    return f"{'=' * ('=-~^+'.index(sign) + 1)} {title}"


def _markdown(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            yield _inline(line.removeprefix("."))
        elif end := match["code"]:
            yield from ("", "~~~~~~", *_until(end, lines), "~~~~~~", "")
        elif end := match["removed"]:
            _until(end, lines)
        elif match["table"]:
            yield from ("", *_table(_until("|===", lines)), "")
        elif match["head"]:
            yield from ("", "#" * len(match["head"]) + " " + _inline(match["title"]), "")
        elif match["mark"] != "+":
            yield _item(match) if match["item"] or match["term"] else ""


def _item(match: re.Match[str]) -> str:
    if match["term"]:
        return f"- {_inline(match['term'])}: {_inline(match['meaning'] or '')}".rstrip(" :")
    sign = match["item"]
    depth = len(sign) - 1 if sign[0] in "*." else 0
    marker = "1." if sign[0] in ".0123456789" else "-"
    return f"{'   ' * depth}{marker} {_inline(match['text'])}"


def _until(end: str, lines: Iterator[str]) -> list[str]:
    return list(iter(lambda: next(lines, end).rstrip(), end))


def _table(lines: list[str]) -> Iterator[str]:
    rows = [_CELL.split(line) for line in lines if line.strip()]
    cells = [_inline(cell.strip()) for row in rows for cell in row[1:]]
    width = max(1, len(rows[0]) - 1) if rows else 1
    for start in range(0, len(cells), width):
        yield "| " + " | ".join(cells[start : start + width]) + " |"
        if start == 0:
            yield "|" + "---|" * width


def _inline(text: str) -> str:
    for pattern, shown in _INLINE:
        text = re.sub(pattern, shown, text)
    return text
