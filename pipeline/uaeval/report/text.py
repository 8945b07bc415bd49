"""Make text from outside safe to show: without hidden characters, reordering or markup."""

import re
from functools import cache
from shlex import quote
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters, but for those that are space
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"  # reorder, or do not show
    "\U000e0000-\U000e007f"  # tags: invisible text
    "\ud800-\udfff]"  # halves of characters, which no file can hold
)
_MARKDOWN = re.compile(r"[\\*_\[\]~#$]")
_ENTITIES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "`": "&#96;", '"': "&quot;"}
)
_LINK = re.compile(r"(?<=\w):(?=//)|(?<=\bwww)\.|(?<=\bmailto):", re.IGNORECASE)


def visible(text: str) -> str:
    """Return `text` on one line, with control characters and bidi overrides spelled out."""
    return " ".join(legible(text).split())


def legible(text: str) -> str:
    """Return `text` with its line breaks, and hiding or reordering characters spelled out."""

    def spelled(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return _HIDDEN.sub(spelled, text)


def shortened(text: str, limit: int) -> str:
    """Return `visible(text)`, cut at a word after at most `limit` characters."""
    line = visible(text)
    if len(line) <= limit:
        return line
    cut = line[:limit]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + " …"


def markdown(text: str) -> str:
    """Return `visible(text)` with the syntax of Markdown and HTML escaped.

    Entities are used where renderers differ about backslashes; bare URLs do not become links.
    """
    literal = _MARKDOWN.sub(r"\\\g<0>", visible(text)).translate(_ENTITIES)
    return _LINK.sub(lambda match: f"&#{ord(match[0])};", literal)


@cache
def environment(package: str, folder: str = "templates", *, html: bool = False) -> "Environment":
    """Return the environment of a package's templates; a missing value raises.

    With `html`, all values are escaped.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # most commands need none

    made = Environment(
        autoescape=html,
        extensions=["jinja2.ext.do"],
        keep_trailing_newline=not html,
        loader=PackageLoader(package, folder),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    filters = {"markdown": markdown, "quoted": quote, "shortened": shortened, "visible": visible}
    made.filters |= filters
    return made
