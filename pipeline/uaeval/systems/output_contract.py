"""The form of a graded answer: `Final answer:`, then only the answer."""

import re
from typing import Final

import yaml

from uaeval.resources import PACKAGE

PREFIX: Final = "Final answer:"
_VIOLATIONS: Final = yaml.safe_load(
    (PACKAGE / "systems" / "output_contract.yaml").read_text(encoding="utf-8")
)
_CORRECTIONS: Final = {each["name"]: each["correction"] for each in _VIOLATIONS}
_PATTERNS: Final = {
    each["name"]: re.compile("|".join(each["patterns"]), re.IGNORECASE | re.MULTILINE)
    for each in _VIOLATIONS
    if "patterns" in each
}
_EMPTY, _UNPREFIXED = "empty_output", "missing_final_answer_prefix"
_NEARLY: Final = re.compile(r"\A[\s*_#>]*final answer[\s*_]*:[\s*_]*", re.IGNORECASE)
_MARKUP: Final = re.compile(r"[*_#>`]+")


def violations(output: str) -> tuple[str, ...]:
    """Return the names of all violations of an output, in the order of `output_contract.yaml`."""
    answer = answer_of(output)
    if not answer:
        return (_EMPTY,)
    prefix = [] if output.lstrip().startswith(PREFIX) else [_UNPREFIXED]
    return (*prefix, *(name for name, pattern in _PATTERNS.items() if pattern.search(answer)))


def answer_of(output: str) -> str:
    """Return the text after the prefix, or a near miss of it; else the whole output."""
    plain = _NEARLY.sub("", output, count=1).strip()
    return plain if _MARKUP.sub("", plain).strip() else ""


def joined(broken: tuple[str, ...]) -> str | None:
    """Return violations as one text; `None` if there are none."""
    return ";".join(broken) or None


def correction(broken: tuple[str, ...]) -> str:
    """Return the violations in words, for the retry."""
    return "; ".join(_CORRECTIONS[name] for name in broken)
