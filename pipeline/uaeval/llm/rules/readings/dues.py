"""Statements that say who approves or signs, how long it takes and how much one gets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.rules.choice import seed
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.sentences import plain
from uaeval.llm.rules.readings.headings import Section, raw_sentences, sections
from uaeval.llm.rules.readings.options import (
    READ,
    Option,
    distinct,
    in_sentence,
    topic,
    with_article,
)
from uaeval.types import Passage


@dataclass(frozen=True, slots=True)
class Due:
    """A kind of statement: how it reads, and what people ask when they forget what it is about."""

    reads: tuple[re.Pattern[str], ...]
    """With the group `a`, and `s` (a noun phrase) or `goal` (a verb phrase) where it has one."""
    asks: tuple[tuple[str, str, str], ...]
    """Query, the completed one with `{s}`, and the completed one with `{goal}` or nothing."""


def _due(reads: Sequence[str], *asks: tuple[str, str, str]) -> Due:
    return Due(tuple(re.compile(pattern) for pattern in reads), asks)


_N = r"(?:\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few)"
_UNIT = (
    r"(?:(?:business|working|calendar|pay) )?(?:minutes|hours?|days?|weeks?|months?|years?|"
    r"periods?)"
)
_SPAN = (
    r"(?:(?:about|around|approximately|at least|up to|roughly|only|between|as long as) "
    rf")?{_N}(?:\s?(?:-|–|to|and|or) {_N}|[-–]{_N})? {_UNIT}"
)
_S = r"(?P<s>(?:The|Your|All|Most|Any|An?|Each|[A-Z][\w'-]+)\b[\w' /-]{2,60}?)"
_BY = (
    r"(?P<a>(?:the |your |an? |their )?[A-Za-z][\w'&/ -]{1,70}?)(?= (?:before|being|in|via|on|"
    r"to|for|prior|and then|if|when|at|as)\b|[.,;(])"
)
_MUST = r"(?:must|should|has to|have to|needs? to|will need to)"
DUES: dict[str, Due] = {
    "approval": _due(
        (
            rf"^(?:To|In order to) (?P<goal>[a-z][^,]{{4,70}}), .*?\b(?:get|secure|receive|"
            rf"obtain|have|need) (?:[a-z]+ ){{0,2}}approval from {_BY}",
            r"\b(?:get|secure|receive|obtain|require|requires|need|needs|have) (?:[a-z]+ "
            rf"){{0,2}}approval from {_BY}",
            rf"^{_S} {_MUST} (?:also )?be (?:[a-z]+ and |[a-z]+ly |[a-z]+/)?approved by {_BY}",
            rf"^(?P<a>(?:The|Your) [\w' -]{{3,40}}?) (?:{_MUST}|will) (?:also )?approve "
            rf"(?P<s>(?:your|the|any|all) [\w' -]{{3,40}}?)(?= (?:before|in|via|on|prior)\b|"
            r"[.,;])",
        ),
        (
            "Whose approval do I need?",
            "Whose approval do I need for {s}?",
            "Whose approval do I need to {goal}?",
        ),
        (
            "Who do I need approval from?",
            "Who do I need approval from for {s}?",
            "Who do I need approval from to {goal}?",
        ),
        ("Who has to approve this?", "Who has to approve {s}?", ""),
    ),
    "signature": _due(
        (
            rf"^{_S} (?:{_MUST}|can only) be signed by {_BY}",
            rf"\bget (?P<s>(?:the|your|an?) [\w' -]{{3,40}}?) signed by {_BY}",
            rf"\b{_MUST} (?:get|have) (?P<s>(?:the|your|an?) [\w' -]{{3,40}}?) signed by {_BY}",
        ),
        ("Who has to sign this?", "Who has to sign {s}?", ""),
        ("Whose signature do I need?", "Whose signature do I need for {s}?", ""),
    ),
    "length": _due(
        (
            rf"^{_S} (?:can |may |usually |typically |normally |will |should |could |generally "
            rf"|often )*takes? (?P<a>{_SPAN})\b",
            r"\b(?:process|request|application|approval) (?:can |may |usually |typically |"
            rf"normally |will |should |could |generally |often )*takes? (?P<a>{_SPAN})\b",
        ),
        ("How long does it take?", "How long does {s} take?", ""),
        ("How long will it take?", "How long will {s} take?", ""),
        ("How long do I have to wait?", "How long do I have to wait for {s}?", ""),
    ),
}
_GETS = re.compile(
    r"\b(?:receive|get|use|take|request|entitled|granted|given|accrue|access|have)\b", re.IGNORECASE
)
_EXAMPLE = re.compile(
    r"\b(?:for example|e\.g|today|(?:19|20)\d\d|you have \d|would|forfeit|earn)", re.IGNORECASE
)
_CASE = re.compile(r"\b(?:when|if|for|to|as|because|during)\b")
"""Begins what an amount depends on; without it the amount would be told of every case."""
_OF = re.compile(
    rf"(?P<a>(?:(?:up to|a maximum of|at most|at least) )?{_N} (?P<unit>hours|days|weeks))(?: "
    r"\([^)]*\))? of "
    r"(?P<what>(?:(?!per\b|the\b|your\b)[A-Za-z-]+ ){1,3}?(?P<head>leave|training|time off|pay|"
    r"vacation|coverage))\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"^(?:this|that|these|it|the (?:process|whole process|form|request|document|rest|same)|"
    r"most \w+|some)\b|"
    r"\b(?:it|them|this|that|which|who|you|we|they|is|are|will|if|run|has|have|can|must|and)\b",
    re.IGNORECASE,
)


def due_groups(passage: Passage, related: Sequence[Passage]) -> Iterator[list[Option]]:
    """Yield groups of readings of one query; the first reading of each is from `passage`."""
    others = [found for other in related for found in _stated(other)]
    for name, own in _stated(passage):
        for mine in own:
            same = [
                option
                for other_name, theirs in others
                if other_name == name
                for option in theirs
                if option.base == mine.base
                and not grammar.content(option.value) & grammar.content(mine.value)
            ]
            yield distinct([mine, *same])[:3]


def due_options(passage: Passage) -> Iterator[Option]:
    """Yield the first reading of each statement that says how long something takes."""
    return (found[0] for name, found in _stated(passage) if name == "length" and found)


@lru_cache(maxsize=READ)
def _stated(passage: Passage) -> list[tuple[str, list[Option]]]:
    """Return each due with its readings, one for every way of asking."""
    found = []
    for section in sections(passage):
        for raw in raw_sentences(section.text):
            text = plain(raw)
            if len(text.split()) > 36 or _EXAMPLE.search(text):
                continue
            found += [
                (name, made)
                for name, due in DUES.items()
                if (made := _read(due, text, raw, section))
            ]
            amount = _OF.search(text)
            if (
                amount
                and _GETS.search(text[: amount.start()])
                and not _CASE.search(text[amount.end() :])
            ):
                found.append((f"of {amount['head'].lower()}", _amounts(amount, raw, passage)))
    return found


def _read(due: Due, text: str, raw: str, section: Section) -> list[Option]:
    match = next((found for pattern in due.reads if (found := pattern.search(text))), None)
    if match is None:
        return []
    goal = grammar.first_person((match.groupdict().get("goal") or "").strip())
    subject = _subject(match.groupdict().get("s"), section)
    options = []
    for base, with_subject, with_goal in due.asks:
        completed, value = (with_goal.replace("{goal}", goal), goal) if goal else ("", "")
        if not goal and subject:
            completed, value = with_subject.replace("{s}", subject), subject
        if completed and not grammar.content(value) & grammar.content(base):
            options.append(
                Option(
                    base=base,
                    question=completed,
                    value=_bare(value),
                    answer=match["a"].strip(),
                    quote=raw,
                    passage=section.passage.number,
                )
            )
    start = seed(section.passage.title, section.heading, text) % max(len(options), 1)
    return [*options[start:], *options[:start]]


def _subject(stated: str | None, section: Section) -> str | None:
    """Name what a statement is about: its subject, else the title unless it is a name."""
    if stated and not _LOOSE.search(stated):
        first, _, rest = stated.strip().partition(" ")
        lowered = (
            first.lower()
            if grammar.lemmas(first.lower()) or first in {"The", "Your", "A", "An"}
            else first
        )
        text = re.sub(r"\byour\b", "my", f"{lowered} {rest}".strip())
        return text if len(text.split()) > 1 else with_article(text)
    subject = topic(section.passage)
    return with_article(subject) if subject and subject[0].islower() else None


def _bare(value: str) -> str:
    return re.sub(r"^(?:the|a|an|my|all|any) ", "", value)


def _amounts(match: re.Match[str], raw: str, passage: Passage) -> list[Option]:
    head, what = match["head"].lower(), in_sentence(match["what"]).strip()
    value = what[: -len(head)].strip()
    if not value or value.lower() in {"the", "your", "paid", "my", "any", "more"}:
        return []
    unit = match["unit"].lower()
    asks = ((f"How many {unit} of {head} can I get?", f"How many {unit} of {what} can I get?"),
            (f"How much {head} can I take?", f"How much {what} can I take?"))  # fmt: skip
    return [
        Option(
            base=base,
            question=question,
            value=value,
            answer=match["a"],
            quote=raw,
            passage=passage.number,
        )
        for base, question in asks
    ]
