"""Statements that say whom to turn to for what, taken apart with their purpose kept whole."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.full_answers import without_asides

SOMEBODY = (
    r"(?P<a>(?<![#\w])#[a-z][\w-]*\w|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|"
    r"(?:your|the) (?:[A-Z][\w&]*(?:[ -][A-Z][\w&]*){0,3} |[a-z]+ )?(?:supervisor|manager|team|"
    r"office|coordinator|officer|desk|specialist|representative|lead|director|admins?|"
    r"administrators?)\b|(?:People Ops|IT Service Desk|GSA IT|HR)\b)"
)
BETWEEN = (
    r"(?: (?:in|at|to|out|via|with|a|an|the|your|our|message|email|questions?|help|question|on|"
    r"Slack|channel|slack|or|team|for|it|this|for help|DM|either)){0,5}?"
)
_NAMED = (
    rf"(?:{SOMEBODY}|"
    r"(?P<n>extension \d+|(?-i:[A-Z][\w&]+(?: [A-Z][\w&]+)+)))"
)
_TURN = (
    r"(?:(?:please|you can|you should|you may|you must|feel free to|just|then) )*"
    r"(?:ask|contact|ring|call|write|e-?mail|reach out|talk|speak|message|notify|post|"
    r"(?P<join>join)|send (?:an email|a message))"
)
_AFTER = re.compile(
    rf"^(?P<why>(?:If|When|Before|Once|For|Prior to|To) [^,]+), {_TURN}{BETWEEN} {_NAMED}"
    r"(?: (?:on|in|for|with|at|first|any|Slack|channel|the|help|assistance|advice|guidance|"
    r"support|questions?|link|\S+@\S+))*\.$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"^{_TURN}{BETWEEN} {_NAMED}(?: (?:on|in) Slack| channel)? "
    r"(?P<why>(?:if|when|before|once|about|regarding|for|of|to (?:get|be|request|have)|"
    r"with (?:any )?(?:questions?|issues|problems) (?:about|on|with|regarding)) .+)\.$",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"^Questions (?P<why>about .+?) are answered by (?P<n>(?:[Tt]he )?[A-Z]?\w+(?: \w+){0,3}?)"
    r"(?: (?:in|on|at) .+)?\.$|"
    r"^(?P<n2>The \w+(?: \w+){0,3}?) answers questions (?P<why2>about .+?)(?: (?:in|on|at) .+)?\.$"
)
_LOOSE = re.compile(
    r"\b(?:it|them|they|this|these|those|there|above|below|here|anything|how|us|we)\b|"
    r"\b(?:necessary|needed)$|\bothers\b|\bnot sure (?!(?:if|whether)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:for|with|if I (?:have|need|run into)|about) (?:any |more |further |additional |general )*"
    r"(?:help|questions?|assistance|support|issues?|trouble|problems?|information|concerns?|"
    r"next steps.*|recommendations|details)",
    re.IGNORECASE,
)
_LONGEST = 16
"""Words of a purpose that still pass for part of a question."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A statement that says for what one turns to somebody."""

    why: str
    """In the first person, as it ends a question: `if I need an assigned locker`."""
    answer: str
    joins: bool
    """Whether it is a channel to join, and nobody to ask."""


def turned_to(raw: str) -> Iterator[Turned]:
    """Yield for what a statement says to turn to whom, if it says both plainly."""
    text = re.sub(r"\byou aren't\b", "you are not", without_asides(raw))
    match = _ANSWERED.match(text)
    found = _answered(match) if match else _told(text)
    why = grammar.first_person(found.why) if found else None
    if found is None or why is None:
        return
    why = re.sub(r"^[Ff]or help (?=[a-z]+ing )", "about ", why)
    why = f"{why[0].lower()}{why[1:]}".replace("I am ", "I'm ")
    if _LOOSE.search(why) or _BARE.fullmatch(why) or len(why.split()) > _LONGEST:
        return
    yield replace(found, why=why)


def _answered(match: re.Match[str]) -> Turned:
    answer = match["n"] or f"the{match['n2'][3:]}"
    return Turned(why=match["why"] or match["why2"], answer=answer, joins=False)


def _told(text: str) -> Turned | None:
    match = _AFTER.match(text) or _FIRST.match(text)
    if match is None:
        return None
    answer = (match["a"] or match["n"]).strip(" .")
    return Turned(why=match["why"], answer=answer, joins=bool(match["join"]))
