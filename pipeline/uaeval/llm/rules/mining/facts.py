"""What a passage states in plain sentences, each with a question that the sentence answers."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from uaeval.llm.rules import evidence
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.acronyms import expansions
from uaeval.llm.rules.mining.agents import AGENT_PATTERNS
from uaeval.llm.rules.mining.clauses import finish, lower_first, noun_phrase, second_person
from uaeval.llm.rules.mining.objects import OBJECT_PATTERNS
from uaeval.llm.rules.mining.patterns import MODAL_PATTERNS, Fact, FactKind, Pattern
from uaeval.llm.rules.mining.plain_patterns import PLAIN_PATTERNS
from uaeval.llm.rules.mining.question_headings import headed
from uaeval.llm.rules.mining.reasons import REASON_PATTERNS
from uaeval.llm.rules.mining.requests import REQUEST_PATTERNS
from uaeval.llm.rules.mining.sentences import Sentence, readings, sentences
from uaeval.llm.rules.mining.statements import STATEMENT_PATTERNS
from uaeval.llm.rules.stance import Stance
from uaeval.llm.rules.twin import stands_alone
from uaeval.types import Passage

__all__ = ["Fact", "FactKind", "facts", "finish", "lower_first", "noun_phrase", "second_person"]

_VAGUE = frozenset(
    """it them this that these those one ones some any something anything thing other everything
    way lot part everyone someone anyone use work help information process people time place fact
    example step follow form page item question issue need want able available make get take have
    do find team person member day project new current right best sure top first""".split()
)
_TOY = re.compile(r"\b(?:example|sample|template|draft|archive|scenario)s?\b", re.IGNORECASE)
_SUBJECTIVE = re.compile(
    r"\b(?:feel|think|believe|happy|proud|love|enjoy|great|awesome|fun|feels|hopefully|maybe|"
    r"perhaps|really|very|etc|happily|respect|healthy|honest|amazing|exciting|a lot|sort of|"
    r"kind of|comfortable|welcome to|sometimes|"
    r"earlier|later on|at that|as needed|as described|as follows|as noted|as mentioned)\b",
    re.IGNORECASE,
)
_ORDER = list(FactKind)
_SHORT = {FactKind.DEFINITION, FactKind.EXPANSION}
_OPEN: Sequence[Pattern] = (
    *PLAIN_PATTERNS,
    *MODAL_PATTERNS[:-1],
    *STATEMENT_PATTERNS,
    *REQUEST_PATTERNS,
    *AGENT_PATTERNS,
    *REASON_PATTERNS,
    *OBJECT_PATTERNS,
)
_YES_NO: Sequence[Pattern] = MODAL_PATTERNS[-1:]
_LAST: Sequence[Pattern] = (expansions,)


@lru_cache(maxsize=4096)
def facts(passage: Passage) -> tuple[Fact, ...]:
    """Return the clean facts that can be found by their questions, best first."""
    return tuple(fact for fact in stated(passage) if _tied(fact, passage))


@lru_cache(maxsize=4096)
def stated(passage: Passage) -> tuple[Fact, ...]:
    """Return the clean facts of a passage, best first; the same for the same passage."""
    if _TOY.search(f"{passage.title} {passage.heading}"):
        return ()
    found: dict[str, Fact] = {}
    for sentence in sentences(passage):
        for fact in _mined(readings(sentence), passage):
            found.setdefault(fact.question, fact)
    for fact in headed(passage):
        if good(fact, passage):
            found.setdefault(fact.question, fact)
    return tuple(sorted(found.values(), key=_rank))


def _mined(read: Sequence[Sentence], passage: Passage) -> Iterator[Fact]:
    """Yield the first good fact of a sentence, and the first good one to say yes or no to."""
    for patterns in (_OPEN, _YES_NO, _LAST):
        found = [
            fact
            for sentence in read
            for pattern in patterns
            for fact in pattern(sentence)
            if good(fact, passage)
        ]
        yield from sorted(found, key=lambda fact: not _tied(fact, passage))[:1]


def _rank(fact: Fact) -> tuple[int, int]:
    return (
        _ORDER.index(fact.kind) + len(_ORDER) * fact.yes_no,
        abs(len(fact.question.split()) - 10),
    )


def good(fact: Fact, passage: Passage) -> bool:
    """Say whether the question is short, answered by its passage and stands alone."""
    length = len(fact.question.split())
    return (
        (3 if fact.kind in _SHORT else 5) <= length <= 22
        and 1 <= len(fact.answer.split()) <= 26
        and not _SUBJECTIVE.search(fact.plain)
        and not re.search(
            r"[:;@]|\?\?|\b(?:or|and|the|be|in particular)\?|\bwe\b|\bus\b|\bour\b(?= \w+ \w+ we)",
            fact.question,
        )
        and stands_alone(fact.question)
        and (_tied(fact, passage) or len(_said(fact)) >= _FEWEST)
        and evidence.answers(fact.question, fact.answer, passage) is Stance.SUPPORTS
    )


_FEWEST = 3
"""Words with which a question is one, once it is said what its page is about."""


def _said(fact: Fact) -> frozenset[str]:
    return grammar.content(fact.question) - _VAGUE


def _tied(fact: Fact, passage: Passage) -> bool:
    """Say whether the question names enough of its passage's subject to be found by it."""
    said = _said(fact)
    place = grammar.content(f"{passage.title} {passage.heading}") - _VAGUE
    proper = any(
        sum(letter.isupper() for letter in word) > 0 and word not in {"I", "I'm"}
        for word in fact.question.split()[1:]
    )
    if fact.kind in _SHORT and proper:
        return bool(said)
    if said & place:
        return len(said) >= 3 - proper
    return len(said) >= 4 - proper
