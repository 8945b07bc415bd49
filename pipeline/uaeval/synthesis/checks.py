"""What code alone can check of a candidate, before any model is asked."""

import re
from collections.abc import Iterator

from uaeval.categories.base import check_of
from uaeval.categories.registry import category
from uaeval.knowledge.retriever import Retriever
from uaeval.text.words import normalise, stands_in, words
from uaeval.types import Candidate, Check

FEWEST_WORDS, MOST_WORDS = 3, 60
_AUTHORS_VIEW = re.compile(
    r"\b(?:the|this|that|given|above)\s+(?:passage|excerpt|article|text above|snippet)\b", re.I
)


def code_checks(candidate: Candidate, retriever: Retriever, depth: int) -> Iterator[Check]:
    """Yield each check of the candidate, cheapest first; the first that fails rejects it.

    `depth` is how many hits a completed question may take to find its chunk.
    """
    yield _wording(candidate)
    yield _quote(candidate, retriever)
    for check in category(candidate.category).checks:
        yield check(candidate, retriever, depth)


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
    return check_of("wording", problem, "a question of its own, of a usual length")


def _quote(candidate: Candidate, retriever: Retriever) -> Check:
    twin = candidate.twin
    text = retriever.get(twin.chunk_id).text
    problem = None
    if not stands_in(twin.quote, text):
        problem = f"the twin's quote does not stand in {twin.chunk_id}"
    return check_of("quote", problem, f"the twin's quote stands in {twin.chunk_id}")
