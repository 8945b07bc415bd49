"""Markdown as clean text: headings and list markers stay, every other mark goes."""

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from uaeval.knowledge.liquid import untemplated
from uaeval.knowledge.markup import is_markup, lines_of, tag_name
from uaeval.knowledge.reading import Content

_FRONT_MATTER: Final = re.compile(
    r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TITLE_LINE: Final = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_TOP_HEADING: Final = re.compile(r"^# +(.+)$", re.MULTILINE)
_LEFT_LINK: Final = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]*|#)\)")
_FOOTNOTE: Final = re.compile(r"\[\^[^\[\]\s]+\]")
_FOOTNOTE_LINE: Final = re.compile(r"^ {0,3}\[\^[^\[\]\s]+\]:[ \t]*", re.MULTILINE)
_ATTRIBUTES: Final = re.compile(r"\s*\{[:#.][^{}]*\}\s*$", re.MULTILINE)
_PROSE: Final = re.compile(r"\s*(?:[-*+] |\d+[.)] |</?[a-z]|\*\*)")
"""An indented block that starts so is not code, but a list or tag that was indented too far."""
_TASK: Final = re.compile(r"\A\[[ xX]\]\s+")
_NO_SPACES: Final = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u3000-\u303f]"
_JOINED: Final = re.compile(rf"(?<={_NO_SPACES})\x00(?={_NO_SPACES})")
_PARSER: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def read_markdown(markdown: str) -> Content:
    """Read a Markdown page and its front matter; lines that only wrap a paragraph are joined."""
    meta, body = split_front_matter(markdown)
    text = plain(untemplated(body))
    title = plain(untemplated(meta.get("title", ""))).lstrip("# ").strip()
    if not title and (heading := _TOP_HEADING.search(text)):
        title = heading[1]
    return Content(title or None, text, meta)


def split_front_matter(markdown: str) -> tuple[dict[str, str], str]:
    """Separate the front matter's plain values from the body."""
    match = _FRONT_MATTER.match(markdown)
    if match is None:
        return {}, markdown
    try:
        values = yaml.safe_load(match[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        title = _TITLE_LINE.search(match[1])
        values = {"title": title[1].strip().strip("\"'")} if title else {}
    known = values if isinstance(values, dict) else {}
    flat = {
        str(key): str(value)
        for key, value in known.items()
        if isinstance(value, str | int | float | date)
    }
    return flat, markdown[match.end() :]


def plain(markdown: str) -> str:
    """Render Markdown, without front matter, as clean text."""
    writer = _Writer()
    for token in _PARSER.parse(_FOOTNOTE_LINE.sub("", markdown)):
        writer.take(token)
    return writer.text()


@dataclass
class _Writer:
    parts: list[str] = field(default_factory=list)
    markers: list[str] = field(default_factory=list)
    """One per open list: `-`, or the number of the present item."""
    fresh: bool = False
    """Whether the present list item has no text yet."""
    listing: bool = False
    """Whether the last block belongs to the outermost list that is open now."""
    heading: str = ""
    row: list[str] | None = None
    rows: int = 0

    def take(self, token: Token) -> None:
        kind = token.type
        if kind == "inline":
            self._inline(inline_text(token))
        elif kind == "code_block" and _PROSE.match(token.content):
            self._add(plain(token.content))
        elif kind in ("fence", "code_block"):
            self._code(token.content)
        elif kind == "html_block":
            self._html(token.content)
        elif kind == "heading_open":
            self.heading = "#" * int(token.tag[1]) + " "
        elif kind == "heading_close":
            self.heading = ""
        else:
            self._structure(kind, token)

    def text(self) -> str:
        return "".join(self.parts)

    def _structure(self, kind: str, token: Token) -> None:
        if kind in ("bullet_list_open", "ordered_list_open"):
            self.listing = self.listing and bool(self.markers)
            self.markers.append("-")
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self.markers.pop()
            self.fresh = False
        elif kind == "list_item_open":
            self.markers[-1] = f"{token.info}." if token.info else "-"
            self.fresh = True
        elif kind == "table_open":
            self.rows = 0
        elif kind == "tr_open":
            self.row = []
        elif kind == "tr_close":
            self._end_row()

    def _add(self, block: str, *, close: bool = False) -> None:
        """Add a block, after an empty line unless it belongs `close` to the one before."""
        if block and self.parts:
            self.parts.append("\n" if close else "\n\n")
        if block:
            self.parts.append(block)
            self.listing = bool(self.markers)

    def _inline(self, text: str) -> None:
        if self.row is not None:
            self.row.append(" ".join(text.split()))
        elif text and self.heading:
            self._add(self.heading + " ".join(text.split()))
        elif text and self.markers:
            self._item(text.split("\n"))
        else:
            self._add(text)

    def _item(self, lines: list[str]) -> None:
        indent = "  " * (len(self.markers) - 1)
        marker = self.markers[-1] + " "
        blank = " " * len(marker)
        first = indent + (marker if self.fresh else blank) + lines[0]
        self._add(
            "\n".join([first, *(indent + blank + line for line in lines[1:])]), close=self.listing
        )
        self.fresh = False

    def _code(self, content: str) -> None:
        lines = [line.rstrip() for line in content.expandtabs(4).strip("\n").split("\n")]
        lead = "  " * len(self.markers) + "    "
        if any(lines):
            self._add("\n".join(lead + line if line else "" for line in lines), close=self.listing)

    def _html(self, content: str) -> None:
        before = "#"
        for line in lines_of(content):
            self._add(_tidy(line), close="#" not in (before[0], line[0]))
            before = line

    def _end_row(self) -> None:
        cells = [cell for cell in self.row or [] if cell]
        self.row = None
        self._add(" | ".join(cells), close=self.rows > 0)
        self.rows += bool(cells)


def inline_text(token: Token) -> str:
    """Render the inside of a paragraph, heading or cell; new lines only where asked for."""
    parts = [_inline_part(child) for child in token.children or []]
    return _tidy("".join(parts))


def _inline_part(token: Token) -> str:
    if token.type == "text":
        return token.content.replace("**", "")
    if token.type in ("text_special", "code_inline"):
        return token.content
    if token.type == "softbreak":
        return "\x00"
    if token.type == "hardbreak":
        return "\n"
    if token.type == "html_inline":
        if not is_markup(token.content):
            return token.content
        return "\n" if tag_name(token.content) == "br" else ""
    return ""


def _tidy(text: str) -> str:
    text = _JOINED.sub("", text).replace("\x00", " ")
    text = _FOOTNOTE.sub("", _LEFT_LINK.sub(r"\1", text))
    text = _TASK.sub("", _ATTRIBUTES.sub("", text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
