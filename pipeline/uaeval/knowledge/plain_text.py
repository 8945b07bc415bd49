"""Recognise the structure of plain text: wrapped paragraphs, lists, tables, headings and code."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from uaeval.knowledge.blocks import as_code

_MARKER: Final = re.compile(r"\s*(?:[-*+•‣◦▪–]|\d{1,3}[.)]|[a-zA-Z][.)]|#{1,6})\s")
"""The marker of a list item or of a heading."""
_COMMENT: Final = re.compile(r"\s*(?:#[\s!#]|#$|//|--\s|/\*|\*/|\*\s)")
_URL: Final = re.compile(r"\]?\(?\b\w{1,20}://\S+")
_CODE_LINE: Final = re.compile(
    r"""[{}\\]$ | (?<!\s)[([]$ | \w\((?!s\)).*\)(?:\ ->.*)?:$ | [)\]];$   # blocks, ends of calls
      | ^(?:\$\s | >>> | \.\.\.\s | @\w | </?\w)   # prompts, decorators, tags
      | \s(?:[:+*/%|&!<>-]?= | == | => | && | \|\| | << | >>)\s   # operators
      | ^[\w.]+\([^)]*\)$   # calls""",
    re.VERBOSE,
)
_CODE_CHARACTER: Final = re.compile(r"[{}\[\]<>=;_$&|\\@~^]|::|(?<=[\w!$])\((?!s\))")
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})[^`\n]*$")
_TERMINAL: Final = re.compile(r"\x1b\[[\d;]*m|.\x08")
"""Bold and coloured text of a terminal, or letters that are printed over."""
_LEADER: Final = re.compile(r"(?:\. ?){4}\s*\d{1,6}$")
_COLUMNS: Final = re.compile(r"\S {3,}\S")
_UNDERLINE: Final = re.compile(r"([=\-~^*+#\"'`:.])\1{2,}")
_END = re.compile(r"[.!?:;。！？؟।…][\"'”’)\]»]*$")
_CUT_WORD = re.compile(r"([^\W\d_]+)-$")
_FIRST_WORD = re.compile(r"([^\W\d_]+)(.*)", re.DOTALL)
NO_SPACES: Final = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u3000-\u303f]"
"""Characters of Chinese and Japanese, between which a line break is not a space."""


def structured(text: str) -> str:
    """Return a text with hard-wrapped lines joined, headings marked by `#`, and code indented.

    Lists, tables and short lines do not change. Code is indented by four spaces, so that none of
    its lines looks like a heading.
    """
    text = _TERMINAL.sub("", text).expandtabs(4)
    blocks = [block for block in _blocks(text) if block.strip()]
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    adornments: list[str] = []
    parts: list[str] = []
    for block, code in _with_code_joined(blocks):
        lines = dedent(block).split("\n")
        if code:
            parts.append(as_code(block))
        elif _is_heading(lines):
            parts.append(_heading(lines, adornments))
        else:
            wide = sum(bool(_COLUMNS.search(line)) for line in lines)
            is_table = len(lines) > 1 and wide * 2 >= len(lines)
            parts.append("\n".join(lines if is_table else map(_unindented, _joined(lines, words))))
    return "\n\n".join(parts)


def _unindented(line: str) -> str:
    """Return a line of text, such as the meaning below a term, indented less than code."""
    return line if _MARKER.match(line) else re.sub("^ {4,}", "  ", line)


def _blocks(text: str) -> Iterator[str]:
    """Yield the blocks between empty lines; everything between two fences is one block."""
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        opens = None if fence or _is_heading([*block, line]) else _FENCE.match(line)
        closes = fence and line.strip().startswith(fence) and not line.strip().strip(fence[0])
        if opens or (not fence and not line.strip()):
            yield "\n".join(block)
            block = []
            fence = opens[1] if opens else ""
        if line.strip() or fence:
            block.append(line.rstrip())
        if closes or _is_heading(block):
            yield "\n".join(block)
            block, fence = [], ""
    yield "\n".join(block)


