"""Turn Markdown into clean text: keep headings and list markers, remove all other markup."""

import re
from datetime import date
from typing import Final

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.boxes import unboxed
from uaeval.knowledge.directives import untemplated
from uaeval.knowledge.markup import is_markup, lines_of, raised, raising, tag_name
from uaeval.knowledge.plain_text import NO_SPACES, is_code
from uaeval.knowledge.reading import Content, address_in, day_in

VERBATIM: Final = "verbatim"
"""Value of `text:` in the front matter of files whose body must not be cleaned."""
_FRONT_MATTER: Final = re.compile(
    r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TITLE_LINE: Final = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_TOP_HEADING: Final = re.compile(r"^# +(.+)$", re.MULTILINE)
_LEFT_LINK: Final = re.compile(
    r"!?\[([^\[\]]*)\]\((?:[^()\s]*|#)\)|(?<![\w\]])\[((?=[^\[\]]*[^\W\d_])[^\[\]^][^\[\]]+)\]\[[^\[\]]*\]"
    r"|\{/\*[^*]*\*/\}"
)
_FOOTNOTE: Final = re.compile(r"\[\^[^\[\]\s]+\]")
_FOOTNOTE_LINE: Final = re.compile(r"^ {0,3}\[\^[^\[\]\s]+\]:[ \t]*", re.MULTILINE)
_ATTRIBUTES: Final = re.compile(r"\s*\{[:#.][^{}]*\}\s*$", re.MULTILINE)
_PROSE: Final = re.compile(r"\s*(?:[-*+] |\d+[.)] |</?[a-z]|\*\*)")
"""Start of an indented block that is not code, but a list or tag that was indented too far."""
_TASK: Final = re.compile(r"\A\[[ xX]\]\s+")
_JOINED: Final = re.compile(rf"(?<={NO_SPACES})\x00(?={NO_SPACES})")
_PARSER: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def read_markdown(markdown: str) -> Content:
    """Return the content of a Markdown page, with its front matter and wrapped lines joined."""
    meta, body = split_front_matter(markdown)
    if meta.get("text") == VERBATIM:
        text = body.removesuffix("\n")
        return Content(meta.get("title"), text, day_in(meta), address_in(meta), meta.get("id"))
    text = plain(untemplated("\n".join(unboxed(body))))
    title = plain(untemplated(meta.get("title", ""))).lstrip("# ").strip()
    return Content(title or top_heading(text), text, day_in(meta), address_in(meta))


def top_heading(text: str) -> str | None:
    """Return the first heading of level 1; `None` if there is none."""
    heading = _TOP_HEADING.search(text)
    return heading[1] if heading else None


def split_front_matter(markdown: str) -> tuple[dict[str, str], str]:
    """Return the fields of the front matter, and the text after it."""
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
    """Return Markdown, which has no front matter, as clean text."""
    writer = _Writer()
    for token in _PARSER.parse(_FOOTNOTE_LINE.sub("", markdown)):
        writer.take(token)
    return writer.blocks.text()


class _Writer:
    def __init__(self) -> None:
        self.blocks = Blocks()
        self._markers: list[str] = []
        """The marker of the current item of each open list; blank after the item's first line."""
        self._numbers: list[int] = []
        """The number of the next item of each open list."""
        self._list = 0
        """Number of the current or last outermost list."""
        self._heading = 0
        self._row: list[str] | None = None
        self._table = ""

    def take(self, token: Token) -> None:
        kind = token.type
        if kind == "inline":
            self._inline(token)
        elif kind == "code_block" and _PROSE.match(token.content):
            self.blocks.add(plain(token.content))
        elif kind in ("fence", "code_block"):
            self._code(token.content)
        elif kind == "html_block":
            for text in map(_tidy, lines_of(token.content)):
                self.blocks.add(text, None if text.startswith("#") else str(token.map))
        elif kind in ("heading_open", "heading_close"):
            self._heading = int(token.tag[1]) if kind == "heading_open" else 0
        else:
            self._structure(kind, token)

    def _structure(self, kind: str, token: Token) -> None:
        if kind in ("bullet_list_open", "ordered_list_open"):
            self._list += not self._markers
            self._markers.append("-")
            self._numbers.append(int(token.attrs.get("start", 1)))
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._markers.pop()
            self._numbers.pop()
        elif kind == "list_item_open":
            self._markers[-1] = f"{self._numbers[-1]}." if token.info else "-"
            self._numbers[-1] += 1
        elif kind == "table_open":
            self._table = f"table {token.map}"
        elif kind == "tr_open":
            self._row = []
        elif kind == "tr_close" and self._row is not None:
            self.blocks.row(self._row, self._table)
            self._row = None

    def _inline(self, token: Token) -> None:
        text = _tidy("".join(map(_inline_part, token.children or [])))
        if self._row is not None:
            self._row.append(text)
        elif self._heading:
            self.blocks.heading(self._heading, text)
        elif _is_bare_code(token):
            self._code(token.content)
        elif self._markers:
            marker = self._markers[-1]
            self.blocks.item(text, marker=marker, depth=len(self._markers) - 1, group=self._list)
            self._markers[-1] = " " * len(marker) if text else marker
        else:
            self.blocks.add(text)

    def _code(self, content: str) -> None:
        group = self._list if self._markers else None
        self.blocks.code(content, depth=len(self._markers), group=group)


def _is_bare_code(token: Token) -> bool:
    parts = token.children or []
    kinds = {child.type.partition("_")[0] for child in parts}
    lines = "".join(child.content or "\n" * (child.type == "softbreak") for child in parts)
    return kinds <= {"text", "softbreak", "em", "strong"} and is_code(lines.split("\n"), least=2)


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
        return "\n" if tag_name(token.content) == "br" else raising(token.content)
    return ""


def _tidy(text: str) -> str:
    text = raised(_JOINED.sub("", text).replace("\x00", " "))
    text = _FOOTNOTE.sub("", _LEFT_LINK.sub(r"\1\2", text))
    text = _TASK.sub("", _ATTRIBUTES.sub("", text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
