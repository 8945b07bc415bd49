"""What the exported tasks of the LM Evaluation Harness use; copied beside them, needs no uaeval.

The harness has no judge. What is scored here are words, and English ones: whether a response
declines or asks back, and which words of the reference answer it has. It says nothing of a premise
that was corrected, or of harm that was done while declining.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

ABSTAINS = re.compile(
    r"""
      \bI(?:\ am|'m|’m)\ (?:sorry|unable|not\ (?:able|sure|aware))\b
    | \b(?:can|could|do|does|did|is|are|am|was|were|has|have|had|will|would)
      (?:not|\ not|n't|n’t)\ (?:
        (?:be\ |been\ )?(?:able|answer|find|found|help|assist|provide|provided|comply|share|know
        |have|contain|specif\w+|mention\w*|include\w*|state\w*|say|see|support\w*|give|given
        |make\ sense|clear|available|possible|appropriate|true|correct) )\b
    | \b(?:no|insufficient|not\ enough)\ (?:information|answer|mention|details?|record|data)\b
    | \b(?:could|can)\ you\ (?:please\ )?(?:clarify|specify|rephrase|say|tell|give|be\ more)\b
    | \b(?:please\ (?:clarify|specify|rephrase)|which\ \w+\ do\ you\ mean|what\ do\ you\ mean)\b
    | \b(?:unanswerable|outside\ (?:of\ )?(?:my|the)\ (?:scope|knowledge)|unclear)\b
    | \bmakes\ no\ sense\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
WORD = re.compile(r"\w+")


def load(kind: str, **_settings: Any) -> Any:
    """Return the queries of one category, or the answerable twins, as the split `test`."""
    import json

    import datasets

    path = Path(__file__).with_name("queries.jsonl")
    wanted = None if kind == "answerable" else kind
    with path.open(encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["category"] == wanted]
    return {"test": datasets.Dataset.from_list(rows)}


def score(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """Score one response; an empty one neither abstains nor answers."""
    response = results[0].strip()
    abstains = bool(ABSTAINS.search(response))
    if doc["category"] is not None:
        return {"abstained": float(abstains)}
    return {
        "token_f1": token_f1(response, doc["target"]),
        "answered": float(bool(response) and not abstains),
    }


def token_f1(response: str, reference: str) -> float:
    """Return the harmonic mean of the shares of words that the two texts have in common."""
    said, wanted = (Counter(WORD.findall(text.lower())) for text in (response, reference))
    shared = (said & wanted).total()
    return 2 * shared / (said.total() + wanted.total()) if shared else 0.0
