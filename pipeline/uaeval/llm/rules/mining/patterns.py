"""Sentence patterns: each reads one kind of sentence and writes a question that it answers."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import (
    PEOPLE,
    Clause,
    finish,
    is_object,
    lower_first,
    noun_phrase,
    parse,
    plural,
    second_person,
    subject_of,
)
from uaeval.llm.rules.mining.sentences import Sentence


class FactKind(StrEnum):
    """What a fact's question asks for."""

    AMOUNT = "amount"
    DATE = "date"
    PLACE = "place"
    PERSON = "person"
    CONTACT = "contact"
    PROHIBITION = "prohibition"
    PROCEDURE = "procedure"
    PERMISSION = "permission"
    DUTY = "duty"
    CONDITION = "condition"
    REASON = "reason"
    DEFINITION = "definition"
    EXPANSION = "expansion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One stated fact and the question that asks for it.

    Parts are in the first person: `subject` + `modal` + `verb` + `rest` is the statement without
    its end stop, for example `I` + `can` + `request` + `up to 240 hours of advanced sick leave`.
    They are empty where the sentence has no such part.
    """

    sentence: str
    """Verbatim sentence of the passage."""
    plain: str
    """The same without markup."""
    question: str
    answer: str
    kind: FactKind
    topic: str
    """The noun phrase that the question is about."""
    yes_no: bool = False
    subject: str = ""
    """`I`, or a noun phrase with its article."""
    modal: str = ""
    """`can`, `must`, `should`, `need to`, `cannot`, `must not` …"""
    verb: str = ""
    """Base form."""
    rest: str = ""
    """What follows the verb, without the full stop."""
    condition: str = ""
    """A leading clause, in the first person: `if I travel abroad`."""
    gap: str = ""
    """The words of the statement that the question asks for."""
    stated: str = ""
    """The statement alone, without side clauses; it holds `gap`."""
    helper: str = ""
    """The verb that inverts a statement without a modal: `does`, `did`, `is`, `will` …"""


Pattern = Callable[[Sentence], Iterator[Fact]]

UNIT = (
    r"(?:business |calendar |working |work |consecutive |billable |full |additional |more |paid )?"
    r"(?:hours?|days?|weeks?|months?|years?|minutes?|people|employees|characters?|words|"
    r"dollars|percent|times|pages|participants|guests|miles|items|pupils|children|adults)"
)
NUMBER = (
    r"(?:[$£€]?\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|"
    r"thirty)(?:[- ](?:to|or)[- ]\d+)?"
)
BOUND = r"(?:up to|at least|at most|a maximum of|a minimum of|no more than|no fewer than|exactly)"
_AMOUNT = re.compile(
    rf"^(?P<amount>(?:{BOUND} )?{NUMBER} (?P<unit>{UNIT}|(?:[a-z-]+ )?[a-z]{{3,}}s))"
    r"(?P<of> of (?P<thing>[\w' -]+?))?"
    r"(?P<tail>(?: (?:for|before|after|an?|each|every|per|in|during|to|from|when|if|on|at|with|"
    r"as)\b.*)?)$"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_WHEN = (
    rf"(?:(?:within|at least|no later than|by|no more than|not later than|up to|in) {NUMBER} {UNIT}"
    rf"(?: (?:of|before|after|prior to|in advance of) [^,]+| in advance)?|"
    rf"(?:by|on|before|after|until) (?:{_MONTH} \d+|\d+ {_MONTH}|(?:Mon|Tues|Wednes|Thurs|"
    r"Fri|Satur|Sun)day)[^,]*|(?:before|by|no later than) \d[\d:.]* ?[ap]\.?m\.?[^,]*)"
)


def fact_of(sentence: Sentence, clause: Clause, kind: FactKind, question: str, answer: str, *,
            topic: str, gap: str = "", yes_no: bool = False) -> Fact:  # fmt: skip
    """Put a fact together."""
    return Fact(
        sentence=sentence.raw,
        plain=sentence.plain,
        question=finish(question),
        answer=answer,
        kind=kind,
        topic=topic,
        yes_no=yes_no,
        subject=clause.subject,
        modal=clause.modal,
        verb=clause.verb,
        rest=clause.rest,
        condition=clause.condition,
        gap=gap,
    )


# --- sentences with a modal verb -----------------------------------------------------------------


def amount(sentence: Sentence) -> Iterator[Fact]:
    """`You can request up to 240 hours of leave.` → how many hours of leave can I request?"""
    clause = parse(sentence.plain)
    match = _AMOUNT.match(clause.rest) if clause else None
    if clause is None or match is None or clause.verb == "exceed":
        return
    if clause.modal not in {"can", "must", "have to", "need to"}:
        return
    if not grammar.is_noun(match["unit"].split()[-1]):
        return
    unit = re.sub(r"^(?:additional|more|full) ", "", match["unit"])
    unit = unit if unit.endswith(("s", "people", "percent", "children")) else f"{unit}s"
    question = f"How many {unit}{match['of'] or ''} {clause.ask}{match['tail']}{clause.tail}"
    topic = match["thing"] or noun_phrase(match["tail"]) or unit
    yield fact_of(sentence, clause, FactKind.AMOUNT, question, match["amount"],
                  topic=topic, gap=match["amount"])  # fmt: skip


def deadline(sentence: Sentence) -> Iterator[Fact]:
    """`You must submit vouchers within 5 days of travel.` → when do I have to submit vouchers?"""
    clause = parse(sentence.plain)
    if clause is None or clause.modal not in {"can", "must", "should", "have to", "need to"}:
        return
    match = re.match(rf"^(?P<object>[^,]{{3,60}}?) (?P<when>{_WHEN})$", clause.rest)
    if match and re.search(r"\w\w", match["object"]):
        question = f"When {clause.ask} {match['object']}{clause.tail}"
        yield fact_of(sentence, clause, FactKind.DATE, question, second_person(match["when"]),
                      topic=noun_phrase(match["object"]), gap=match["when"])  # fmt: skip


def means(sentence: Sentence) -> Iterator[Fact]:
    """`You can request leave through HR Links.` → how can I request leave?"""
    clause = parse(sentence.plain)
    if clause is None or clause.modal not in {"can", "must", "should", "need to", "have to"}:
        return
    match = re.match(
        r"^(?P<object>[^,]{3,60}?) (?P<how>(?:by [a-z]+ing|through|via|using) [^,]+)$", clause.rest
    )
    if match and is_object(match["object"]) and clause.verb != "be":
        ask = f"do I {clause.verb}" if clause.subject == "I" else clause.ask
        question = f"How {ask} {match['object']}{clause.tail}"
        yield fact_of(sentence, clause, FactKind.PROCEDURE, question, second_person(match["how"]),
                      topic=noun_phrase(match["object"]), gap=match["how"])  # fmt: skip


_PLACED = frozenset(
    """find access locate view download get buy pick store file submit post park report register
    request purchase order book read watch leave collect obtain save keep enter record track
    review return hold make sign""".split()
)


def place(sentence: Sentence) -> Iterator[Fact]:
    """`You can find the form in the intranet.` → where can I find the form?"""
    clause = parse(sentence.plain)
    if clause is None or clause.modal not in {"can", "must", "should", "need to", "have to"}:
        return
    match = re.match(
        r"^(?P<object>(?:up )?[^,]{3,50}?) (?P<where>(?:in|on|at|from|inside|outside|next to) "
        r"(?:the |my |a |an )?[\w'&/-]+(?: [\w'&/-]+){0,4}(?: \([\w ]+\))?)$",
        clause.rest,
    )
    where = match["where"] if match else ""
    if match is None or clause.verb not in _PLACED or not is_object(match["object"]):
        return
    if re.search(rf"\b(?:in|on|at|from|for|with|via)\b|{_NOT_PLACE}", match["object"] + where[3:]):
        return
    question = f"Where {clause.ask} {match['object']}{clause.tail}"
    yield fact_of(sentence, clause, FactKind.PLACE, question, second_person(where),
                  topic=noun_phrase(match["object"]), gap=where)  # fmt: skip


_NOT_PLACE = (
    r"\b(?:advance|time|person|case|addition|order|behalf|basis|days?|weeks?|months?|years?|hours?|"
    r"least|general|detail|writing|request|purpose|least|first|mind|lieu|ways?|start|end|"
    r"beginning|part|future|supervisor|manager|others|same|once|officials?|their|his|her|colleagues?|partners?|addition)\b"
)


def contacted(sentence: Sentence) -> Iterator[Fact]:
    """`You must notify your supervisor before you travel.` → who do I have to notify before …?"""
    clause = parse(sentence.plain)
    verbs = {"contact", "email", "ask", "call", "notify", "consult", "inform", "tell"}
    if clause is None or clause.subject != "I" or clause.verb not in verbs or clause.modal not in {
        "can", "must", "should", "need to", "have to"}:  # fmt: skip
        return
    match = re.match(
        r"^(?P<who>(?:the |my |a |an )?[\w@&'.-]+(?: [\w@&'.-]+){0,4}?) "
        r"(?P<why>(?:for|about|if|with|to|before|when|of) [^,]+)$",
        clause.rest,
    )
    if match and is_object(match["who"]) and " or contact " not in match["why"]:
        question = f"Who {clause.ask} {match['why']}{clause.tail}"
        yield fact_of(sentence, clause, FactKind.CONTACT, question, second_person(match["who"]),
                      topic=noun_phrase(match["why"]), gap=match["who"])  # fmt: skip


def passive_agent(sentence: Sentence) -> Iterator[Fact]:
    """`Requests must be approved by a supervisor.` → who has to approve requests?"""
    clause = parse(sentence.plain)
    if clause is None or clause.verb != "be" or clause.modal not in {"must", "need to", "have to",
                                                                     "can", "should"}:  # fmt: skip
        return
    match = re.match(r"^(?P<done>[a-z]+) by (?P<who>[^,]+)$", clause.rest)
    bases = grammar.lemmas(match["done"]).get("VERB", ()) if match else ()
    if match is None or not bases or not PEOPLE.search(match["who"].split(" of ")[0]):
        return
    modal = {"can": "can", "should": "should"}.get(clause.modal, "has to")
    question = f"Who {modal} {bases[0]} {clause.subject}{clause.tail}"
    yield fact_of(sentence, clause, FactKind.PERSON, question, second_person(match["who"]),
                  topic=noun_phrase(clause.subject), gap=match["who"])  # fmt: skip


def tool(sentence: Sentence) -> Iterator[Fact]:
    """`You can use Tock to track your time.` → what can I use to track my time?"""
    clause = parse(sentence.plain)
    if clause is None or clause.verb != "use" or clause.subject != "I":
        return
    match = re.match(r"^(?P<what>[^,]{3,60}?) (?P<for>to [a-z]+ [^,]+)$", clause.rest)
    if match is None or clause.modal not in {"can", "must", "should", "need to", "have to"}:
        return
    goal = match["for"].removeprefix("to ")
    if not is_object(match["what"]) or not grammar.starts_with_verb(goal):
        return
    question = f"What {clause.ask} {match['for']}{clause.tail}"
    yield fact_of(sentence, clause, FactKind.PROCEDURE, question, second_person(match["what"]),
                  topic=noun_phrase(goal.partition(" ")[2]), gap=match["what"])  # fmt: skip


ABILITY = frozenset(
    """find see access view get reach click log download open connect check learn read search
    expect choose be have vary include help happen work look feel seem become lead cause make
    arrive appear show go come ask think know want hear start try refer visit tell trigger mean
    abuse experience wish notice encounter prefer face hear wonder use-up lose miss
    watch join add talk contact email call consider take-on scroll navigate type select
    rely remember understand note keep hop cover reflect affect range tailor depend need exceed
    differ benefit""".split()
)
"""Verbs with which a modal speaks of ability, likelihood or advice more often than of a rule."""


_NO_DUTY = frozenset("be seem feel remember understand know become think look hesitate".split())
"""Verbs with which `must` is no rule that could be kept or broken."""


def rule(sentence: Sentence) -> Iterator[Fact]:
    """`You can donate leave to colleagues.` → can I donate leave to colleagues?"""
    clause = parse(sentence.plain)
    if clause is None or not clause.rest or clause.modal == "need not":
        return
    if not _governed(clause) or re.search(r"[,:()\"]|\bonly\b", clause.rest):
        return
    kind = {
        "can": FactKind.PERMISSION,
        "cannot": FactKind.PROHIBITION,
        "must not": FactKind.PROHIBITION,
        "should not": FactKind.PROHIBITION,
    }.get(clause.modal, FactKind.DUTY)
    question = f"{clause.ask} {clause.rest}{clause.tail}"
    lead = "No" if kind is FactKind.PROHIBITION else "Yes"
    body = second_person(f"{clause.subject} {_agree(clause)} {clause.verb} {clause.rest}")
    topic = noun_phrase(clause.rest)
    yield fact_of(sentence, clause, kind, question, f"{lead}, {body}", topic=topic, yes_no=True)


def _agree(clause: Clause) -> str:
    if plural(clause.subject):
        return clause.modal
    return {"need to": "needs to", "have to": "has to"}.get(clause.modal, clause.modal)


_HAPPENS = {"prompted", "required", "asked", "expected", "forced", "presented", "seen", "found"}


def _governed(clause: Clause) -> bool:
    """Say whether a modal states a rule for people, or for things that people handle."""
    if clause.verb == "be":
        done = clause.rest.split()[0]
        return done.endswith(("ed", "en", "wn", "ade", "ept", "ent")) and done not in _HAPPENS
    person = clause.subject == "I" or bool(PEOPLE.search(clause.subject.split(" of ")[0]))
    weak = _NO_DUTY if clause.modal in {"must", "have to", "need to"} else ABILITY
    return person and clause.verb not in weak


MODAL_PATTERNS: tuple[Pattern, ...] = (
    amount,
    deadline,
    passive_agent,
    contacted,
    means,
    tool,
    place,
    rule,
)
__all__ = ["MODAL_PATTERNS", "Fact", "FactKind", "fact_of", "lower_first", "subject_of"]
