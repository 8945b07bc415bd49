"""Write queries that lack what tells several cases apart.

Two cases are parallel where the same is asked of each, and answered differently: in the same
section of different documents, in rows of a table, or for `annual leave` and `sick leave`.
"""

from collections.abc import Iterator, Sequence

from uaeval.categories.underspecified import UnderspecifiedDraft
from uaeval.llm.replies import ReadingDraft, TwinDraft, Written
from uaeval.offline.author.cases import Asked, asked
from uaeval.records import Passage
from uaeval.text.words import normalise, stems, words

DECLINED = "no passage shown says the same of another subject"
READINGS = 4
"""Most readings of a query."""
DIFFERENT = 2
"""Stems, beside those of the cases, that each of two different answers has and the other lacks."""


def write(
    *, language: str, turn: str, passage: Passage, related: Sequence[Passage]
) -> Written[UnderspecifiedDraft]:
    """Return a query that is answered differently for several cases, or why there is none."""
    every = [(other, found) for other in (passage, *related) for found in asked(other)]
    general = {words(found.question) for _, found in every}
    for own in asked(passage):
        titled = any(own.topic and own.topic <= stems(other.title) for other in related)
        if titled or words(own.query) in general:
            continue  # it is answered for no case in particular
        readings = [(passage, own), *_parallel(own, every)]
        if len(readings) > 1:
            return Written[UnderspecifiedDraft](declined=None, draft=_draft(readings[:READINGS]))
    return Written[UnderspecifiedDraft](declined=DECLINED, draft=None)


def _parallel(
    own: Asked, every: Sequence[tuple[Passage, Asked]]
) -> Iterator[tuple[Passage, Asked]]:
    """Yield passages that answer the same query for other cases, one for each."""
    taken = [own]
    for other, found in every:
        same = own.level == found.level and words(own.query) == words(found.query)
        if same and all(_differ(found, earlier) for earlier in taken):
            taken.append(found)
            yield other, found


def _differ(found: Asked, earlier: Asked) -> bool:
    """Return whether two cases differ, and are answered differently; the query has neither."""
    named = (stems(found.value) - stems(earlier.value)) & stems(earlier.query)
    if named or normalise(found.value) == normalise(earlier.value):
        return False
    one, two = (stems(each.answer) - stems(each.value) for each in (found, earlier))
    least = min(DIFFERENT, len(one), len(two))
    return min(len(one - two), len(two - one)) >= max(1, least)


def _draft(readings: Sequence[tuple[Passage, Asked]]) -> UnderspecifiedDraft:
    own = readings[0][1]
    values = ", ".join(asked.value for _, asked in readings)
    return UnderspecifiedDraft(
        twin=TwinDraft(question=own.question, answer=own.answer, quote=own.quote),
        question=own.query,
        reason=f"Does not say which is meant: {values}. Each has another answer.",
        subtype="entity",
        readings=[
            ReadingDraft(
                question=asked.question,
                value=asked.value,
                passage=passage.number,
                answer=asked.answer,
            )
            for passage, asked in readings
        ],
    )
