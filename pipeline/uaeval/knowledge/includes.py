"""Resolve mdBook's `{{#include file}}`: what it names within the knowledge base, or nothing."""

import re
from pathlib import Path
from typing import Final

from uaeval.knowledge.decoding import decode
from uaeval.knowledge.reading import UnusableFile

_DIRECTIVE: Final = re.compile(
    r"(?<!\\)\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s+([^\s{}]+)[^{}]*\}\}"
)
_ANCHOR: Final = re.compile(r"ANCHOR(_END)?:\s*([\w-]+)")
_LARGEST: Final = 1_000_000


def resolve_includes(data: bytes, folder: Path, root: Path) -> bytes:
    """Return a file of `folder` with the lines that its directives name of files below `root`.

    What is not below `root` or cannot be read leaves nothing; included files include no others.

    Raises:
        UnusableFile: it is not text.
    """
    if b"{{" not in data:
        return data

    def included(match: re.Match[str]) -> str:
        return _DIRECTIVE.sub("", _included(match[1], folder, root.resolve()))

    return _DIRECTIVE.sub(included, decode(data)).encode("utf-8", "replace")


def _included(address: str, folder: Path, root: Path) -> str:
    name, *place = address.split(":")
    path = (folder / name).resolve()
    try:
        if not path.is_relative_to(root) or not path.is_file() or path.stat().st_size > _LARGEST:
            return ""
        lines = decode(path.read_bytes()).splitlines()
    except (OSError, UnusableFile):
        return ""
    return "\n".join(line for line in _chosen(lines, place) if not _ANCHOR.search(line))


def _chosen(lines: list[str], place: list[str]) -> list[str]:
    """Return all lines, those from one number to another, or those between the signs of a name."""
    if not place:
        return lines
    if all(re.fullmatch(r"\d{0,9}", part) for part in place):
        first, last = place[0], place[1] if len(place) > 1 else place[0]
        return lines[int(first or 1) - 1 : int(last or len(lines))]
    signs = (_ANCHOR.search(line) for line in lines)
    numbers = [number for number, sign in enumerate(signs) if sign and sign[2] == place[0]]
    return lines[numbers[0] : numbers[-1]] if numbers else []
