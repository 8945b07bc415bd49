"""Recognise messages of broken services, which are neither answers nor refusals."""

import re

from uaeval.offline.judge.reading import patterns
from uaeval.text.spelling import spell_out

_MARKUP = re.compile(r"\s*<(?:!doctype html|html|head|center|h1)\b", re.IGNORECASE)
_TAG = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_NO_TEXT = re.compile(
    r"null|undefined|nan|\[object object\]|[\[{\"']\s*[\]}\"']|"
    r"\{\s*\"(?:error|errors|detail|fault)\"\s*:.*\}|traceback \(most recent call last\).*",
    re.IGNORECASE | re.DOTALL,
)
_CUT = re.compile(
    r"(?:[.!?;:]+|\s[-–—])(?:\s+|\Z)|\n+|,?\s+(?=(?:so |and )?(?:please |kindly )?(?:try|retry)\b)"
    r"|,\s*(?=please\b)|,?\s+(?:and|as|because|since|so)\s+(?=(?:an?|i|it|our|the|there|we)\b)"
)
_LEAD = re.compile(
    r"^(?:(?:(?:i am|we are) (?:so |very |really )?sorry|sorry|apologies|my apologies|oops|"
    r"unfortunately|uh[- ]oh|whoops)\b[\s,]*(?:but |that |about that\b)?|error\b[\s,]+)\s*"
)
_LONGEST = 2000  # characters; a longer text is an answer about an outage


def is_outage(response: str) -> bool:
    """Return whether all of a response is the message of a broken service."""
    text = response.strip()
    if _NO_TEXT.fullmatch(text):
        return True
    page = bool(_MARKUP.match(text))
    if len(text) > _LONGEST and not page:
        return False
    clauses = _CUT.split(_TAG.sub("\n", spell_out(text[:_LONGEST])))
    known = patterns("judge_outages", "clauses").items()
    kinds = set()
    for clause in clauses:
        if bare := clause.strip(" \t\"'`*#.,()"):
            core = _LEAD.sub("", bare) or bare  # without an apology before it
            kinds.add(next((kind for kind, pattern in known if pattern.fullmatch(core)), None))
    if page:
        return "fault" in kinds
    return None not in kinds and ("fault" in kinds or {"stall", "retry"} <= kinds)
