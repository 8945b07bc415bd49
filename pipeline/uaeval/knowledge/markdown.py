"""Markdown as clean text: headings and list markers stay, every other mark goes."""

import re
from dataclasses import dataclass, field
from typing import Final

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from uaeval.knowledge.liquid import untemplated
from uaeval.knowledge.markup import is_markup, lines_of, tag_name

_FRONT_MATTER: Final = re.compile(
    r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TITLE_LINE: Final = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_TOP_HEADING: Final = re.compile(r"^# +(.+)$", re.MULTILINE)
_LEFT_LINK: Final = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]*|#)\)")
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]+\]:?")
_ATTRIBUTES: Final = re.compile(r"\s*\{[:#.][^{}]*\}\s*$", re.MULTILINE)
_PROSE: Final = re.compile(r"\s*(?:[-*+] |\d+[.)] |</?[a-z]|\*\*)")
"""An indented block that starts so is not code, but a list or tag that was indented too far."""
_TASK: Final = re.compile(r"\A\[[ xX]\]\s+")
_NO_SPACES: Final = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u3000-\u303f]"
_JOINED: Final = re.compile(rf"(?<={_NO_SPACES})\x00(?={_NO_SPACES})")
_PARSER: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a Markdown page, its own title if it has one, and its front matter."""

    title: str | None
    text: str
    meta: dict[str, str]


def read_markdown(markdown: str) -> Page:
    """Read a Markdown page; lines that only wrap a paragraph are joined."""
    meta, body = split_front_matter(markdown)
    text = plain(untemplated(body))
    title = plain(untemplated(meta.get("title", ""))).lstrip("# ").strip()
    if not title and (heading := _TOP_HEADING.search(text)):
        title = heading[1]
    return Page(title or None, text, meta)


def split_front_matter(markdown: str) -> tuple[dict[str, str], str]:
    """Separate the front matter's plain values from the body."""
    match = _FRONT_MATTER.match(markdown)
    if match is None:
        return {}, markdown
    try:
        values = yaml.safe_load(match[1])
    except yaml.YAMLError:
        title = _TITLE_LINE.search(match[1])
        values = {"title": title[1].strip().strip("\"'")} if title else {}
    known = values if isinstance(values, dict) else {}
    flat = {
        str(key): str(value) for key, value in known.items() if isinstance(value, str | int | float)
    }
    return flat, markdown[match.end() :]


def plain(markdown: str) -> str:
    """Render Markdown, without front matter, as clean text."""
    writer = _Writer()
    for token in _PARSER.parse(markdown):
        writer.take(token)
    return writer.text()


@dataclass
class _Writer:
    blocks: list[tuple[str, bool]] = field(default_factory=list)
    """Every block, and whether it follows the one before it without an empty line."""
    markers: list[str] = field(default_factory=list)
    """One per open list: `-`, or the number of the present item."""
    fresh: bool = False
    """Whether the present list item has no text yet."""
    heading: str = ""
    row: list[str] | None = None
    rows: int = 0

    def take(self, token: Token) -> None:
        kind = token.type
        if kind == "inline":
            self._inline(inline_text(token))
        elif kind == "code_block" and _PROSE.match(token.content):
            self.blocks.append((plain(token.content), False))
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

    def _structure(self, kind: str, token: Token) -> None:
        if kind in ("bullet_list_open", "ordered_list_open"):
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

    def text(self) -> str:
        parts: list[str] = []
        for block, close in self.blocks:
            if parts:
                parts.append("\n" if close else "\n\n")
            parts.append(block)
        return "".join(parts)

    def _inline(self, text: str) -> None:
        if self.row is not None:
            self.row.append(" ".join(text.split()))
        elif text and self.heading:
            self.blocks.append((self.heading + " ".join(text.split()), False))
        elif text:
            self._paragraph(text.split("\n"))

    def _paragraph(self, lines: list[str]) -> None:
        if not self.markers:
            self.blocks.append(("\n".join(lines), False))
            return
        indent = "  " * (len(self.markers) - 1)
        marker = self.markers[-1] + " "
        first = marker if self.fresh else " " * len(marker)
        lines = [indent + first + lines[0], *(indent + " " * len(marker) + x for x in lines[1:])]
        inside = bool(self.blocks) and self._in_list
        self.blocks.append(("\n".join(lines), inside))
        self.fresh = False

    @property
    def _in_list(self) -> bool:
        """Whether the block before this one belongs to the same outermost list."""
        last = self.blocks[-1][0]
        return bool(re.match(r"\s*(?:-|\d+[.)]) |\s{2,}", last))

    def _code(self, content: str) -> None:
        lines = [line.rstrip() for line in content.expandtabs(4).strip("\n").split("\n")]
        lead = "  " * len(self.markers) + "    "
        if any(lines):
            block = "\n".join(lead + line if line else "" for line in lines)
            self.blocks.append((block, bool(self.markers) and bool(self.blocks)))

    def _html(self, content: str) -> None:
        for position, line in enumerate(lines_of(content)):
            close = position > 0 and not line.startswith("#") and not self._after_heading
            self.blocks.append((_tidy(line), close))

    @property
    def _after_heading(self) -> bool:
        return bool(self.blocks) and self.blocks[-1][0].startswith("#")

    def _end_row(self) -> None:
        cells = [cell for cell in self.row or [] if cell]
        self.row = None
        if cells:
            self.blocks.append((" | ".join(cells), self.rows > 0))
            self.rows += 1


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
