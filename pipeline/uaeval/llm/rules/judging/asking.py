"""Whether a response asks for what is missing and answers nothing."""

from uaeval.llm.rules.judging import signals
from uaeval.llm.rules.judging.correctness import figures
from uaeval.llm.rules.judging.reactions import REFUSALS, Kind, Reaction

_LEAD = 30
"""Words that may lead in to a plain question at the end."""


def asks_back(question: str, reactions: tuple[Reaction, ...]) -> Reaction | None:
    """Return the sentence that asks for the missing piece, unless something is answered."""
    asking = [one for one in reactions if one.kind is Kind.ASKS]
    plain = [one for one in asking if signals.ASKS_BACK.search(one.text)]
    refused = any(one.kind in REFUSALS for one in reactions)
    if not asking or (refused and not plain):
        return None
    told = " ".join(one.text for one in reactions if one.kind is Kind.TELLS)
    if figures(told) - figures(question):
        return None
    asked = sum(len(one.text.split()) for one in asking)
    last = next(one for one in reversed(reactions) if one.kind is not Kind.OFFER)
    allowed = _LEAD if last in plain else min(asked, 25)
    return asking[0] if len(told.split()) <= allowed else None
