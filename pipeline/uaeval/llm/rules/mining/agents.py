"""Who does something, asked of sentences whose subject is a person, a team or an office."""

import re
from collections.abc import Iterator

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import PEOPLE, Clause, names, noun_phrase, parse, plural
from uaeval.llm.rules.mining.patterns import Fact, FactKind, Pattern, fact_of
from uaeval.llm.rules.mining.sentences import Sentence
from uaeval.llm.rules.mining.told import told

BACK = re.compile(
    r"\b(?:it|its|they|their|them|he|she|his|her|him|both|each other|themselves|itself|we|us|our|"
    r"you|your|who|which|what|how|that|where|when|if|whether|then|also|will|would|might)\b",
    re.IGNORECASE,
)
"""Words that tie a predicate to what stands around it."""

_ENDING = re.compile(
    r",? (?:because|although|though|while|whereas|so that|since|unless|but)\b.*$|, .*$|"
    r" \b(?:as needed|as necessary|as well|if (?:needed|necessary|possible|applicable))$"
)
_DEED = frozenset(
    """approve manage own maintain run lead oversee handle review process issue coordinate conduct
    administer decide assign sign organise organize arrange host supervise provide fund perform
    complete collect send publish schedule notify receive submit set determine evaluate distribute
    monitor update create write assess verify select certify authorize authorise grant pay offer
    support train teach report track staff enforce define develop build operate execute negotiate
    reimburse purchase order deliver ship add remove confirm request record sponsor represent hire
    recruit facilitate schedule document appoint nominate inspect audit test deploy store keep
    hold design advise consult accept reject prepare inform investigate repair clean check deny
    install configure claim attend earn accrue qualify""".split()
)
_NOT_TOOLS = frozenset("handle store support build add remove check earn keep hold".split())
"""What a piece of software does as well as a person."""
_ANYONE = frozenset(
    """employee staff team member person people user someone everyone anyone group individual
    contractor supervisor manager participant""".split()
)
_OFFICE_NAME = re.compile(
    r"\b(?:Team|Office|Division|Department|Branch|Committee|Council|Board|Guild|Director|Unit|"
    r"Supervisors?|Managers?|Leads?|Officers?|Center|Desk|Administration|Bureau|"
    r"Approvers?|Commissioner|Official|Crew|Registrar|Agency)$"
)


def doers(sentence: Sentence) -> Iterator[Fact]:
    """`The OMB team reviews every survey.` → who reviews every survey?"""
    said = told(sentence.plain)
    if said is None or said.lead or said.helper not in {"does", "do", "did"}:
        return
    done = _predicate(said.rest)
    if said.base in _NOT_TOOLS and not PEOPLE.search(_head(said.subject)):
        return
    deed = said.base in _DEED or (said.base == "serve" and said.rest.startswith("as "))
    if not deed or done is None or not holder(said.subject):
        return
    verb = said.verb if said.helper == "did" else grammar.inflect(said.base, "VBZ")
    clause = Clause(subject=said.subject, verb=said.base, rest=done)
    yield fact_of(sentence, clause, FactKind.PERSON, f"Who {verb} {done}", said.subject,
                  topic=noun_phrase(done), gap=said.subject)  # fmt: skip


_ASKED = {"can": "can", "must": "has to", "have to": "has to", "need to": "needs to"}


def bound(sentence: Sentence) -> Iterator[Fact]:
    """`Only curators can open the vault.` → who can open the vault?"""
    only = re.match(r"^Only (?P<who>[^,]+)$", sentence.plain)
    text = f"All {only['who']}" if only else sentence.plain
    clause = parse(text)
    if clause is None or clause.subject == "I" or clause.condition:
        return
    done = _predicate(clause.rest)
    who = clause.subject.removeprefix("all ") if only else clause.subject
    if clause.modal not in _ASKED or done is None or not (only or holder(who)):
        return
    if only and not PEOPLE.search(_head(who)):
        return
    if clause.verb == "be" or not (only or clause.verb in _DEED):
        return
    who = f"only {who}" if only else who
    yield fact_of(sentence, clause, FactKind.PERSON,
                  f"Who {_ASKED[clause.modal]} {clause.verb} {done}", who,
                  topic=noun_phrase(done), gap=who)  # fmt: skip


def _predicate(rest: str) -> str | None:
    """Return what is done, cut to its main clause; `None` if it leans on its context."""
    done = _ENDING.sub("", rest)
    if done != rest and re.match(r"^, (?:and|or)?[^,]*(?:, |$)", rest[len(done) :]):
        return None
    if BACK.search(done) or not 2 <= len(done.split()) <= 14:
        return None
    if re.match(r"(?:and|or|to|by|not|\d)\b", done) or re.search(r"[:;()\"]", done):
        return None
    if re.search(r"\b(?:and|or)$", done) or len(grammar.content(done)) < 2:
        return None
    return done


def _head(text: str) -> str:
    return re.split(r" (?:of|in|for|at|on|from|with|within|who|that|approved|outside) ", text)[0]


def holder(who: str) -> bool:
    """Say whether a subject names somebody in particular: a role, a team, an office."""
    head = _head(who)
    if (
        BACK.search(who)
        or ":" in who
        or len(who.split()) > 9
        or re.match(r"(?:most|many|some|few)\b", who)
    ):
        return False
    last = head.split()[-1]
    if _OFFICE_NAME.search(head) or (names(head) and last.isupper() and len(last) > 1):
        return True
    if not PEOPLE.search(head):
        return False
    bare = grammar.content(who) - _ANYONE
    return bool(bare)


AGENT_PATTERNS: tuple[Pattern, ...] = (doers, bound)
__all__ = ["AGENT_PATTERNS", "BACK", "holder", "plural"]
