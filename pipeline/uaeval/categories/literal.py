"""Search the knowledge base for an answer without a model: the same words, or another form.

A match may be about something else, so the verifier decides. Without a match, nothing is proven.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from operator import itemgetter
from typing import NamedTuple

from uaeval.categories.numbered_passages import NumberedPassages, in_turns
from uaeval.knowledge.retriever import Retriever
from uaeval.records import Candidate, Chunk
from uaeval.text.amounts import amounts, same, without_amounts
from uaeval.text.sentences import sentences
from uaeval.text.words import covered_by, share, stem, stems, words


def _weigh(asked: frozenset[str], pool: Sequence[Chunk]) -> Mapping[str, float]:
    """Return the weights of a question's words; words that are rare in the pool weigh more."""
    passages = [stems(each.text) | stems(each.title) | stems(each.heading) for each in pool]
    return {
        word: math.log((len(pool) + 1) / (sum(word in passage for passage in passages) + 0.5))
        for word in sorted(asked - _UNINFORMATIVE)
    }


def _share(weights: Mapping[str, float], statement: str, chunk: Chunk) -> float:
    """Return the share of the weights whose words a statement or its headings have; 0 to 1."""
    stated = stems(statement)
    if not weights.keys() & stated:
        return 0.0
    return share(weights, stated | stems(chunk.title) | stems(chunk.heading))


_UNINFORMATIVE = frozenset(
    stem(word)
    for word in """how many much long often far soon what which who whom whose where when why
    whether tell know mean stand give take make get put use want require""".split()
)
"""Stems of question words, and of words that mean little alone."""
DEPTH = 50
"""Number of hits that are examined of each search."""
RARE = 3
"""An answer is distinctive if at most so many of the examined passages state it."""
SHARED_IF_RARE, SHARED = 0.3, 0.35
"""Share of the question's weighted words (see `_share`) that a match must have for a rare answer,
and for any other; `docs/validity.md` has the measurements."""
_MOST_WORDS = 0.8
"""Share of the words of a long answer from which on a statement counts as having it."""
_QUALIFIERS = frozenset(
    """up to at least most about around over more than fewer less under within no not later every
    each a an the in on of or and via by from use using last next only some approximately roughly
    yes""".split()
)
"""Words that bound or introduce an answer, but are not part of it."""
_IDENTIFIER = re.compile(r"[^\W_]+(?:[-_./:]+[^\W_]+){2,}")
_QUALIFIER_STEMS = frozenset(map(stem, _QUALIFIERS))


class LiteralMatch(NamedTuple):
    """A statement that gives an answer and is about the question."""

    chunk: Chunk
    statement: str


def _search(candidate: Candidate, retriever: Retriever) -> tuple[Chunk, ...]:
    """Return the hits for a question, its outside answer, both together, and every phrasing."""
    question, answer = candidate.question, candidate.outside_answer or ""
    texts = (question, f"{question} {answer}", answer, *candidate.phrasings)
    searches = [retriever.search(text, DEPTH) for text in texts]
    return tuple({hit.chunk.id: hit.chunk for hits in searches for hit in hits}.values())


def find_answer(candidate: Candidate, retriever: Retriever) -> LiteralMatch | None:
    """Return the statement of the outside answer that is closest to the question, if there is one.

    Answers such as "yes", and answers that the question offers as a choice, are not searched: the
    verifier decides about them. A match needs one of the question's words that the twin does not
    have; the words of both only name their common subject.
    """
    answer = candidate.outside_answer or ""
    if stems(answer) and stems(answer) <= stems(candidate.question):
        return None
    pool = _search(candidate, retriever)
    topic = _weigh(stems(candidate.question) - stems(answer), pool)
    distinctive = topic.keys() - stems(candidate.twin.question) or topic.keys()

    def matches(min_share: float) -> Iterator[tuple[float, LiteralMatch]]:
        # A passage with a smaller share as a whole is not split into statements.
        for chunk in (each for each in pool if _share(topic, each.text, each) >= min_share):
            for statement in sentences(chunk.text):
                share = _share(topic, statement, chunk)
                if (
                    share >= min_share
                    and distinctive & (stems(chunk.heading) | stems(statement))
                    and states(answer, statement, candidate.question)
                ):
                    yield share, LiteralMatch(chunk, statement)

    share, best = max(matches(SHARED_IF_RARE), key=itemgetter(0), default=(0.0, None))
    if best is None or share >= SHARED:
        return best
    rare = len({match.chunk.id for _, match in matches(0.0)}) <= RARE
    return best if rare else None


