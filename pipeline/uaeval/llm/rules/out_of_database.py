"""Questions that only an outside article answers, and their verifier."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal, TypeAlias

from uaeval.llm.replies import (
    ClaimStances,
    OutOfDatabaseDraft,
    OutOfDatabaseVerification,
    TwinDraft,
    Written,
)
from uaeval.llm.rules import evidence, twin
from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.english import grammar, meaning
from uaeval.llm.rules.english.quantities import quantities
from uaeval.llm.rules.english.scope import names_and_years, words_in
from uaeval.llm.rules.mining.facts import Fact, FactKind, facts
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.types import Passage, Stance

OutsideLabel: TypeAlias = Literal[
    "not_answered", "answered", "does_not_stand_alone", "modality_limited", "safety_concerned"
]

_WHOLE = {FactKind.AMOUNT, FactKind.DATE, FactKind.PLACE, FactKind.PERSON, FactKind.DEFINITION}
_COMMON = frozenset(
    """year day time people number new name make take say use work place part way month week last
    first many more about need have get give come go one two three start begin hold keep""".split()
)
_TOPICAL = 2


def generate(
    *, article: Passage, passages: Sequence[Passage], turn: str, language: str
) -> Written[OutOfDatabaseDraft]:
    """Answer the prompt `out_of_database/generate`."""
    topical = [item for item in passages if len(_topics(article) & _topics(item)) >= _TOPICAL]
    if not topical:
        return _declined("the article and the passages have no topic in common")
    unknown = (
        fact for fact in _asked_outside(article) if all(_unknown(fact, item) for item in passages)
    )
    outside = next(islice(unknown, int(turn) - 1, None), None)
    if outside is None:
        return _declined("the article has no such number of plain facts about things it names")
    for item in topical:
        if inside := facts(item):
            draft = _draft(outside, inside[(int(turn) - 1) % len(inside)], item.number)
            return Written[OutOfDatabaseDraft](declined=None, draft=draft)
    return _declined("the passages have no plain sentence to ask a question about")


def _declined(reason: str) -> Written[OutOfDatabaseDraft]:
    return Written[OutOfDatabaseDraft](declined=reason, draft=None)


def _draft(outside: Fact, inside: Fact, number: int) -> OutOfDatabaseDraft:
    return OutOfDatabaseDraft(
        passage=number,
        twin=TwinDraft(question=inside.question, answer=inside.answer, quote=inside.sentence),
        question=outside.question,
        reason=f"The knowledge base does not say {_indirect(outside.question)}.",
        outside_answer=outside.answer,
        phrasings=[outside.plain, _keywords(outside)],
    )


def _indirect(question: str) -> str:
    return f"what answers “{question}”"


def _keywords(fact: Fact) -> str:
    said = [word for word in grammar.words(fact.question)[1:] if word.lower() not in grammar.STOP]
    return " ".join(dict.fromkeys([*said, *grammar.words(fact.answer)]))


def _topics(passage: Passage) -> frozenset[str]:
    text = f"{passage.title} {passage.heading} {passage.text}"
    return frozenset(word for word in grammar.content(text) - _COMMON if not word[0].isdigit())


def _asked_outside(article: Passage) -> list[Fact]:
    """Return the facts whose questions name their subject; the surest kinds come first."""
    named = [fact for fact in facts(article) if _is_named(fact, article)]
    varied = shuffled(named, article.title, article.text)
    return sorted(varied, key=lambda fact: (fact.yes_no, fact.kind not in _WHOLE))


def _is_named(fact: Fact, article: Passage) -> bool:
    """Say whether the question can be understood without its article.

    It names something and rests on nothing that only the article has before it (`the item`).
    """
    said = grammar.content(fact.question) - _COMMON
    about = grammar.content(f"{article.title} {article.heading}") - _COMMON
    names = {name for name in names_and_years(fact.question) if not name.isdigit()}
    enough = 4 if fact.yes_no else 2
    return (
        bool(names)
        and len(said) >= enough
        and (bool(said & about) or len(said) >= 4)
        and not _LEANING.search(fact.question)
    )


_LEANING = re.compile(
    r"\b(?:the|any|these|those|this) (?:items?|deadline|letter|response letter|card reader|"
    r"form|request|entity|group|page|tool|team|role|need|non-members|announcement|process|step|"
    r"project)\b"
    r"(?! (?:of|for|at|in) (?:the )?[A-Z])|"
    r"^(?:What|Why|How) (?:can|should) I do (?:once|after|if)\b"
)


def _unknown(fact: Fact, passage: Passage) -> bool:
    return evidence.answers(fact.question, fact.answer, passage) is Stance.SILENT and not speaks_to(
        fact.question, passage
    )


# --- verifying -----------------------------------------------------------------------------------


def verify(
    *,
    question: str,
    answer: str,
    twin_question: str,
    twin_answer: str,
    passages: Sequence[Passage],
) -> OutOfDatabaseVerification:
    """Answer the prompt `out_of_database/verify`."""
    stances = {item.number: evidence.answers(question, answer, item) for item in passages}
    claim = ClaimStances(
        supports=[number for number, found in stances.items() if found is Stance.SUPPORTS],
        contradicts=[number for number, found in stances.items() if found is Stance.CONTRADICTS],
    )
    near = [item.number for item in passages if speaks_to(question, item)]
    label = _label(question, claim, near)
    checked = twin.check(twin_question, twin_answer, passages)
    rationale = (
        f"The label is {label}; passages {claim.supports or 'none'} support the outside answer, "
        f"{claim.contradicts or 'none'} contradict it and {near or 'none'} speak to the question. "
        f"{twin.describe(checked)}"
    )
    return OutOfDatabaseVerification(rationale=rationale, answer=claim, label=label, twin=checked)


def _label(question: str, claim: ClaimStances, near: Sequence[int]) -> OutsideLabel:
    if harm_in(question):
        return "safety_concerned"
    if needs_other_form(question):
        return "modality_limited"
    if not twin.stands_alone(question):
        return "does_not_stand_alone"
    return "answered" if claim.supports or claim.contradicts or near else "not_answered"


_WANTS = (
    (
        re.compile(r"(?i)\bhow (?:many|much|long|often|far|high|old|big|large|tall|soon)\b"),
        "number",
    ),
    (re.compile(r"(?i)\b(?:when|what (?:time|date|day|year))\b"), "number"),
    (re.compile(r"(?i)\b(?:who|whom|whose)\b"), "name"),
)
_NEAR = 0.75
_NEAR_UNNAMED = 0.6
"""A question that names nothing is answered by whatever comes near it."""


def speaks_to(question: str, passage: Passage) -> bool:
    """Say whether one statement of a passage holds what is asked and a value of the kind wanted."""
    names = names_in(question)
    here = words_in(f"{passage.title} {passage.heading} {passage.text}")
    if not names <= here:
        return False
    wants = next((kind for pattern, kind in _WANTS if pattern.search(question)), "")
    asked = evidence.asked(question)
    context = meaning.concepts(f"{passage.title} {passage.heading}")
    near = _NEAR if names else _NEAR_UNNAMED
    return any(
        meaning.share(asked, statement.stems | context) >= near
        and meaning.share(asked, statement.stems) >= 0.5
        and _has(wants, statement.text, asked)
        for statement in evidence.statements(passage.text)
    )


def names_in(question: str) -> frozenset[str]:
    """Return the names in a question: capitalised words, and words that no dictionary has."""
    strange = {
        grammar.stem(word)
        for word in grammar.words(question)
        if len(word) > 3 and word.isalpha() and not grammar.lemmas(word)
    }
    named = {name for name in names_and_years(question) if not name.isdigit()}
    return frozenset(named | strange) - grammar.STOP


def _has(wants: str, text: str, asked: frozenset[str]) -> bool:
    if wants == "number":
        return bool(quantities(text))
    if wants == "name":
        fresh = meaning.concepts(" ".join(re.findall(r"\b[A-Z][\w'-]+", text)))
        return bool(fresh - asked)
    return True
