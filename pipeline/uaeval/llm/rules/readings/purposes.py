"""Statements that say whom to turn to, by purpose: questions, access, reports, forms, joining."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.rules.choice import seed
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.sentences import plain
from uaeval.llm.rules.readings.headings import raw_sentences
from uaeval.llm.rules.readings.options import MASS, READ, Option, distinct, topic, with_article
from uaeval.types import Passage


@dataclass(frozen=True, slots=True)
class Purpose:
    """What people turn to somebody for, and how they ask whom to turn to."""

    says: re.Pattern[str]
    """Finds a statement of this purpose."""
    asks: tuple[tuple[str, str], ...]
    """Query, and the words that join it to what completes it."""
    tool: bool = False
    """Whether it only makes sense for something that one has an account for."""


def _says(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ABOUT = re.compile(
    r"\b(?:questions?|help|assistance|support|access|trouble|problems?|issues?|status)"
    r" (?:about|regarding|related to|concerning|with|to|of) (?P<topic>[^,.;()]{4,50}?)"
    r"(?=,|\.|;| please\b| ask\b| contact\b| email\b| reach\b| post\b| should\b| can\b| to\b| in\b|"
    r" at\b| write\b| on Slack| via\b|$)",
    re.IGNORECASE,
)
PURPOSES: dict[str, Purpose] = {
    "questions": Purpose(
        _says(
            r"\b(?:any |other |more |further |general |have |all |has )questions?\b|^questions?\b|"
            r"\bask (?:any |your )?questions?\b|\bif you have (?:any )?questions\b|"
            r"\bwith (?:any )?questions?\b|\b(?:for|need|get|with any|getting) (?:more |"
            r"further |some |"
            r"any |additional |first-line )?(?:help|assistance|support)\b|\bfor help\b|"
            r"\bhaving trouble\b|\brun into\b"
        ),
        (
            ("Who do I contact if I have questions?", "about"),
            ("Couldn't find it in the handbook, who can answer my questions?", "about"),
            ("I tried twice and it still doesn't work, who can I ask for help?", "with"),
            ("I'm stuck and my manager is out, who can help me?", "with"),
            ("This is my first week, where can I ask a question?", "about"),
            ("Where do I go for help?", "with"),
        ),
    ),
    "access": Purpose(
        _says(
            r"\b(?:request|need|get|getting|obtain|ask for|gain|want|can request) (?:an? |your "
            r"|either )?"
            r"(?:[\w-]+[ ,-]+){0,4}?(?:access|accounts?|licen[cs]es?)\b"
        ),
        (
            ("Who do I ask for access?", "to"),
            ("How do I request access?", "to"),
            ("Where do I ask to get access?", "to"),
            ("Who can give me access?", "to"),
        ),
        tool=True,
    ),
    "report": Purpose(
        _says(r"\b(?:report|reporting) (?:any |an? |all |the |your )?[a-z]+|\bnotify\b"),
        (("Where do I report a problem?", "with"),),
    ),
    "form": Purpose(
        _says(
            r"\b(?:email|send|submit|submitting|return|forward)(?:ing)? (?:it|them|the (?:\w+ )?"
            r"(?:form|application|agreement|request|paperwork|document)s?|(?:both )?completed \w+|"
            r"your (?:\w+ )?(?:form|application|request))\b"
        ),
        (
            ("Where do I send the completed form?", "for"),
            ("Who do I email the form to?", "for"),
            ("Where should I send my paperwork?", "for"),
        ),
    ),
    "join": Purpose(
        _says(r"\b(?:join|hop into|join us in|drop by|come chat in|chat in)\b"),
        (
            ("Which channel should I join?", "for"),
            ("What channel do I need to be in?", "for"),
        ),
    ),
    "request": Purpose(
        _says(
            r"\b(?:post|make|put|submit|send|emailing|send in) (?:in )?(?:a|your|the|all) "
            r"requests?\b|"
            r"\brequest [\w ]{3,40}? (?:in|by|from|at|through)\b"
        ),
        (
            ("Where do I send my request?", "for"),
            ("Who handles my request?", "for"),
        ),
    ),
    "status": Purpose(
        _says(r"\b(?:status|update|updates) (?:of|on|about)\b|\bcheck on\b|\bfollow up\b"),
        (("Who can tell me the status of my request?", "for"),),
    ),
}
_CONTACT = re.compile(
    r"(?<![#\w])#[a-z][\w-]*[\w]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bextension \d{3,5}\b"
)
_ACTS = re.compile(
    r"\b(?:ask|contact|email|e-mail|emailing|message|post|posting|reach|write|slack|request|"
    r"send|submit|"
    r"submitting|visit|join|ring|call|talk|inquire|ping|notify|report|let|go|use|get in touch|"
    r"touch|forward|"
    r"directed?|routed|come|drop|hop|sending|help|questions)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\bnot\b|n't\b", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:request|ask|submit|ticket|contact|fill|apply|post)\b", re.IGNORECASE)
_LOOSE = re.compile(
    r"\b(?:it|them|this|these|those|that|something|anything|whether|how|if|what|when|setting|us|we|"
    r"them|not|who|where|above|below|here|please|via)\b",
    re.IGNORECASE,
)


_SOME = re.compile(r"(?:many|some|most|several|other)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?:an?|the|my|your) (?:request|form|issue|question|process|team|project|problem)|get .*|"
    r"make .*|do .*|transferring .*",
    re.IGNORECASE,
)


DEEDS = frozenset({"access", "form", "request", "status", "report"})
"""Purposes with which one wants something done, and not just somebody to ask."""


def purpose_groups(
    passage: Passage, related: Sequence[Passage], wanted: Collection[str]
) -> Iterator[list[Option]]:
    """Yield groups of readings of one query; the first reading of each is from `passage`."""
    others = [stated for other in related for stated in _stated(other)]
    for name, topic_words, own in _stated(passage):
        if name not in wanted:
            continue
        matching = [
            (words, option)
            for other_name, words, option in others
            if other_name == name and not _near(words, topic_words)
        ]
        for base, joint in _ordered(name, passage):
            first = _asked(base, joint, own)
            group = [first, *(_asked(base, joint, option) for _, option in matching)]
            yield distinct([option for option in group if _fits(option)])[:4]


def _ordered(name: str, passage: Passage) -> list[tuple[str, str]]:
    asks = [ask for ask in PURPOSES[name].asks if ask[1]]
    start = seed(passage.title, passage.heading, name) % len(asks)
    return [*asks[start:], *asks[:start]]


def _asked(base: str, joint: str, option: Option) -> Option:
    question = f"{base.rstrip('?')} {joint} {option.value}?"
    return Option(base=base, question=question, value=option.value, answer=option.answer,
                  quote=option.quote, passage=option.passage, contact=option.contact)  # fmt: skip


def _fits(option: Option) -> bool:
    return not grammar.content(option.value) & grammar.content(option.base)


def _near(one: str, other: str) -> bool:
    """Say whether two topics share so much that they are one."""
    ours, others = grammar.content(one), grammar.content(other)
    return bool(ours & others)


@lru_cache(maxsize=READ)
def _stated(passage: Passage) -> list[tuple[str, str, Option]]:
    """Return purpose, topic and reading of every statement that names one contact."""
    found = []
    for raw in raw_sentences(passage.text):
        text = plain(raw)
        contacts = list(dict.fromkeys(_CONTACT.findall(text)))
        if len(contacts) > 2 or not _ACTS.search(text) or len(text.split()) > 40:
            continue
        for name, purpose in PURPOSES.items():
            match = purpose.says.search(text)
            subject = _topic(text, passage, tool=purpose.tool) if match else None
            answer = _answer(text, contacts, alone=purpose.tool)
            if match and subject and answer and (name not in _NEVER_NAMES or subject[0].islower()):
                option = Option(base="", question="", value=subject, answer=answer, quote=raw,
                                passage=passage.number, contact=bool(contacts))  # fmt: skip
                found.append((name, f"{subject} {passage.title}", option))
                break
    return found


_NEVER_NAMES = frozenset({"form", "request", "status"})
"""Purposes that are about a matter; nobody has a form for Chicago."""


def _answer(text: str, contacts: list[str], *, alone: bool) -> str | None:
    """Return the contact; without one the whole statement, where that can be an answer."""
    if contacts:
        return " or ".join(contacts) if f"{contacts[0]} or " in text else contacts[0]
    told = (
        alone
        and len(text.split()) <= 24
        and not _LOOSE.match(text)
        and not _SOME.match(text)
        and _ASKS.search(text)
        and not _NOT.search(text)
    )
    return text.rstrip(".") if told else None


def _topic(text: str, passage: Passage, *, tool: bool) -> str | None:
    """Name what a statement is about: its own words, else the document's title."""
    about = _ABOUT.search(text)
    stated = about["topic"].strip() if about else ""
    loose = _LOOSE.search(stated) or _VAGUE.fullmatch(stated) or re.search(r"[@#]", stated)
    if stated and not loose and len(stated.split()) <= 6 and not tool:
        return re.sub(r"\byour\b", "my", stated)
    subject = topic(passage)
    if subject is None or (tool and (not subject[0].isupper() or subject.lower() in MASS)):
        return None
    return subject if tool else with_article(subject)
