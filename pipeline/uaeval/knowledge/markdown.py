"""Turn Markdown into clean text: keep headings and list markers, remove all other markup."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

import yaml
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from uaeval.knowledge.directives import unboxed, untemplated
from uaeval.knowledge.markup import text_of_html, with_placeholders
from uaeval.knowledge.plain_text import is_code
from uaeval.knowledge.reading import Content, address_in, day_in

VERBATIM: Final = "verbatim"
"""Value of `text:` in the front matter of files whose body must not be cleaned."""
_FRONT_MATTER: Final = re.compile(
    r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_SCALAR: Final = str | int | float | date
_TITLE_LINE: Final = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_TOP_HEADING: Final = re.compile(r"^# +(.+)$", re.MULTILINE)
_FOOTNOTE_LINE: Final = re.compile(r"^ {0,3}\[\^[^\[\]\s]+\]:[ \t]*", re.MULTILINE)
_LEFT_LINK: Final = re.compile(
    r"!?\[([^\[\]]*)\]\((?:[^()\s]*|#)\)|(?<![\w\]])\[((?=[^\[\]]*[^\W\d_])[^\[\]^][^\[\]]+)\]\[[^\[\]]*\]"
    r"|\{/\*[^*]*\*/\}"
)
_FOOTNOTE: Final = re.compile(r"\[\^[^\[\]\s]+\]")
_ATTRIBUTES: Final = re.compile(r"\s*\{[:#.][^{}]*\}\s*$", re.MULTILINE)
_TASK: Final = re.compile(r"\A\[[ xX]\]\s+")
_STRAY: Final = re.compile(r"(?<!\w)\*\*|\*\*(?!\w)")
_SHIELDED: Final = str.maketrans("[{", "\ue0f0\ue0f1")
"""Stand for signs of code, so that code is no leftover Markdown."""
_RESTORED: Final = str.maketrans("\ue0f0\ue0f1", "[{")
_PROSE: Final = re.compile(r"\s*(?:[-*+] |\d+[.)] |</?[a-z]|\*\*)")
"""Start of an indented block that is not code, but a list or tag that was indented too far."""


class _Renderer(RendererHTML):
    """Writes HTML in which stray marks are left out, and tags that are text are escaped."""

    def text(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return escapeHtml(_STRAY.sub("", tokens[idx].content))

    def code_inline(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return f"<code>{escapeHtml(tokens[idx].content.translate(_SHIELDED))}</code>"

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: object, **__: object) -> str:
        return with_placeholders(tokens[idx].content)

    html_block = html_inline


_PARSER: Final = MarkdownIt("commonmark", {"html": True}, renderer_cls=_Renderer).enable(
    ["table", "strikethrough"]
)


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
    flat = {str(key): str(value) for key, value in known.items() if isinstance(value, _SCALAR)}
    return flat, markdown[match.end() :]


def plain(markdown: str) -> str:
    """Return Markdown, which has no front matter, as clean text."""
    tokens = [*_with_code(_PARSER.parse(_FOOTNOTE_LINE.sub("", markdown)))]
    return text_of_html(_PARSER.renderer.render(tokens, _PARSER.options, {}), _without_leftovers)


def _without_leftovers(line: str) -> str:
    """Return a line without marks of Markdown that the parser does not know."""
    line = _FOOTNOTE.sub("", _LEFT_LINK.sub(r"\1\2", line))
    return _TASK.sub("", _ATTRIBUTES.sub("", line)).translate(_RESTORED)


def _with_code(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens, with code that is not marked as code, and text that is marked as code."""
    for token in tokens:
        if token.type == "code_block" and _PROSE.match(token.content):
            yield from _with_code(_PARSER.parse(token.content))
        elif token.type == "inline" and _is_bare_code(token):
            yield Token("code_block", "code", 0, content=token.content)
        else:
            yield token


def _is_bare_code(token: Token) -> bool:
    parts = token.children or []
    kinds = {child.type.partition("_")[0] for child in parts}
    lines = "".join(child.content or "\n" * (child.type == "softbreak") for child in parts)
    return kinds <= {"text", "softbreak", "em", "strong"} and is_code(lines.split("\n"), least=2)
