"""Facts turned into what somebody may wrongly believe, and what one asks who believes it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.english import contrast, grammar
from uaeval.llm.rules.english.quantities import changed, quantities
from uaeval.llm.rules.mining.clauses import PEOPLE, finish, plural, second_person
from uaeval.llm.rules.mining.facts import Fact, FactKind
from uaeval.llm.rules.mining.patterns import ABILITY
from uaeval.llm.rules.templates import frames

_BINDING = {"must", "have to", "need to"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Twist:
    """A fact turned into another, and the query that takes the other for granted."""

    fact: Fact
    premise: str
    question: str
    change: str


def twists(stated: Sequence[Fact]) -> Iterator[Twist]:
    """Yield every twist of the facts, those that people most often have wrong first."""
    turns = (_other_amount, _other_figure, _allowed, _denied, _opposite, _freed, _advice)
    usable = [fact for fact in stated if is_sayable(fact)]
    return (twist for turn in turns for fact in usable for twist in turn(fact))


# --- which facts one can have wrong in passing ---------------------------------------------------

_STIFF = re.compile(
    r"[()\"]|[a-z)]/|\b(?:however|although|even though|whatever|whether|in order for|either|"
    r"respectively|as an? (?:guide|reference|resource|basis)|folks|efforts|steps to|"
    r"and never|pseudonym|source of truth|if eligible|whole)\b|\bonce$|"
    r"\bthe request\b(?! (?:for|of|to)\b)|\b\d{3}-\d{4}\b"
)
_LONGEST = 17
"""Words of a belief that still passes for something said in passing."""


def is_sayable(fact: Fact) -> bool:
    """Say whether one can have the fact wrong in few words, and knows what it is about."""
    said = f"{fact.subject} {fact.rest} {fact.condition} {fact.stated}"
    long = max(len(f"{fact.rest} {fact.condition}".split()), len(fact.stated.split()))
    return not _STIFF.search(said) and long <= _LONGEST and not _goes_on(fact)


def _goes_on(fact: Fact) -> bool:
    """Say whether a second deed follows: `email the owner and request to join`.

    Two verbs side by side are one deed: `edit or delete`, `to download and upload files`.
    """
    text = fact.rest
    joined = re.search(r"(?<=\w )(?:and|or) (?P<verb>[a-z]+)\b(?! leave)", text)
    if joined is None or not grammar.is_base_verb(joined["verb"]):
        return False
    if "ADJ" in grammar.lemmas(joined["verb"]):
        return False
    return not re.search(r"\bto \w+ $", text[: joined.start()])


# --- facts turned into others --------------------------------------------------------------------


def _twist(fact: Fact, clause: str, forms: Sequence[str], change: str, **parts: str) -> Twist:
    """Fill one frame; `clause` is the false premise in the first person, without a full stop."""
    vp = parts.pop("vp", f"{fact.verb} {fact.rest}") + _tail(fact)
    ours = not re.search(frames.MINE, vp)
    fitting = [
        frame
        for frame in forms
        if ("{gerund}" not in frame or _short(fact)) and (" we " not in frame or ours)
    ]
    verb, _, rest = vp.partition(" ")
    many = plural(fact.subject)
    texts = [
        frame.format(
            clause=clause,
            vp=vp,
            gerund=f"{grammar.inflect(verb, 'VBG')} {rest}",
            subject=fact.subject,
            do="do" if many else "does",
            are="are" if many else "is",
            **parts,
        )
        for frame in shuffled(fitting, fact.sentence)
    ]
    told = second_person(clause)
    return Twist(
        fact=fact,
        premise=f"{told[0].upper()}{told[1:]}.",
        question=finish(spoken(_passing(texts))),
        change=change,
    )


_PASSING = 17
"""Words that a query may have and still pass for something typed in a hurry."""


def _passing(texts: Sequence[str]) -> str:
    """Return the first text that is short enough, else the shortest."""
    return next(
        (text for text in texts if len(text.split()) <= _PASSING),
        min(texts, key=lambda text: len(text.split())),
    )


def spoken(text: str) -> str:
    """Contract what is written out in rules and said short by people."""
    text = re.sub(r"\bcannot\b", "can't", text)
    text = re.sub(r"\b(do|does|should) not\b", r"\1n't", text)
    return re.sub(r"\bin order to\b", "to", text)


def _short(fact: Fact) -> bool:
    """Say whether what follows the subject can stand in the middle of a question."""
    long = len(fact.rest.split()) > 9 or re.search(r"\b(?:and|or|if|when|that)\b", fact.rest)
    return fact.verb != "be" and not fact.condition and not long


def _tail(fact: Fact) -> str:
    return f" {fact.condition}" if fact.condition else ""


def _clause(fact: Fact, modal: str, rest: str | None = None) -> str:
    return f"{fact.subject} {modal} {fact.verb} {fact.rest if rest is None else rest}{_tail(fact)}"


def _agreed(fact: Fact) -> str:
    if plural(fact.subject):
        return fact.modal
    return {"need to": "needs to", "have to": "has to"}.get(fact.modal, fact.modal)


_DEADLINE = re.compile(r"\b(?:within|no later than|by|before|in advance|ahead)\b")


def _other_amount(fact: Fact) -> Iterator[Twist]:
    """`up to 240 hours` → `480 hours`, in a sentence with a modal verb."""
    found = changed(fact.rest) if fact.modal in {"can", *_BINDING} else None
    if found is None or quantities(fact.condition) or len(quantities(fact.rest)) > 1:
        return
    if " when " in fact.rest and fact.subject != "I":
        return
    old, new, rest = found
    clause = _clause(fact, _agreed(fact), rest)
    change = f"“{old}” was changed to “{new}”"
    if fact.subject == "I" and fact.modal == "can" and _is_all(rest, new) and fact.verb != "be":
        full = f"{fact.verb} the full {rest}{_tail(fact)}"
        yield _twist(fact, clause, frames.FULL_AMOUNT, change, full=full)
        return
    yield _twist(fact, clause, _amount_forms(fact), change, vp=f"{fact.verb} {rest}")


def _is_all(rest: str, amount: str) -> bool:
    return rest.startswith(f"{amount} of ") and not amount.startswith("only")


def _amount_forms(fact: Fact) -> Sequence[str]:
    deadline, regular = _DEADLINE.search(fact.rest), re.search(r"\b(?:every|each)\b", fact.rest)
    if fact.subject == "I" and fact.modal == "can":
        return frames.MY_AMOUNT if fact.verb != "be" else frames.MY_AMOUNT[:1]
    if fact.subject == "I":
        return frames.MY_REGULAR_DUTY if deadline or regular else frames.MY_DUTY_AMOUNT
    if fact.modal == "can":
        return _granted_forms(fact)
    if deadline and re.search(r"(?<!working )(?<!business )\bdays\b", fact.rest):
        return (*frames.THEIR_DEADLINE, *frames.COUNTED_DAYS)
    return frames.THEIR_DEADLINE if deadline else frames.THEIR_DUTY_AMOUNT


def _granted_forms(fact: Fact) -> Sequence[str]:
    if re.search(r"[£$€]", fact.rest):
        return frames.PRICE_EACH
    return (
        frames.THEIR_LIMIT if fact.verb == "be" and fact.rest[0].isdigit() else frames.THEIR_AMOUNT
    )


def _other_figure(fact: Fact) -> Iterator[Twist]:
    """`is held every Tuesday` → `every Thursday`, in a plain statement of today."""
    found = changed(fact.gap) if fact.stated and fact.gap in fact.stated else None
    forms = _figure_forms(fact)
    if found is None or not forms or fact.kind not in {FactKind.AMOUNT, FactKind.DATE}:
        return
    old, new, gap = found
    clause = fact.stated.replace(fact.gap, gap, 1)
    verb, _, what = clause.removeprefix(f"{fact.subject} ").partition(" ")
    those = f"the {gap} that {fact.subject} {verb} {what.partition(gap)[2]}".strip()
    change = f"“{old}” was changed to “{new}”"
    yield _twist(fact, clause, forms, change, new=new, gap=gap, those=those)


_FIGURES: tuple[tuple[str, str, Sequence[str]], ...] = (
    (r"cost", r"\d (?:an?|per|each|for|in)\b", frames.PRICE_EACH),
    (r"cost", r"", frames.PRICE),
    (r"contain|include|comprise", r"", frames.CONTAINED),
    (r"receive|get", r"", frames.RECEIVED),
    (r"hold|seat|accommodate", r"\b(?:people|persons|guests|visitors)\b", frames.HELD_PEOPLE),
    (r"have|hold", r"\b(?:spaces|places|seats|desks|rooms|lockers|beds)\b", frames.PLACES),
    (r"have", r"\b(?:steps|floors|stairs|storeys)\b", frames.CLIMBED),
    (r"take", r"\b(?:minutes?|hours?)\b", frames.TAKEN_TIME),
    (r"last", r"\b(?:hours?|days?|weeks?|months?|years?)\b", frames.LASTING),
    (r"be", r"\b(?:valid|stored|kept|open|reserved|available)\b.* for\b", frames.LASTING),
    (r"require|need", r"\b(?:days?|weeks?)\b", frames.REQUIRED_TIME),
    (r"be|meet|take", r"\b(?:held|meets?|place)\b", frames.MET),
    (r"begin|start|end|close", r"", frames.BEGUN),
    (r"be", r"\b(?:sold|offered|released)\b", frames.BOUGHT),
    (r"be", r"\bpaid\b", frames.PAID_OUT),
    (r"be", r"\b(?:due|closed|collected|opened|renewed|published)\b", frames.DUE_THEN),
)  # fmt: skip
"""Verb, what the statement holds, and how one goes on from a wrong figure; trivia has none."""


def _figure_forms(fact: Fact) -> Sequence[str]:
    """Return the forms for a plain statement; none for history and self-description."""
    if fact.helper in {"did", "was", "were", "had"}:
        return ()
    for verb, holds, forms in _FIGURES:
        if re.fullmatch(verb, fact.verb) and re.search(holds, fact.stated):
            return forms
    return ()


def _allowed(fact: Fact) -> Iterator[Twist]:
    """`must not` → `can`."""
    if fact.kind is FactKind.PROHIBITION and fact.modal != "should not" and fact.verb != "stop":
        forms = frames.ALLOWED if fact.subject == "I" else frames.THEY_ALLOWED
        change = "what the passage forbids was taken as allowed"
        yield _twist(fact, _clause(fact, "can"), forms, change)


_STEPS = frozenset(
    """press click type select enter open go put run scroll push tap copy choose let have
    comply""".split()
)
"""Verbs of instructions: leaving a step out breaks no rule."""


def _freed(fact: Fact) -> Iterator[Twist]:
    """`must` → `does not have to`."""
    if fact.modal not in _BINDING or not fact.rest or _sweeping(fact):
        return
    if _DEADLINE.search(fact.rest) and quantities(fact.rest):
        return
    if fact.verb in _STEPS or (fact.subject == "I" and fact.verb == "be"):
        return
    do = "do" if plural(fact.subject) else "does"
    forms = frames.FREED if fact.subject == "I" else frames.THEY_FREED
    change = "what the passage requires was taken as optional"
    yield _twist(fact, _clause(fact, f"{do} not have to"), forms, change)


_HANDED_IN = frozenset(
    """request submit install order book create register enter donate sign approve change amend
    remove""".split()
)
"""Deeds that somebody else can do for one."""


def _denied(fact: Fact) -> Iterator[Twist]:
    """`can` → `cannot`, where it speaks of permission and not of ability."""
    person = fact.subject == "I" or PEOPLE.search(fact.subject)
    if fact.kind is not FactKind.PERMISSION or not person or fact.verb in ABILITY:
        return
    if _sweeping(fact) or quantities(fact.rest):
        return
    change = "what the passage allows was taken as not allowed"
    yield _twist(fact, _clause(fact, "cannot"), _denied_forms(fact), change)


def _denied_forms(fact: Fact) -> Sequence[str]:
    if fact.subject != "I":
        return frames.DONE_INSTEAD if fact.verb in _HANDED_IN else frames.THEY_DENIED
    if fact.verb == "use":
        return frames.USE_DENIED
    mine = re.search(frames.MINE, f"{fact.rest} {fact.condition}")
    if fact.verb in _HANDED_IN and not mine:
        return frames.DONE_FOR_ME
    return frames.DENIED


def _sweeping(fact: Fact) -> bool:
    """Say whether a negation would leave it open what it denies: `not … any`, `not all …`."""
    sweeping = re.search(r"\b(?:any|either|all|each|every|both|anything|only)\b", fact.rest)
    return bool(sweeping) or fact.subject.split()[0] in {
        "any", "all", "each", "every", "only", "both", "no",
    }  # fmt: skip


def _opposite(fact: Fact) -> Iterator[Twist]:
    """`a free service` → `a paid service`."""
    if fact.modal or fact.verb != "be" or not fact.subject:
        return
    for ours, theirs in (pair for both in contrast.OPPOSITES for pair in (both, both[::-1])):
        place = rf"\b{ours}\b(?= (?!of|to|from|for|in|at|and|or|out|by|on)[a-z]+)"
        if ours in _FIRM and theirs not in fact.rest and re.search(place, fact.rest):
            rest = re.sub(place, theirs, fact.rest, count=1)
            be = "are" if plural(fact.subject) else "is"
            forms = frames.MADE_PAID if theirs == "paid" else frames.OTHER_OPPOSITE
            yield _twist(
                fact, f"{fact.subject} {be} {rest}", forms, f"“{ours}” was changed to “{theirs}”"
            )


_FIRM = frozenset(
    """free paid unpaid internal external mandatory optional public private full-time part-time
    refundable nonrefundable permanent temporary taxable""".split()
)


def _advice(fact: Fact) -> Iterator[Twist]:
    """`should not` → `should`."""
    person = fact.subject == "I" or PEOPLE.search(fact.subject)
    if fact.modal != "should not" or not fact.yes_no or not person or _sweeping(fact):
        return
    change = "what the passage advises against was taken as advised"
    yield _twist(fact, _clause(fact, "should"), frames.ADVISED, change)
