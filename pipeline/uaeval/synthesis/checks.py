"""What code alone can check of a candidate, before any model is asked."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from uaeval.knowledge.retriever import Retriever
from uaeval.synthesis.literal import find_answer
from uaeval.text.words import content_words, covered_by, normalise, stands_in, words
from uaeval.types import Candidate, Category, Check, Reading

FEWEST_WORDS, MOST_WORDS = 3, 60
_AUTHORS_VIEW = re.compile(
    r"\b(?:the|this|that|given|above)\s+(?:passage|excerpt|article|text above|snippet)\b", re.I
)

_UNNAMED = re.compile(
    r"\b(?:the|this|that) (?:company|firm|start-?up|study|survey|researchers?|minister|"
    r"spokes(?:man|woman|person))\b"
    r"(?! (?:that|which|who|whose|behind|of|in|at|for|by|called|named)\b)",
    re.I,
)
"""Someone of whom only the article has spoken."""


def code_checks(candidate: Candidate, retriever: Retriever, depth: int) -> Iterator[Check]:
    """Yield each check of the candidate, cheapest first; the first that fails rejects it.

    `depth` is how many hits a completed question may take to find its chunk.
    """
    yield _wording(candidate)
    yield _quote(candidate, retriever)
    for check in _OF_CATEGORY.get(candidate.category, ()):
        yield check(candidate, retriever, depth)


def _check(name: str, problem: str | None, passed: str) -> Check:
    return Check(name=name, passed=problem is None, rationale=problem or passed)


def _wording(candidate: Candidate) -> Check:
    question, twin = candidate.question, candidate.twin.question
    problem = None
    if normalise(question) == normalise(twin):
        problem = "the query is the same as its twin"
    elif not FEWEST_WORDS <= len(words(question)) <= MOST_WORDS:
        problem = f"the query has {len(words(question))} words"
    elif _AUTHORS_VIEW.search(f"{question} {twin}"):
        problem = "the query speaks of a passage that its user cannot see"
    elif not candidate.twin.reference_answer:
        problem = "the twin has no reference answer"
    return _check("wording", problem, "a question of its own, of a usual length")


def _quote(candidate: Candidate, retriever: Retriever) -> Check:
    twin = candidate.twin
    text = retriever.chunk(twin.chunk_id).text
    problem = None
    if not stands_in(twin.quote, text):
        problem = f"the twin's quote does not stand in {twin.chunk_id}"
    return _check("quote", problem, f"the twin's quote stands in {twin.chunk_id}")


def _fact(candidate: Candidate, retriever: Retriever, _depth: int) -> Check:
    text = retriever.chunk(candidate.source_chunk_id).text
    problem = None
    if not candidate.premise:
        problem = "no premise was given"
    elif not stands_in(candidate.fact or "", text):
        problem = f"the contradicting fact does not stand in {candidate.source_chunk_id}"
    return _check("fact", problem, f"the contradicting fact stands in {candidate.source_chunk_id}")


def _two_readings(candidate: Candidate, _retriever: Retriever, _depth: int) -> Check:
    answers = {normalise(reading.answer) for reading in candidate.readings}
    values = {normalise(reading.value) for reading in candidate.readings}
    problem = None
    if len(answers) < 2 or len(values) < 2:
        problem = "fewer than two readings with different values and different answers"
    return _check("readings", problem, f"{len(answers)} readings with different answers")


def _no_value(candidate: Candidate, _retriever: Retriever, _depth: int) -> Check:
    shared = frozenset[str].intersection(*(content_words(r.value) for r in candidate.readings))
    given = [
        reading.value
        for reading in candidate.readings
        if stands_in(reading.value, candidate.question)
        or (content_words(reading.value) - shared) & content_words(candidate.question)
    ]
    problem = f"the query already says {', '.join(given)}" if given else None
    return _check("no_value", problem, "no reading's value stands in the query")


def _readings_hold(candidate: Candidate, retriever: Retriever, depth: int) -> Check:
    held = readings_that_hold(candidate, retriever, depth)
    lost = [reading.value for reading in candidate.readings if reading not in held]
    passed = "completed questions find their passages, and their answers stand there"
    problem = f"no passage that is found holds the answer for {', '.join(lost)}"
    enough = held[:1] == candidate.readings[:1] and answers_differ(held)
    return _check("readings_hold", None if enough else problem, passed)


def answers_differ(readings: Sequence[Reading]) -> bool:
    """Say whether there are two answers among the readings."""
    return len({normalise(reading.answer) for reading in readings}) > 1


def readings_that_hold(
    candidate: Candidate, retriever: Retriever, depth: int
) -> tuple[Reading, ...]:
    """Return the readings whose completed question finds their passage, which has their answer."""
    found = retriever.search_many([reading.question for reading in candidate.readings], depth)
    return tuple(
        reading
        for reading, hits in zip(candidate.readings, found, strict=True)
        if reading.chunk_id in {hit.chunk.id for hit in hits}
        and covered_by(reading.answer, retriever.chunk(reading.chunk_id).text)
    )


def _outside_answer(candidate: Candidate, _retriever: Retriever, _depth: int) -> Check:
    problem = None
    if not candidate.outside_answer:
        problem = "no outside answer was given"
    elif not candidate.phrasings:
        problem = "no further phrasings were given to search with"
    return _check("outside_answer", problem, "an outside answer and phrasings to search with")


def _named(candidate: Candidate, _retriever: Retriever, _depth: int) -> Check:
    question = candidate.question
    found = _UNNAMED.search(question)
    name = any(word[:1].isupper() and word != "I" for word in question.split()[1:])
    problem = f"the query says {found[0]!r} and names none" if found and not name else None
    return _check("unnamed", problem, "the query names whom it is about")


def _nowhere_stated(candidate: Candidate, retriever: Retriever, _depth: int) -> Check:
    found = find_answer(candidate, retriever)
    problem = f"{found.chunk.id} states the outside answer: {found.statement}" if found else None
    return _check("stated", problem, "no passage that is found states the outside answer")


_OF_CATEGORY: Mapping[Category, tuple[Callable[[Candidate, Retriever, int], Check], ...]] = (
    MappingProxyType(
        {
            Category.UNDERSPECIFIED: (_two_readings, _no_value, _readings_hold),
            Category.FALSE_PRESUPPOSITION: (_fact,),
            Category.OUT_OF_DATABASE: (_outside_answer, _named, _nowhere_stated),
        }
    )
)
