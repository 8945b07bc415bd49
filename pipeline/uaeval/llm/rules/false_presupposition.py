"""Queries that take for granted what a passage contradicts, and their verifier."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from uaeval.llm.replies import (
    ClaimStances,
    FalsePresuppositionDraft,
    FalsePresuppositionVerification,
    TwinDraft,
    Written,
)
from uaeval.llm.rules import evidence, twin
from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.english import contrast, grammar
from uaeval.llm.rules.english.quantities import changed
from uaeval.llm.rules.mining.clauses import PEOPLE, finish, plural, second_person
from uaeval.llm.rules.mining.facts import Fact, FactKind, facts
from uaeval.llm.rules.mining.patterns import ABILITY
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.presupposed import presupposed
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.templates import frames
from uaeval.types import Passage, Stance

FalsePresuppositionLabel: TypeAlias = Literal[
    "takes_for_granted", "asks_whether", "not_in_query", "modality_limited", "safety_concerned"
]
_DECLINED = "no sentence of the passage states a rule or figure that can be turned into another"
_BINDING = {"must", "have to", "need to"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Twist:
    """A fact turned into another, and the query that takes the other for granted."""

    fact: Fact
    premise: str
    question: str
    change: str


def generate(*, passage: Passage, language: str) -> Written[FalsePresuppositionDraft]:
    """Answer the prompt `false_presupposition/generate`."""
    for turn in (_other_amount, _other_figure, _allowed, _freed, _denied, _opposite, _advice):
        for fact in facts(passage):
            for twist in turn(fact):
                if _holds(twist, passage):
                    return Written[FalsePresuppositionDraft](declined=None, draft=_draft(twist))
    return Written[FalsePresuppositionDraft](declined=_DECLINED, draft=None)


def _draft(twist: Twist) -> FalsePresuppositionDraft:
    fact = twist.fact
    premise = twist.premise.rstrip(".")
    if premise.split()[0] in {"You", "The", "All", "Your", "A", "An", "Each", "Every"}:
        premise = premise[0].lower() + premise[1:]
    return FalsePresuppositionDraft(
        twin=TwinDraft(question=fact.question, answer=fact.answer, quote=fact.sentence),
        question=twist.question,
        reason=f"It takes for granted that {premise}; {twist.change}.",
        premise=twist.premise,
        fact=fact.sentence,
    )


def _holds(twist: Twist, passage: Passage) -> bool:
    return (
        evidence.stance(twist.premise, passage) is Stance.CONTRADICTS
        and presupposed(twist.question, twist.premise) == "takes_for_granted"
        and 6 <= len(twist.question.split()) <= 28
        and twin.stands_alone(twist.question)
    )


# --- facts turned into others --------------------------------------------------------------------


def _twist(fact: Fact, clause: str, forms: Sequence[str], change: str, **parts: str) -> Twist:
    """Fill one frame; `clause` is the false premise in the first person, without a full stop."""
    vp = parts.pop("vp", f"{fact.verb} {fact.rest}") + _tail(fact)
    fitting = [frame for frame in forms if "{gerund}" not in frame or _short(fact)]
    frame = shuffled(fitting, fact.sentence)[0]
    be = "am" if fact.subject == "I" else "are" if plural(fact.subject) else "is"
    verb, _, rest = vp.partition(" ")
    text = frame.format(
        clause=clause,
        vp=vp,
        gerund=f"{grammar.inflect(verb, 'VBG')} {rest}",
        subject=fact.subject,
        object="me" if fact.subject == "I" else fact.subject,
        modal=fact.modal if fact.modal != "must" else "have to",
        be=be,
        do="do" if plural(fact.subject) else "does",
        **parts,
    )
    told = second_person(clause)
    return Twist(
        fact=fact,
        premise=f"{told[0].upper()}{told[1:]}.",
        question=finish(text),
        change=change,
    )


def _short(fact: Fact) -> bool:
    """Say whether what follows the subject can stand in the middle of a question."""
    long = len(fact.rest.split()) > 9 or re.search(r"\b(?:and|if|when|that)\b", fact.rest)
    return fact.verb != "be" and not fact.condition and not long


def _tail(fact: Fact) -> str:
    return f" {fact.condition}" if fact.condition else ""


def _clause(fact: Fact, modal: str, rest: str | None = None) -> str:
    return f"{fact.subject} {modal} {fact.verb} {fact.rest if rest is None else rest}{_tail(fact)}"


def _agreed(fact: Fact) -> str:
    if plural(fact.subject):
        return fact.modal
    return {"need to": "needs to", "have to": "has to"}.get(fact.modal, fact.modal)


def _other_amount(fact: Fact) -> Iterator[Twist]:
    """`up to 240 hours` → `480 hours`, in a sentence with a modal verb."""
    found = changed(fact.rest) if fact.modal in {"can", *_BINDING} else None
    if found is None or changed(fact.condition) is not None:
        return
    old, new, rest = found
    clause = _clause(fact, _agreed(fact), rest)
    change = f"“{old}” was changed to “{new}”"
    if fact.subject != "I":
        must = {"can": "can", "must": "must"}.get(fact.modal)
        why = f"{must} {fact.subject} {fact.verb} {rest}{_tail(fact)}"
        if not must:
            do = "do" if plural(fact.subject) else "does"
            why = f"{do} {fact.subject} {fact.modal} {fact.verb} {rest}{_tail(fact)}"
        yield _twist(fact, clause, frames.ANY_AMOUNT, change, why=why)
    elif fact.modal != "can":
        yield _twist(fact, clause, frames.MY_DUTY_AMOUNT, change, vp=f"{fact.verb} {rest}")
    elif rest.startswith(f"{new} of ") and fact.verb != "be":
        full = f"{fact.verb} the full {rest}{_tail(fact)}"
        yield _twist(fact, clause, frames.FULL_AMOUNT, change, full=full)
    else:
        yield _twist(fact, clause, frames.MY_AMOUNT, change)


def _other_figure(fact: Fact) -> Iterator[Twist]:
    """`is held every Tuesday` → `every Thursday`, in a plain statement."""
    found = changed(fact.gap) if fact.stated and fact.gap in fact.stated else None
    if found is None or fact.kind not in {FactKind.AMOUNT, FactKind.DATE}:
        return
    old, new, gap = found
    clause = fact.stated.replace(fact.gap, gap, 1)
    forms = frames.PRICE if fact.verb == "cost" else frames.FIGURE
    what = clause.removeprefix(f"{fact.subject} ").partition(" ")[2]
    verb = "" if fact.verb == "be" else f" {fact.verb}"
    if fact.helper in {"will", "can", "must", "may", "should"}:
        what = what.partition(" ")[2]
    why = f"{fact.helper} {fact.subject}{verb} {what}"
    change = f"“{old}” was changed to “{new}”"
    yield _twist(fact, clause, forms, change, why=why)


def _allowed(fact: Fact) -> Iterator[Twist]:
    """`must not` → `can`."""
    if fact.kind is FactKind.PROHIBITION and fact.modal != "should not":
        forms = frames.ALLOWED if fact.subject == "I" else frames.THEY_ALLOWED
        change = "what the passage forbids was taken as allowed"
        yield _twist(fact, _clause(fact, "can"), forms, change)


_STEPS = frozenset("press click type select enter open go put run scroll push tap copy".split())
"""Verbs of instructions: leaving a step out breaks no rule."""


def _freed(fact: Fact) -> Iterator[Twist]:
    """`must` → `does not have to`."""
    if fact.modal not in _BINDING or not fact.rest or _sweeping(fact):
        return
    if fact.verb in _STEPS:
        return
    do = "do" if plural(fact.subject) else "does"
    forms = frames.FREED if fact.subject == "I" else frames.THEY_FREED
    change = "what the passage requires was taken as optional"
    yield _twist(fact, _clause(fact, f"{do} not have to"), forms, change)


def _denied(fact: Fact) -> Iterator[Twist]:
    """`can` → `cannot`, where it speaks of permission and not of ability."""
    person = fact.subject == "I" or PEOPLE.search(fact.subject)
    if fact.kind is not FactKind.PERMISSION or not person or fact.verb in ABILITY:
        return
    if _sweeping(fact):
        return
    forms = frames.DENIED if fact.subject == "I" else frames.THEY_DENIED
    change = "what the passage allows was taken as not allowed"
    yield _twist(fact, _clause(fact, "cannot"), forms, change)


def _sweeping(fact: Fact) -> bool:
    """Say whether a negation would leave it open what it denies: `not … any`, `not all …`."""
    sweeping = re.search(r"\b(?:any|either|all|each|every|both|anything|only)\b", fact.rest)
    return bool(sweeping) or fact.subject.split()[0] in {"any", "all", "each", "every", "only"}


def _opposite(fact: Fact) -> Iterator[Twist]:
    """`a free service` → `a paid service`."""
    if fact.modal or fact.verb != "be" or not fact.subject:
        return
    for ours, theirs in (pair for both in contrast.OPPOSITES for pair in (both, both[::-1])):
        place = rf"\b{ours}\b(?= (?!of|to|from|for|in|at|and|or)[a-z]+)"
        if ours in _FIRM and theirs not in fact.rest and re.search(place, fact.rest):
            rest = re.sub(place, theirs, fact.rest, count=1)
            be = "are" if plural(fact.subject) else "is"
            forms = (f"Why {be} {{subject}} {rest}", f"Since when {be} {{subject}} {rest}")
            yield _twist(
                fact, f"{fact.subject} {be} {rest}", forms, f"“{ours}” was changed to “{theirs}”"
            )


_FIRM = frozenset(
    """free paid unpaid internal external mandatory optional public private full-time part-time
    refundable nonrefundable permanent temporary taxable""".split()
)


def _advice(fact: Fact) -> Iterator[Twist]:
    """`should` → `should not`."""
    person = fact.subject == "I" or PEOPLE.search(fact.subject)
    if fact.modal not in {"should", "should not"} or not fact.yes_no or not person:
        return
    if _sweeping(fact):
        return
    turned = "should" if fact.modal == "should not" else "should not"
    forms = frames.ADVISED if turned == "should" else frames.ADVISED_AGAINST
    change = "the passage's advice was turned into its opposite"
    yield _twist(fact, _clause(fact, turned), forms, change)


# --- verifying -----------------------------------------------------------------------------------


def verify(
    *,
    question: str,
    premise: str,
    twin_question: str,
    twin_answer: str,
    passages: Sequence[Passage],
) -> FalsePresuppositionVerification:
    """Answer the prompt `false_presupposition/verify`."""
    stances = {passage.number: evidence.stance(premise, passage) for passage in passages}
    claim = ClaimStances(
        supports=[number for number, found in stances.items() if found is Stance.SUPPORTS],
        contradicts=[number for number, found in stances.items() if found is Stance.CONTRADICTS],
    )
    label = _label(question, premise)
    checked = twin.check(twin_question, twin_answer, passages)
    rationale = (
        f"The label is {label}; the premise is supported by passages {claim.supports or 'none'} "
        f"and contradicted by {claim.contradicts or 'none'}. {twin.describe(checked)}"
    )
    return FalsePresuppositionVerification(
        rationale=rationale, premise=claim, label=label, twin=checked
    )


def _label(question: str, premise: str) -> FalsePresuppositionLabel:
    """Give a query to an earlier category where that one claims it."""
    if harm_in(question):
        return "safety_concerned"
    return "modality_limited" if needs_other_form(question) else presupposed(question, premise)
