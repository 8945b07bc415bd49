"""Queries that take for granted what a passage contradicts, and their verifier."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from uaeval.llm.replies import (
    ClaimStances,
    FalsePresuppositionDraft,
    FalsePresuppositionVerification,
    TwinDraft,
    Written,
)
from uaeval.llm.rules import evidence, grammar, twin
from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.clauses import PEOPLE, finish, plural, second_person
from uaeval.llm.rules.facts import Fact, FactKind, facts
from uaeval.llm.rules.patterns import ABILITY
from uaeval.llm.rules.presupposed import presupposed
from uaeval.llm.rules.quantities import changed
from uaeval.types import Passage, Stance

_DECLINED = "no sentence of the passage states a rule or figure that can be turned into another"
_BINDING = {"must", "have to", "need to"}

# Frames. {clause} the false premise · {vp} verb and what follows · {gerund} the same with -ing ·
# {subject}, {do}, {be} agree with each other.
_MY_AMOUNT = (
    "Since {clause}, who do I ask for approval",
    "{clause}, so what is the first step",
    "Who do I talk to first, given that {clause}",
    "Given that {clause}, is there a form I have to fill out",
    "What paperwork do I need, since {clause}",
    "Because {clause}, how far ahead should I plan",
)
_FULL_AMOUNT = (
    "How do I {full}",
    "What do I need to do to {full}",
    "Who do I talk to so that I can {full}",
    "What's the fastest way to {full}",
    "Which form do I fill out to {full}",
)
_MY_DUTY_AMOUNT = (
    "Why do I {modal} {vp}",
    "{clause}, so who keeps track of that",
    "Who checks, given that {clause}",
    "Since {clause}, what happens if I forget",
)
_ANY_AMOUNT = (
    "Why {why}",
    "Why {why}",
    "How come {clause}",
    "Can you explain why {clause}",
    "What's the reason that {clause}",
    "Is there a particular reason why {clause}",
    "Could you tell me why {clause}",
    "Since {clause}, what happens if I can't manage that",
    "Who can make an exception, given that {clause}",
)
_FIGURE = (
    "Why {why}",
    "Why {why}",
    "How come {clause}",
    "Can you explain why {clause}",
    "What's the reason that {clause}",
    "Is there a particular reason why {clause}",
    "Could you tell me why {clause}",
)
_PRICE = (
    "Why {why}",
    "Why {why}",
    "How come {clause}",
    "Since {clause}, what does that include",
    "Is there a discount, given that {clause}",
    "{clause}, so can I pay by card",
    "Do children pay less, given that {clause}",
    "What exactly do I get, since {clause}",
)
_ALLOWED = (
    "Since I'm allowed to {vp}, how do I set that up",
    "Now that {gerund} is allowed, what should I keep in mind",
    "I'm allowed to {vp}, so who do I tell beforehand",
    "When did {gerund} become allowed",
    "Who do I notify, given that I can {vp}",
    "How do I get permission to {vp}",
)
_THEY_ALLOWED = (
    "Why can {subject} {vp}",
    "Why {be} {subject} allowed to {vp}",
    "How come {clause}",
    "Since {clause}, who do I tell about it",
    "Can you explain why {clause}",
)
_FREED = (
    "Why don't I have to {vp}",
    "Why is {gerund} optional",
    "Why is {gerund} only optional",
    "Since {gerund} is optional, what happens if I skip it",
    "When did {gerund} become optional",
    "Since I don't have to {vp}, what should I do instead",
    "Who do I tell, given that I don't have to {vp}",
    "I don't have to {vp}, so what is the alternative",
    "What is the point of it, since I don't have to {vp}",
)
_THEY_FREED = (
    "Why {do}n't {subject} have to {vp}",
    "Why {do}n't {subject} have to {vp}",
    "How come {clause}",
    "Can you explain why {clause}",
    "Since {clause}, what happens instead",
    "Who decided that {clause}",
    "When did it change that {clause}",
)
_DENIED = (
    "Why can't I {vp}",
    "Why am I not allowed to {vp}",
    "Why is {gerund} not allowed",
    "Why is {gerund} against the rules",
    "Since I'm not allowed to {vp}, what can I do instead",
    "What are my options, since I can't {vp}",
    "Who can make an exception, given that I'm not allowed to {vp}",
    "When did {gerund} stop being allowed",
    "Is there a way around the ban on {gerund}",
    "I can't {vp}, so what is the alternative",
)
_THEY_DENIED = (
    "Why can't {subject} {vp}",
    "Why {be}n't {subject} allowed to {vp}",
    "Since {clause}, who can make an exception",
    "How come {clause}",
    "Can you explain why {clause}",
)
_ADVISED = ("Why should {subject} {vp}", "Since {clause}, what is the best way to do it")
_ADVISED_AGAINST = (
    "Why shouldn't {subject} {vp}",
    "Why is it a bad idea for {object} to {vp}",
    "Since {clause}, what is the better way",
)


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


def _twist(fact: Fact, clause: str, frames: Sequence[str], change: str, **parts: str) -> Twist:
    """Fill one frame; `clause` is the false premise in the first person, without a full stop."""
    vp = parts.pop("vp", f"{fact.verb} {fact.rest}") + _tail(fact)
    fitting = [frame for frame in frames if "{gerund}" not in frame or _short(fact)]
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
        yield _twist(fact, clause, _ANY_AMOUNT, change, why=why)
    elif fact.modal != "can":
        yield _twist(fact, clause, _MY_DUTY_AMOUNT, change, vp=f"{fact.verb} {rest}")
    elif rest.startswith(f"{new} of ") and fact.verb != "be":
        full = f"{fact.verb} the full {rest}{_tail(fact)}"
        yield _twist(fact, clause, _FULL_AMOUNT, change, full=full)
    else:
        yield _twist(fact, clause, _MY_AMOUNT, change)


def _other_figure(fact: Fact) -> Iterator[Twist]:
    """`is held every Tuesday` → `every Thursday`, in a plain statement."""
    found = changed(fact.gap) if fact.stated and fact.gap in fact.stated else None
    if found is None or fact.kind not in {FactKind.AMOUNT, FactKind.DATE}:
        return
    old, new, gap = found
    clause = fact.stated.replace(fact.gap, gap, 1)
    frames = _PRICE if fact.verb == "cost" else _FIGURE
    what = clause.removeprefix(f"{fact.subject} ").partition(" ")[2]
    verb = "" if fact.verb == "be" else f" {fact.verb}"
    if fact.helper in {"will", "can", "must", "may", "should"}:
        what = what.partition(" ")[2]
    why = f"{fact.helper} {fact.subject}{verb} {what}"
    change = f"“{old}” was changed to “{new}”"
    yield _twist(fact, clause, frames, change, why=why)


def _allowed(fact: Fact) -> Iterator[Twist]:
    """`must not` → `can`."""
    if fact.kind is FactKind.PROHIBITION and fact.modal != "should not":
        frames = _ALLOWED if fact.subject == "I" else _THEY_ALLOWED
        change = "what the passage forbids was taken as allowed"
        yield _twist(fact, _clause(fact, "can"), frames, change)


def _freed(fact: Fact) -> Iterator[Twist]:
    """`must` → `does not have to`."""
    if fact.modal not in _BINDING or not fact.rest or _sweeping(fact):
        return
    do = "do" if plural(fact.subject) else "does"
    frames = _FREED if fact.subject == "I" else _THEY_FREED
    change = "what the passage requires was taken as optional"
    yield _twist(fact, _clause(fact, f"{do} not have to"), frames, change)


def _denied(fact: Fact) -> Iterator[Twist]:
    """`can` → `cannot`, where it speaks of permission and not of ability."""
    person = fact.subject == "I" or PEOPLE.search(fact.subject)
    if fact.kind is not FactKind.PERMISSION or not person or fact.verb in ABILITY:
        return
    if _sweeping(fact):
        return
    frames = _DENIED if fact.subject == "I" else _THEY_DENIED
    change = "what the passage allows was taken as not allowed"
    yield _twist(fact, _clause(fact, "cannot"), frames, change)


def _sweeping(fact: Fact) -> bool:
    """Say whether a negation would leave it open what it denies: `not … any`, `not all …`."""
    sweeping = re.search(r"\b(?:any|either|all|each|every|both|anything|only)\b", fact.rest)
    return bool(sweeping) or fact.subject.split()[0] in {"any", "all", "each", "every", "only"}


def _opposite(fact: Fact) -> Iterator[Twist]:
    """`a free service` → `a paid service`."""
    if fact.modal or fact.verb != "be" or not fact.subject:
        return
    for ours, theirs in (pair for both in evidence.OPPOSITES for pair in (both, both[::-1])):
        if ours in _FIRM and re.search(rf"\b{ours}\b", fact.rest):
            rest = re.sub(rf"\b{ours}\b", theirs, fact.rest, count=1)
            be = "are" if plural(fact.subject) else "is"
            frames = (f"Why {be} {{subject}} {rest}", f"Since when {be} {{subject}} {rest}")
            yield _twist(
                fact, f"{fact.subject} {be} {rest}", frames, f"“{ours}” was changed to “{theirs}”"
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
    frames = _ADVISED if turned == "should" else _ADVISED_AGAINST
    change = "the passage's advice was turned into its opposite"
    yield _twist(fact, _clause(fact, turned), frames, change)


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
    label = presupposed(question, premise)
    checked = twin.check(twin_question, twin_answer, passages)
    rationale = (
        f"The label is {label}; the premise is supported by passages {claim.supports or 'none'} "
        f"and contradicted by {claim.contradicts or 'none'}. {twin.describe(checked)}"
    )
    return FalsePresuppositionVerification(
        rationale=rationale, premise=claim, label=label, twin=checked
    )
