"""Read Markdown files: headings, links, code blocks."""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT: Final = Path(__file__).parents[2]
RUNNABLE: Final = "<!-- runnable -->"
SHELL: Final = frozenset({"sh", "bash", "shell", "console"})
_PARSER: Final = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Block:
    """A fenced code block."""

    path: Path
    line: int
    """Number of its first line in the file."""
    language: str
    text: str
    runnable: bool

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Page:
    """A Markdown file."""

    path: Path
    anchors: frozenset[str]
    links: tuple[str, ...]
    blocks: tuple[Block, ...]


def read_page(path: Path) -> Page:
    """Read a Markdown file."""
    tokens = _PARSER.parse(_without_front_matter(path.read_text(encoding="utf-8")))
    return Page(
        path=path,
        anchors=frozenset(_anchors(tokens)),
        links=tuple(_links(tokens)),
        blocks=tuple(
            Block(path, (token.map or [0])[0] + 1, token.info.strip(), token.content, marked)
            for token, marked in _fences(tokens)
        ),
    )


def commands(block: Block) -> list[str]:
    """Return the command lines of a shell block, with continued lines joined."""
    lines = block.text.replace("\\\n", " ").splitlines()
    return [line.removeprefix("$ ").strip() for line in lines if line.strip()]


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and MkDocs make it."""
    kept = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[\s]", "-", kept)


def _without_front_matter(text: str) -> str:
    return re.sub(r"\A---\n.*?\n---\n", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)


def _anchors(tokens: list[Token]) -> list[str]:
    pairs = pairwise(tokens)
    return [slug(_text(inline)) for start, inline in pairs if start.type == "heading_open"]


def _text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def _links(tokens: list[Token]) -> list[str]:
    inner = [child for token in tokens for child in token.children or ()]
    found = [child.attrs.get("href") or child.attrs.get("src") for child in inner]
    return [str(target) for target in found if target]


def _fences(tokens: list[Token]) -> list[tuple[Token, bool]]:
    before = [None, *tokens]
    return [
        (token, bool(last and last.type == "html_block" and last.content.strip() == RUNNABLE))
        for last, token in zip(before, tokens, strict=False)
        if token.type == "fence"
    ]
