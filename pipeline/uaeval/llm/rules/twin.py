"""Whether an answerable question stands on its own, and which passages agree with its answer."""

import re
from collections.abc import Sequence

from uaeval.llm.replies import ClaimCheck, ReadingsVerification, TwinCheck
from uaeval.llm.rules import evidence
from uaeval.llm.rules.english import grammar, meaning
from uaeval.llm.rules.english.openings import without_story
from uaeval.llm.rules.stance import Stance
from uaeval.types import Claim, Passage

_SOURCE = re.compile(
    r"\b(?:the|this|that|above|following) (?:passage|text|article|section|page|document|handbook"
    r" section|excerpt|paragraph|author|story|report|piece|context)\b|"
    r"\baccording to (?:it|the|this)\b|\b(?:the|see|as|listed|described|named|stated|given) "
    r"(?:above|below)\b|\b(?:above|below)\?|\bmentioned\b|\bhere\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\b(?:this|these|those)\b(?! (?:year|month|week|quarter|summer|winter|morning|time))|"
    r"\bthat (?:form|one|process|time|page|list|tool|case|person|policy|request|team|step)\b|"
    r"\b(?:up|down|over|out|in|go|get|be|park|eat|stay|meet) there\b|"
    r"\bthe same(?: (?:one|thing|at|in|with|for|on)\b|\?)|"
    r"\bthe (?:latter|former|other one|aforementioned)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|he|she|him|his|her|one)\b", re.IGNORECASE)
_DUMMY = re.compile(r"\b(?:is it|does it (?:take|cost|mean)|will it take|it takes|one of)\b", re.I)
_OPENING = re.compile(r"^(?:and|but|so|then|also|or|because|however|otherwise)\b", re.IGNORECASE)


def stands_alone(question: str) -> bool:
    """Say whether a question can be understood without anything said before it."""
    pointer = _POINTER.search(without_story(question))
    if _OPENING.match(question) or _SOURCE.search(question) or pointer:
        return False
    thing = re.fullmatch(r"(?:What|Who) (?:is|are|does) (?:the |an? )?[A-Z][^a-z ]?.*\?", question)
    if not thing and (len(question.split()) < 4 or len(grammar.content(question)) < 2):
        return False
    text = _DUMMY.sub(" ", question)
    first = _PRONOUN.search(text)
    return first is None or _names_something(text[: first.start()])


def _names_something(before: str) -> bool:
    """Say whether the words before a pronoun hold a noun that it can stand for."""
    said = grammar.words(before)
    for previous, word in zip(["", *said], said, strict=False):
        lower = word.lower()
        if lower in {"what", "who", "how", "when", "where", "way", "many", "i", "me"}:
            continue
        named = word[:1].isupper() and previous != ""
        noun = grammar.is_noun(lower) and lower not in grammar.STOP
        only_noun = noun and not grammar.is_base_verb(lower)
        after_article = previous.lower() in {"the", "a", "an", "my", "your", "any", "all", "each"}
        if named or only_noun or (noun and after_article):
            return True
    return False


def check(question: str, answer: str, passages: Sequence[Passage]) -> TwinCheck:
    """Check a twin against every passage."""
    stances = {passage.number: evidence.answers(question, answer, passage) for passage in passages}
    return TwinCheck(
        stands_alone=stands_alone(question),
        supports=[number for number, found in stances.items() if found is Stance.SUPPORTS],
        contradicts=[number for number, found in stances.items() if found is Stance.CONTRADICTS],
    )


def verify_readings(
    *, claims: Sequence[Claim], passages: Sequence[Passage]
) -> ReadingsVerification:
    """Answer the prompt `underspecified/verify_readings`."""
    found = [_check_twice(one.question, one.answer, passages) for one in claims]
    return ReadingsVerification(
        rationale=describe(found[0]),
        claims=[
            ClaimCheck(claim=one.number, **check.model_dump())
            for one, check in zip(claims, found, strict=True)
        ],
    )


def _check_twice(question: str, answer: str, passages: Sequence[Passage]) -> TwinCheck:
    found = check(question, answer, passages)
    if found.supports or found.contradicts:
        return found
    held = [item.number for item in passages if _holds(question, answer, item)]
    return found.model_copy(update={"supports": held})


_HALF = 0.5


def _holds(question: str, answer: str, passage: Passage) -> bool:
    """Say whether a passage has every word of the answer and half of the question's.

    A second look, for answers that take a step: `open from Friday to Tuesday` for a Sunday.
    """
    held = meaning.concepts(f"{passage.title} {passage.heading} {passage.text}")
    return (
        meaning.share(meaning.concepts(answer), held) == 1
        and meaning.share(evidence.asked(question), held) >= _HALF
    )


def describe(found: TwinCheck) -> str:
    """Put a twin's check in one sentence."""
    alone = "stands on its own" if found.stands_alone else "does not stand on its own"
    return (
        f"The twin {alone}; passages {found.supports or 'none'} give its answer and "
        f"{found.contradicts or 'none'} give another."
    )
