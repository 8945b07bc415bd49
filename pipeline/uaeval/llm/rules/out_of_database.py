"""Questions that only an outside article answers, and their verifier."""

import re
from collections.abc import Sequence
from dataclasses import replace
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
from uaeval.llm.rules.mining import acronyms
from uaeval.llm.rules.mining.acronyms import letters_asked, spells_out
from uaeval.llm.rules.mining.facts import Fact, FactKind, facts
from uaeval.llm.rules.mining.twins import twin_facts
from uaeval.llm.rules.readings.completed import completed
from uaeval.llm.rules.readings.option_twins import option_twins
from uaeval.llm.rules.readings.options import alike
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage

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
        _said(fact)
        for fact in _of_turn(_asked_outside(article), int(turn))
        if all(_unknown(fact, item) for item in passages)
        and sum(touches(fact.question, item) for item in passages) < _SEVERAL
    )
    outside = next(islice(unknown, (int(turn) - 1) % _LAST_TURN, None), None)
    if outside is None:
        return _declined("the article has no such number of plain facts about things it names")
    for item in sorted(passages, key=lambda one: one not in topical):
        if inside := _twins(item):
            draft = _draft(outside, inside[(int(turn) - 1) % len(inside)], item.number)
            return Written[OutOfDatabaseDraft](declined=None, draft=draft)
    return _declined("the passages have no plain sentence to ask a question about")


def _twins(passage: Passage) -> list[TwinDraft]:
    """Return what can be asked of a passage: its facts, else places and whom to turn to."""
    stated = [
        TwinDraft(question=fact.question, answer=fact.answer, quote=fact.sentence)
        for fact in twin_facts(passage)
    ]
    return stated or [
        TwinDraft(question=option.question, answer=option.answer, quote=option.quote)
        for option in option_twins(passage)
    ]


_LAST_TURN = 2


def _of_turn(stated: Sequence[Fact], turn: int) -> list[Fact]:
    """Return the abbreviations for the turn after the others, which are wanted first."""
    short = turn > _LAST_TURN
    return [fact for fact in stated if (fact.kind is FactKind.EXPANSION) == short]


def _said(fact: Fact) -> Fact:
    """Vary how the words behind an abbreviation are asked for."""
    letters = letters_asked(fact.question)
    form = shuffled(acronyms.ASKED, fact.question)[0]
    return replace(fact, question=form.format(letters)) if letters else fact


_LONGEST = 20


def _declined(reason: str) -> Written[OutOfDatabaseDraft]:
    return Written[OutOfDatabaseDraft](declined=reason, draft=None)


def _draft(outside: Fact, inside: TwinDraft, number: int) -> OutOfDatabaseDraft:
    return OutOfDatabaseDraft(
        passage=number,
        twin=inside,
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
    """Return what the article alone says of things that its questions name; the surest first."""
    stated = (*facts(article), *completed(article))
    named = [fact for fact in stated if _is_named(fact, article) and _is_concrete(fact)]
    varied = shuffled(named, article.title, article.text)
    ranked = sorted(varied, key=lambda fact: (fact.yes_no, fact.kind not in _WHOLE))
    kept: list[Fact] = []
    for fact in ranked:
        if not any(alike(fact.answer, other.answer) for other in kept):
            kept.append(fact)
    return kept


_LOOSE = re.compile(
    r"^What (?:happens|do I (?:have|need) to do|should I do) (?:if|when) I\b|^What can I do\b|"
    r"^What (?:does|do|can) .{3,60} (?:allow|enable|support|help|do|mean|offer|focus|let|store)\b"
)


def _is_concrete(fact: Fact) -> bool:
    """Say whether one thing is asked for: neither why, nor what all is possible.

    Of questions for yes or no only those for a duty of the asker's own are ever asked so.
    """
    duty = fact.kind is FactKind.DUTY and fact.subject == "I" and fact.modal != "should"
    asked = duty if fact.yes_no else fact.kind is not FactKind.REASON
    return asked and not _LOOSE.search(fact.question) and len(fact.question.split()) <= _LONGEST


def _is_named(fact: Fact, article: Passage) -> bool:
    """Say whether the question can be understood without its article.

    It names something and rests on nothing that only the article has before it (`the item`).
    """
    said = grammar.content(fact.question) - _COMMON
    about = grammar.content(f"{article.title} {article.heading}") - _COMMON
    names = {name for name in names_and_years(fact.question) if not name.isdigit()}
    return (
        bool(names)
        and (len(said) >= 2 or fact.kind is FactKind.EXPANSION)
        and (bool(said & about) or len(said) >= 4 or bool(_ACRONYM.search(fact.question)))
        and not _LEANING.search(fact.question)
    )


_ACRONYM = re.compile(r"\b[A-Z]{3,}\b")
"""A name that needs no page around it."""
_LEANING = re.compile(
    r"\b(?:the|any|these|those|this) (?:items?|deadline|(?:[A-Za-z-]+ )*letter|"
    r"card reader|form|request|entity|group|page|tool|team|role|need|non-members|announcement|"
    r"process|step|"
    r"project|(?:[A-Z]+ )?recording)\b"
    r"(?! (?:of|for|at|in) (?:the )?[A-Z])|"
    r"^(?:What|Why|How) (?:can|should) I do (?:once|after|if)\b| - "
)


def _unknown(fact: Fact, passage: Passage) -> bool:
    question = fact.question
    silent = evidence.answers(question, fact.answer, passage) is Stance.SILENT
    return silent and not speaks_to(question, passage) and not handles(question, passage)


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
    near = [
        item.number for item in passages if speaks_to(question, item) or handles(question, item)
    ]
    touching = [item.number for item in passages if touches(question, item)]
    near = near or (touching if len(touching) >= _SEVERAL else [])
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


_SEVERAL = 2
"""Passages that each say something of what is asked: together they serve whoever asks."""
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
    if letters := letters_asked(question):
        return spells_out(letters, passage.text)
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


_TURNING = re.compile(
    r"(?i)\b(?:access|account|licen[cs]e|who (?:can|do|should|manages|handles|runs|owns)|contact|"
    r"ask|status|request|report|help)\b"
)


_HANDLED = re.compile(r"(?i)\brequests\b|\bonboarding\b|\bprovisioning\b|\bwe manage\b")


def touches(question: str, passage: Passage) -> bool:
    """Say whether a passage has part of an answer: the thing named, and half of what is asked."""
    names, asked = names_in(question), evidence.asked(question)
    matter = asked - names
    return bool(names and matter - _COMMON) and any(
        names <= one.stems and meaning.share(matter, one.stems) >= _HALF
        for one in evidence.statements(passage.text)
    )


def handles(question: str, passage: Passage) -> bool:
    """Say whether a passage tells in outline whom to turn to: the thing named, and who does it."""
    names = names_in(question)
    held = words_in(f"{passage.title} {passage.heading} {passage.text}")
    if not _TURNING.search(question) or not names or not names <= held:
        return False
    matter = evidence.asked(_TURNING.sub(" ", question)) - names - _COMMON
    handled = evidence.CONTACT.search(passage.text) or _HANDLED.search(passage.text)
    return bool(handled) and (not matter or meaning.share(matter, held) >= _HALF)


_HALF = 0.5


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
