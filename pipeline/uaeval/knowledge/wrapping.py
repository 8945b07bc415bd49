"""Join lines that were only broken to fit a page, so that a sentence stands on one line."""

import re

_MARKER = re.compile(r"\s*(?:[-*+•‣◦▪–]|\d{1,3}[.)]|[a-zA-Z][.)]|#{1,6})\s")
_END = re.compile(r"[.!?:;。！？؟।…][\"'”’)\]»]*$")
_CUT_WORD = re.compile(r"([^\W\d_]+)-$")
_FIRST_WORD = re.compile(r"([^\W\d_]+)(.*)", re.DOTALL)
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u3000-\u303f]")
_NARROW = 40


def unwrapped(text: str) -> str:
    """Join hard-wrapped lines; lists, headings, tables and short lines stay as they are."""
    blocks = re.split(r"\n[ \t]*\n\s*", text.strip())
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    joined = ("\n".join(_joined(block.split("\n"), words)) for block in blocks)
    return "\n\n".join(block for block in joined if block.strip())


def _joined(lines: list[str], words: set[str]) -> list[str]:
    lines = [line.rstrip() for line in lines]
    width = max(len(line) for line in lines)
    if width < _NARROW:
        return lines
    done = lines[:1]
    for line, before in zip(lines[1:], lines, strict=False):
        if _continues(before, line, width):
            done[-1] = _join(done[-1], line.lstrip(), words)
        else:
            done.append(line)
    return done


def _continues(before: str, line: str, width: int) -> bool:
    """Say whether `line` goes on with the sentence of `before`, or at least its paragraph."""
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    if not first or _MARKER.match(line) or before.startswith("#") or " | " in before + line:
        return False
    if _END.search(before):
        return len(before) + 1 + len(first) > width * 0.85
    return len(before) > width * 0.6 or first[0].islower()


def _join(before: str, line: str, words: set[str]) -> str:
    cut, rest = _CUT_WORD.search(before), _FIRST_WORD.match(line)
    if cut and rest and rest[1][0].islower():
        whole = (cut[1] + rest[1]).casefold()
        return before[:-1] + line if whole in words else before + line
    if before and _NO_SPACE.match(before[-1]) and _NO_SPACE.match(line[0]):
        return before + line
    return f"{before} {line}"
