"""Write queries that only an outside article answers, beside a twin on a passage near it."""

from collections.abc import Sequence

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.evidence import matter
from uaeval.offline.facts import Fact, facts
from uaeval.text.lines import tidy
from uaeval.text.words import stems
from uaeval.types import Passage

DECLINED = "the article states no plain fact that can be asked for without it"
NO_TWIN = "no passage near the article states a plain fact to ask for"


def write(
    *, language: str, turn: str, passages: Sequence[Passage], article: Passage
) -> Written[OutOfDatabaseDraft]:
    """Return a query that asks for the article's fact number `turn`, or why there is none."""
    outside = _outside(article, passages)
    if len(outside) < int(turn):
        return Written[OutOfDatabaseDraft](declined=DECLINED, draft=None)
    fact = outside[int(turn) - 1]
    near = _nearest(fact, passages)
    if near is None:
        return Written[OutOfDatabaseDraft](declined=NO_TWIN, draft=None)
    passage, twin = near
    draft = OutOfDatabaseDraft(
        twin=twin.twin,
        question=fact.question,
        reason=f"The documents do not say: {tidy(fact.quote)}",
        passage=passage.number,
        outside_answer=fact.answer,
        phrasings=[tidy(fact.quote), f"{fact.question} {fact.answer}", fact.subject],
    )
    return Written[OutOfDatabaseDraft](declined=None, draft=draft)


def _outside(article: Passage, passages: Sequence[Passage]) -> list[Fact]:
    """Return the article's facts about things that no passage names, plain answers first."""
    known = frozenset().union(*(stems(f"{p.title} {p.heading} {p.text}") for p in passages))
    told = [fact for fact in facts(article) if _is_telling(fact, known)]
    return sorted(told, key=lambda fact: fact.kind == "whether")


def _is_telling(fact: Fact, known: frozenset[str]) -> bool:
    """Return whether a question is about a thing that is new, and does not say its answer."""
    if stems(fact.answer) <= stems(fact.question) and fact.kind != "whether":
        return False
    return not matter(fact.question) <= known


def _nearest(fact: Fact, passages: Sequence[Passage]) -> tuple[Passage, Fact] | None:
    """Return the fact of a passage that shares most words with the query, and its passage."""
    asked = stems(f"{fact.question} {fact.subject}")
    near = [
        (len(asked & stems(f"{twin.question} {twin.answer}")), -place, passage, twin)
        for place, passage in enumerate(passages)
        for twin in facts(passage)
        if twin.question != fact.question
    ]
    if not near:
        return None
    *_, passage, twin = max(near, key=lambda ranked: ranked[:2])
    return passage, twin
