"""Write queries without the case that decides the answer.

Two cases are parallel if the same question is answered for each, and differently: in the same
section of two documents, in rows of a table, or for `annual leave` and `sick leave`.
"""

from collections.abc import Iterator, Sequence

from uaeval.categories.underspecified import UnderspecifiedDraft
from uaeval.llm.replies import ReadingDraft, TwinDraft, Written
from uaeval.offline.author.cases import Case, cases
from uaeval.records import Passage
from uaeval.text.words import normalise, stems, words

_DECLINED = "no passage shown says the same of another subject"
_READINGS = 4  # most readings of a query
_DIFFERENT = 2  # stems that each of two different answers has and the other lacks


def write(
    *, language: str, turn: str, passage: Passage, related: Sequence[Passage]
) -> Written[UnderspecifiedDraft]:
    """Return a query that several cases answer differently; decline if there is none."""
    every = [(other, case) for other in (passage, *related) for case in cases(other)]
    general = {words(case.question) for _, case in every}
    for own in cases(passage):
        titled = any(own.topic and own.topic <= stems(other.title) for other in related)
        if titled or words(own.query) in general:
            continue  # it has an answer for no case in particular
        readings = [(passage, own), *_parallel(own, every)]
        if len(readings) > 1:
            return Written[UnderspecifiedDraft](declined=None, draft=_draft(readings[:_READINGS]))
    return Written[UnderspecifiedDraft](declined=_DECLINED, draft=None)


def _parallel(own: Case, every: Sequence[tuple[Passage, Case]]) -> Iterator[tuple[Passage, Case]]:
    """Yield the other cases for which passages answer the same query, one passage for each."""
    taken = [own]
    for passage, case in every:
        same = own.level == case.level and words(own.query) == words(case.query)
        if same and all(_differ(case, earlier) for earlier in taken):
            taken.append(case)
            yield passage, case


def _differ(case: Case, earlier: Case) -> bool:
    """Return whether two cases and their answers differ, and the query does not name the case."""
    named = (stems(case.value) - stems(earlier.value)) & stems(earlier.query)
    if named or normalise(case.value) == normalise(earlier.value):
        return False
    one, two = (stems(each.answer) - stems(each.value) for each in (case, earlier))
    least = min(_DIFFERENT, len(one), len(two))
    return min(len(one - two), len(two - one)) >= max(1, least)


def _draft(readings: Sequence[tuple[Passage, Case]]) -> UnderspecifiedDraft:
    own = readings[0][1]
    values = ", ".join(case.value for _, case in readings)
    return UnderspecifiedDraft(
        twin=TwinDraft(question=own.question, answer=own.answer, quote=own.quote),
        question=own.query,
        reason=f"Does not say which is meant: {values}. Each has another answer.",
        subtype="entity",
        readings=[
            ReadingDraft(
                question=case.question, value=case.value, passage=passage.number, answer=case.answer
            )
            for passage, case in readings
        ],
    )
