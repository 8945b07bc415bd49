"""Complete a user's own query for its proof: add a twin, and the sentence against its premise."""

from collections.abc import Sequence
from typing import Final

from uaeval.llm.replies import CompletionDraft, Written
from uaeval.offline.evidence import contradiction
from uaeval.offline.facts import facts, mentions, nearest_fact
from uaeval.records import Passage
from uaeval.text.words import stems

UNKNOWN: Final = "nothing"
"""Value of `known` if the user's file has only the query."""
_REQUIRED: Final = {
    "underspecified": "its readings",
    "false_presupposition": "its premise",
    "out_of_database": "an outside answer",
}
"""What the user's file has to give beside the query."""


def complete(
    *, question: str, category: str, known: str, language: str, passages: Sequence[Passage]
) -> Written[CompletionDraft]:
    """Return the nearest fact as twin, with what is known; decline if something is missing."""
    if category in _REQUIRED and known == UNKNOWN:
        return _declined(f"the file must give {_REQUIRED[category]}; only a model can find it")
    fact = None
    if category == "false_presupposition":
        fact = next(filter(None, (contradiction(known, passage) for passage in passages)), None)
        if fact is None:
            return _declined("no passage denies the premise in one sentence")
    nearest = nearest_fact(question, {each: (*facts(each), *mentions(each)) for each in passages})
    if nearest is None or not stems(question) & stems(nearest[3].question):
        return _declined("no passage near the query states a fact that a twin can be asked about")
    _, _, passage, near = nearest
    outside = category == "out_of_database"
    draft = CompletionDraft(
        twin=near.twin,
        passage=passage.number,
        reason="It is given as a query that should not be answered.",
        premise=known if fact else None,
        fact=fact,
        readings=[],
        outside_answer=known if outside else None,
        phrasings=[f"{question} {known}"] if outside else [],
    )
    return Written[CompletionDraft](declined=None, draft=draft)


def _declined(reason: str) -> Written[CompletionDraft]:
    return Written[CompletionDraft](declined=reason, draft=None)