def _with_code_joined(blocks: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield each block, and whether it is code; neighbouring blocks of code are joined."""
    base = _prose_depth(blocks)
    code: list[str] = []
    for block, following in zip(blocks, [*blocks[1:], ""], strict=False):
        if _FENCE.match(block.split("\n", 1)[0]):
            code.append("\n".join(block.split("\n")[1:-1]))
        elif _belongs_to_code(block, following, code, base):
            code.append(block)
        else:
            if code:
                yield "\n\n".join(code), True
                code = []
            yield block, False
    if code:
        yield "\n\n".join(code), True


def _belongs_to_code(block: str, following: str, code: Sequence[str], base: int) -> bool:
    lines = block.split("\n")
    depth = _depth(block)
    if is_code(lines):
        return not _is_heading(lines)
    if lines[0].lstrip().startswith("#"):
        return depth > base + 1 or bool(code and is_code(following.split("\n")))
    return bool(code) and depth > base + 1 and depth >= _depth(code[0])


def _prose_depth(blocks: Sequence[str]) -> int:
    depths: Counter[int] = Counter()
    for block in blocks:
        if not is_code(block.split("\n")):
            depths[_depth(block)] += len(block)
    return depths.most_common(1)[0][0] if depths else 0


def _depth(block: str) -> int:
    return min((len(line) - len(line.lstrip()) for line in block.split("\n") if line), default=0)


def _is_heading(block: Sequence[str]) -> bool:
    """Return whether the lines are a title with an underline, and perhaps an overline."""
    lines = [line.strip() for line in block[:4]]
    if len(lines) == 3 and lines[0] == lines[2]:
        lines = lines[1:]
    if len(lines) != 2 or not _UNDERLINE.fullmatch(lines[1]):
        return False
    return any(map(str.isalnum, lines[0])) and len(lines[1]) >= 0.8 * len(lines[0])


def _heading(block: Sequence[str], adornments: list[str]) -> str:
    """Return a Markdown heading; its level is the order in which its underline was first used."""
    adornment = block[-1].strip()[0] * (len(block) - 1)
    if adornment not in adornments:
        adornments.append(adornment)
    return "#" * min(adornments.index(adornment) + 1, 6) + " " + block[-2].strip()


def is_code(lines: Sequence[str], *, least: int = 1) -> bool:
    """Return whether lines are code, and at least `least` many; a single comment is not code."""
    if len(lines) < least:
        return False
    rest = [line for line in lines if line.strip() and not _COMMENT.match(line)]
    if not rest:
        return len(lines) > 1
    depths = {len(line) - len(line.lstrip()) for line in rest}
    return sum(map(_may_be_code, rest)) >= len(rest) / (4 if len(depths) > 2 else 2)


def _may_be_code(line: str) -> bool:
    body = _URL.sub("", line).strip()
    is_dense = len(_CODE_CHARACTER.findall(body)) > 0.06 * len(body)  # about 0.01 in prose
    return not _MARKER.match(line) and (_is_code_line(line) or is_dense)


def _is_code_line(line: str) -> bool:
    """Return whether the start, the end or an operator shows that a line is code."""
    return bool(_CODE_LINE.search(_URL.sub("", line).strip()))


def _joined(lines: list[str], words: set[str]) -> list[str]:
    """Return a block with wrapped lines joined, without hyphens that split one of `words`."""
    lines = [line.rstrip() for line in lines]
    width = max(len(line) for line in lines)
    if width < 40:
        return lines
    joined = lines[:1]
    for line, before in zip(lines[1:], lines, strict=False):
        if _continues(before, line, width):
            joined[-1] = _join(joined[-1], line.lstrip(), words)
        else:
            joined.append(line)
    return joined


def _continues(before: str, line: str, width: int) -> bool:
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    if not first or _MARKER.match(line) or before.startswith("#") or " | " in before + line:
        return False
    if _is_code_line(before) or _is_code_line(line) or _LEADER.search(before):
        return False
    if _END.search(before):
        return len(before) + 1 + len(first) > width * 0.85
    return len(before) > width * 0.6 or first[0].islower()


def _join(before: str, line: str, words: set[str]) -> str:
    cut, rest = _CUT_WORD.search(before), _FIRST_WORD.match(line)
    if cut and rest and rest[1][0].islower():
        whole = (cut[1] + rest[1]).casefold()
        return before[:-1] + line if whole in words else before + line
    unspaced = before and re.match(NO_SPACES, before[-1]) and re.match(NO_SPACES, line[0])
    return before + line if unspaced else f"{before} {line}"
