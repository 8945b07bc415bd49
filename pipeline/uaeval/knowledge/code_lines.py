"""What tells lines of code from lines of prose, in texts that mark neither."""

import re
from collections.abc import Sequence
from typing import Final

MARKER: Final = re.compile(r"\s*(?:[-*+•‣◦▪–]|\d{1,3}[.)]|[a-zA-Z][.)]|#{1,6})\s")
"""The sign of a list's item, or of a heading."""
_COMMENT: Final = re.compile(r"\s*(?:#[\s!#]|#$|//|--\s|/\*|\*/|\*\s)")
_URL: Final = re.compile(r"\]?\(?\b\w{1,20}://\S+")
_CODE_LINE: Final = re.compile(
    r"""[{}\\]$ | (?<!\s)[([]$ | \w\((?!s\)).*\)(?:\ ->.*)?:$ | [)\]];$   # blocks, ends of calls
      | ^(?:\$\s | >>> | \.\.\.\s | @\w | </?\w)   # prompts, decorators, tags
      | \s(?:[:+*/%|&!<>-]?= | == | => | && | \|\| | << | >>)\s   # operators
      | ^[\w.]+\([^)]*\)$   # calls""",
    re.VERBOSE,
)
_SIGN: Final = re.compile(r"[{}\[\]<>=;_$&|\\@~^]|::|(?<=[\w!$])\((?!s\))")
_DENSE: Final = 0.06
"""A line with a greater share of such signs is code; prose has about 0.01."""


def is_code_line(line: str) -> bool:
    """Return whether a line is code by its beginning, its end or an operator."""
    return bool(_CODE_LINE.search(_URL.sub("", line).strip()))


def is_code(lines: Sequence[str], *, least: int = 1) -> bool:
    """Return whether at least so many lines are code and not prose; one comment alone is not."""
    if len(lines) < least:
        return False
    rest = [line for line in lines if line.strip() and not _COMMENT.match(line)]
    if not rest:
        return len(lines) > 1
    hits = sum(map(_may_be_code, rest))
    depths = {len(line) - len(line.lstrip()) for line in rest}
    return hits >= len(rest) / (4 if len(depths) > 2 else 2)


def _may_be_code(line: str) -> bool:
    body = _URL.sub("", line).strip()
    if MARKER.match(line):
        return False
    return is_code_line(line) or len(_SIGN.findall(body)) > _DENSE * len(body)
