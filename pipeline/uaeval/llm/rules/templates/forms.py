"""Sentence forms with a slot for a thing, and which things each form can be about."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.english.grammar import content
from uaeval.llm.rules.mining.patterns import Fact
from uaeval.llm.rules.mining.twins import twin_facts
from uaeval.llm.rules.templates.things import Kind, Thing, things
from uaeval.types import Passage

Forms = Mapping[str, tuple[str, ...]]
"""Templates by what they fit: `:document` is a kind, `form|report` are heads, `*` is anything.

Slots: `{x}` the thing, `{a}` the thing with its indefinite article, `{xs}` in the plural, `{is}`,
`{was}`, `{does}`, `{has}`, `{it}`, `{this}` in its number, `{the}` (`my` for what is one's
own), `{my}` likewise, for whatever one asks about as one's own, `{boss}` the person in charge,
`{y}` another thing of the passage.
"""

_BOSSES = ("supervisor", "contracting officer", "approver", "manager", "director", "team lead")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A sentence about a thing of the passage, beside a fact of the same passage."""

    text: str
    thing: Thing
    fact: Fact


def matches(passage: Passage, forms: Forms, *salt: str) -> tuple[Match, ...]:
    """Return every form that fits a thing of the passage, beside a fact that asks of that thing.

    The order is fixed by the passage's text.
    """
    stated = twin_facts(passage)
    named = things(passage)
    found: list[Match] = []
    for thing in named:
        fact = _fact_about(thing, stated, *salt)
        if fact is None:
            continue
        fitting = [form for fits, group in forms.items() if _fits(thing, fits) for form in group]
        boss = _boss(known for known in named if known.head != thing.head)
        other = next((known for known in named if _differ(known, thing, boss)), None)
        found += (
            Match(
                text=fill(form, thing, boss, other),
                thing=thing,
                fact=fact,
            )
            for form in fitting
            if _speakable(form, thing) and (other or "{y}" not in form)
        )
    return tuple(shuffled(found, passage.text, *salt))


def _boss(named: Iterable[Thing]) -> str:
    heads = [thing.head for thing in named]
    return next((boss for boss in _BOSSES if boss in heads), "manager")


def _differ(one: Thing, other: Thing, boss: str) -> bool:
    return one.head != boss and not content(one.text) & content(other.text)


def _fits(thing: Thing, fits: str) -> bool:
    options = fits.split("|")
    return fits == "*" or f":{thing.kind.value}" in options or thing.head in options


def _speakable(form: str, thing: Thing) -> bool:
    """Say whether the thing's number suits the form."""
    if "{one}" in form:
        return not thing.plural and not is_mass(thing)
    if "{many}" in form:
        return thing.plural
    return not ("{mass}" in form and not is_mass(thing))


def _fact_about(thing: Thing, stated: Sequence[Fact], *salt: str) -> Fact | None:
    """Return a fact whose question names the thing as it is called, yes-or-no ones last.

    Another `salt` may choose another one, so that one fact does not serve every category.
    """
    said = re.compile(
        rf"(?<!\bI )(?<!\bto )(?<!-)\b{re.escape(thing.text)}(?:s|es)?\b",
        0 if thing.kind is Kind.PLACE and thing.text != thing.head else re.IGNORECASE,
    )
    asked = shuffled([fact for fact in stated if said.search(fact.question)], thing.text, *salt)
    return min(asked, key=lambda fact: fact.yes_no, default=None)


def fill(form: str, thing: Thing, boss: str, other: Thing | None = None) -> str:
    """Put a thing into a form, with the verbs and pronouns in its number."""
    many = thing.plural
    values = {
        "x": thing.text,
        "one": thing.text,
        "many": thing.text,
        "mass": thing.text,
        "a": indefinite(thing),
        "is": "are" if many else "is",
        "was": "were" if many else "was",
        "does": "do" if many else "does",
        "has": "have" if many else "has",
        "it": "them" if many else "it",
        "they": "they" if many else "it",
        "this": "these" if many else "this",
        "xs": _plural(thing),
        "the": "my" if thing.head in _OWN else "the",
        "my": "my" if _is_owned(thing) else "the",
        "boss": boss,
        "y": other.text if other else "",
    }
    text = form.format_map(values)
    return text[0].upper() + text[1:] if re.match(r"\{(?!x\}|my\})", form) else text


def _is_owned(thing: Thing) -> bool:
    """Say whether people call it theirs: leave, pay, a request, a laptop."""
    private = thing.kind in {Kind.ABSENCE, Kind.MONEY, Kind.SECRET, Kind.QUEUE}
    return thing.head in _OWN or (private and thing.head not in _SHARED)


def _plural(thing: Thing) -> str:
    if thing.plural or is_mass(thing):
        return thing.text
    return re.sub(r"(?<=[^aeiou])y$", "ie", thing.text) + "s"


def is_mass(thing: Thing) -> bool:
    """Say whether the thing is spoken of without an article."""
    return not thing.plural and thing.head in _MASS


def indefinite(thing: Thing) -> str:
    """Return the thing as something not named before: `a form`, `an invoice`, `overtime`."""
    if thing.plural or is_mass(thing):
        return thing.text
    return f"{_article(thing.text)} {thing.text}"


def _article(phrase: str) -> str:
    first = phrase.split()[0]
    if first.isupper() and len(first) > 1 and first not in {"PIN", "PIV", "VISA", "FOIA"}:
        return "an" if first[0] in "AEFHILMNORSX" else "a"
    if first.lower().startswith(("uni", "use", "one", "eu", "user")):
        return "a"
    return "an" if first[0].lower() in "aeiou" or first.lower().startswith("hour") else "a"


_OWN = frozenset(
    "account|profile|calendar|inbox|supervisor|manager|team lead|account manager|mentor|coach|"
    "buddy|"
    "performance plan|timesheet|timecard|resume|badge|PIV card|PIV|laptop|phone|salary|travel card|"
    "membership|application|voucher|absence request|receipt|reservation|booking".split("|")
)
"""Things of which everyone has their own."""
_SHARED = frozenset(
    "fee|fine|grant|budget|discount|opening|vacancy|job posting|announcement|outage|waitlist|queue|"
    "waiting list|incident|notification|update|alert|help desk|status".split("|")
)
"""Money and messages that belong to nobody."""
_MASS = frozenset(
    "sick leave|annual leave|parental leave|paid parental leave|family leave|time off|comp time|"
    "compensatory time|overtime|telework|administrative leave|bereavement leave|medical leave|"
    "home working|remote work|advanced sick leave|leave|vacation|lodging|mileage|cash|rent|pay|"
    "compensation|eligibility|software|equipment|personal information|health information|PII|"
    "overtime pay|training|approval|permission|clearance|lodging|credit|travel expense".split("|")
) - {"travel expense", "training"}
