"""The form of an output: `Final answer:`, followed by the answer only."""

import re
from typing import Final

from uaeval.resources import shipped_table

PREFIX: Final = "Final answer:"
_VIOLATIONS: Final = shipped_table("systems/output_contract.yaml")
CORRECTIONS: Final = {rule["name"]: rule["correction"] for rule in _VIOLATIONS}
_PATTERNS: Final = {
    rule["name"]: re.compile("|".join(rule["patterns"]), re.IGNORECASE | re.MULTILINE)
    for rule in _VIOLATIONS
    if "patterns" in rule
}
_SIMILAR_PREFIX: Final = re.compile(r"\A[\s*_#>]*final answer[\s*_]*:[\s*_]*", re.IGNORECASE)
_MARKUP: Final = re.compile(r"[*_#>`]+")


def violations(output: str) -> tuple[str, ...]:
    """Return the names of all violations of an output, in the order of `output_contract.yaml`."""
    if not (answer := answer_of(output)):
        return ("empty_output",)
    prefix = [] if output.lstrip().startswith(PREFIX) else ["missing_final_answer_prefix"]
    return (*prefix, *(name for name, pattern in _PATTERNS.items() if pattern.search(answer)))


def answer_of(output: str) -> str:
    """Return the output without the prefix, or without a similar one; empty if it has no text."""
    plain = _SIMILAR_PREFIX.sub("", output, count=1).strip()
    return plain if _MARKUP.sub("", plain).strip() else ""