def answering_sentence(answer: str, article: str) -> str | None:
    """Return the article's sentence that states an answer; `None` if the article does not.

    If only several sentences together give the answer, return the one with most of its words.
    """
    every = sentences(article)
    stating = next((sentence for sentence in every if states(answer, sentence)), None)
    if stating or not covered_by(answer, article):
        return stating
    wanted = stems(answer)
    return max(every, key=lambda sentence: len(wanted & stems(sentence)), default=None)


def states(answer: str, statement: str, question: str = "") -> bool:
    """Return whether a statement has an answer: its words in order, its amounts, or its name.

    Amounts are recognised in any notation. Names are recognised by their initials too, unless
    `question` has these: a statement that mentions `USDA` does not say what it stands for. The
    parts of an identifier must stand in their order: `speech-to-text` is not `text-to-speech`.
    """
    core = tuple(dropwhile(_QUALIFIERS.__contains__, words(answer)))
    if not core:
        return False
    if stems(" ".join(core)) <= stems(statement):
        stated = words(statement)
        if any(stated[start : start + len(core)] == core for start in range(len(stated))):
            return True
    if amounts(answer):
        return _has_amounts(answer, statement)
    if _IDENTIFIER.fullmatch(answer.strip()):
        return False
    return _has_words(answer, statement) or _has_initials(answer, statement, question)


def _has_amounts(answer: str, statement: str) -> bool:
    rest = stems(without_amounts(answer)) - _QUALIFIER_STEMS
    if len(rest) > 1 and 2 * len(rest & stems(statement)) <= len(rest):
        return False
    stated = amounts(statement)
    return all(any(same(wanted, other) for other in stated) for wanted in amounts(answer))


def _has_words(answer: str, statement: str) -> bool:
    wanted = stems(answer) - _QUALIFIER_STEMS
    min_share = 1.0 if len(wanted) < 5 else _MOST_WORDS
    return len(wanted) > 1 and len(wanted & stems(statement)) >= min_share * len(wanted)


def _has_initials(answer: str, statement: str, question: str) -> bool:
    """Return whether a statement abbreviates a name, as in `USDA` or `E. Brewer`."""
    parts = [word for word in re.findall(r"[^\W\d_][\w'’-]*", answer) if word[0].isupper()]
    if len(parts) < 2 or answer.islower():
        return False
    letters = "".join(word[0] for word in parts)
    initials = re.compile(rf"\b{letters}\b")
    if len(letters) > 2 and initials.search(statement) and not initials.search(question):
        return True
    surname = rf"\b{parts[0][0]}\.? {re.escape(parts[-1])}\b"
    return len(parts) == 2 and re.search(surname, statement) is not None


def shown_for(candidate: Candidate, retriever: Retriever, limit: int) -> NumberedPassages:
    """Return the passages that could give an outside answer, and some for the twin.

    The passage that `find_answer` finds is among them. The best passages of three rankings
    alternate: by the statement with most of the weighted words of a phrasing, or of question and
    answer; by the searches; and by a search for the twin.
    """
    with_answer, twin = f"{candidate.question} {candidate.outside_answer}", candidate.twin
    texts = (with_answer, candidate.question, *candidate.phrasings, twin.question)
    *searches, for_twin = (retriever.search(text, limit) for text in texts)
    pool = _search(candidate, retriever)
    phrasings = [_weigh(stems(text), pool) for text in (with_answer, *candidate.phrasings)]

    def best(chunk: Chunk) -> float:
        every = sentences(chunk.text)
        shares = (_share(wanted, each, chunk) for wanted in phrasings for each in every)
        return max(shares, default=0.0)

    match = find_answer(candidate, retriever)
    rankings = (
        [match.chunk] if match else [],
        sorted(pool, key=lambda chunk: (-best(chunk), chunk.id)),
        [hit.chunk for turn in zip(*searches, strict=False) for hit in turn],
        [hit.chunk for hit in for_twin],
    )
    return in_turns(rankings, retriever.get(twin.chunk_id), limit)
