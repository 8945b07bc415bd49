"""Recognise messages of broken services, which are neither answers nor refusals."""

from uaeval.offline.tables import patterns
from uaeval.text.spelling import spell_out

_LONGEST = 2000  # characters; a longer text is an answer about an outage


def is_outage(response: str) -> bool:
    """Return whether all of a response is the message of a broken service."""
    text, parts = response.strip(), patterns("judge_outages", "parts")
    if parts["no_text"].fullmatch(text):
        return True
    page = bool(parts["markup"].match(text))
    if len(text) > _LONGEST and not page:
        return False
    clauses = parts["cut"].split(parts["tag"].sub("\n", spell_out(text[:_LONGEST])))
    known = patterns("judge_outages", "clauses").items()
    kinds = set()
    for clause in clauses:
        if bare := clause.strip(" \t\"'`*#.,()"):
            core = parts["lead"].sub("", bare) or bare  # without an apology before it
            kinds.add(next((kind for kind, pattern in known if pattern.fullmatch(core)), None))
    if page:
        return "fault" in kinds
    return None not in kinds and ("fault" in kinds or {"stall", "retry"} <= kinds)
