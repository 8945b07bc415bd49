"""Join lines that were only broken to fit a page, so that a sentence stands on one line."""

import re

from uaeval.knowledge.code_lines import MARKER, is_code_line

_END = re.compile(r"[.!?:;。！？؟।…][\"'”’)\]»]*$")
_CUT_WORD = re.compile(r"([^\W\d_]+)-$")
_FIRST_WORD = re.compile(r"([^\W\d_]+)(.*)", re.DOTALL)
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u3000-\u303f]")
_NARROW = 40


def joined(lines: list[str], words: set[str]) -> list[str]:
    """Return the lines of a block, with those that only wrap a sentence joined.

    `words` are those of the whole text: they tell a cut word from one with a hyphen.
    """
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
    """Return whether `line` continues the sentence of `before`, or at least its paragraph."""
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    if not first or MARKER.match(line) or before.startswith("#") or " | " in before + line:
        return False
    if is_code_line(before) or is_code_line(line):
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
