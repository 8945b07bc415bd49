"""Complete a user's own query for its proof: a twin, and the sentence that denies its premise."""

from collections.abc import Sequence
from typing import Final

from uaeval.llm.replies import CompletionDraft, Written
from uaeval.offline.evidence import contradiction
from uaeval.offline.facts import facts, nearest_fact
from uaeval.records import Passage

UNKNOWN: Final = "nothing"
"""What `known` says where the file gives nothing but the query."""
_NEEDED: Final = {
    "underspecified": "its readings",
    "false_presupposition": "its premise",
    "out_of_database": "an outside answer",
}
"""What the file must give beside the query."""


def complete(
    *, question: str, category: str, known: str, language: str, passages: Sequence[Passage]
) -> Written[CompletionDraft]:
    """Return the nearest fact as twin, with what is known; decline where something is missing."""
    if category in _NEEDED and known == UNKNOWN:
        return _declined(
            f"the offline engine cannot find {_NEEDED[category]}; give it, or use a model"
        )
    premised = category == "false_presupposition"
    denials = (contradiction(known, passage) for passage in passages if premised)
    denied = next((sentence for sentence in denials if sentence), None)
    if premised and denied is None:
        return _declined("no passage denies the premise in one sentence")
    near = nearest_fact(question, {each: facts(each) for each in passages})
    shared, passage, fact = near or (0, None, None)
    if not (shared and passage and fact):
        return _declined("no passage near the query states a fact that a twin can be asked about")
    outside = category == "out_of_database"
    draft = CompletionDraft(
        twin=fact.twin,
        passage=passage.number,
        reason="It is given as a query that should not be answered.",
        premise=known if denied else None,
        fact=denied,
        readings=[],
        outside_answer=known if outside else None,
        phrasings=[f"{question} {known}"] if outside else [],
    )
    return Written[CompletionDraft](declined=None, draft=draft)


def _declined(reason: str) -> Written[CompletionDraft]:
    return Written[CompletionDraft](declined=reason, draft=None)
