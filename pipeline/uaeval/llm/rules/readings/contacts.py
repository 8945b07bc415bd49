"""Statements that say whom to ask, email or tell, and what one forgets to say: about what."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from uaeval.llm.rules import evidence
from uaeval.llm.rules.choice import seed, shuffled
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.full_answers import REACHED
from uaeval.llm.rules.mining.sentences import plain
from uaeval.llm.rules.readings.contact_asks import ACTS, ALIKE, JOIN
from uaeval.llm.rules.readings.headings import Section, raw_sentences, sections
from uaeval.llm.rules.readings.options import (
    MASS,
    READ,
    Option,
    distinct,
    doing,
    noun_phrase,
    topic,
    with_article,
)
from uaeval.llm.rules.readings.turned_to import BETWEEN, SOMEBODY, Turned, turned_to
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage

_NO_MORE = r"(?! (?:who|what|which|whether|how|to|who's|know if)\b)"
"""What is asked must not be told: then it is about that, and not about the heading."""
_READS = {
    act: re.compile(rf"\b(?:{act})\b{BETWEEN} {SOMEBODY}{_NO_MORE}", re.IGNORECASE) for act in ACTS
}
_ABOUT = re.compile(
    r"\b(?:questions|help|assistance|support|trouble|problems|issues|concerns|information)"
    r" (?:about|regarding|related to|concerning|with|on) "
    r"(?P<t>(?:(?:the|your|a|an) )?[\w'-]+(?: [\w'-]+){0,3}?)"
    r"(?=,|\.|;| please\b| (?:or|ask|contact|email|reach|post|should|can|in|at|via)\b|$)",
    re.IGNORECASE,
)
_NO_TOPIC = re.compile(
    r"\b(?:it|them|this|these|those|that|something|anything|how|if|what|when|whether|using|"
    r"us|we|you|who|where|above|below|here|any|these|process|questions?|help|support|contact\w*|"
    r"more|info\w*|slack|email|request\w*|steps?|instructions?|next|after|before|notes?|tips|"
    r"details|roles?|example|tool|tools|channels?|issues?|problems?|part|phase|getting|other|"
    r"your|reporting|asking|posting|option|options|exceptions?|requirements?|background|contents|"
    r"responsibilit\w+|activities|feedback|team|teams|about|us|summary|faqs?|things?|stuff)\b",
    re.IGNORECASE,
)
_SIGNS = (
    (re.compile(r"\bchannel\b|^Where\b(?!.*\bsend\b)"), "#"),
    (re.compile(r"\be?mail\b|\baddress\b"), "@"),
)
"""What an answer holds where the query asks for a channel or an address."""
_NEGATED = re.compile(r"\b(?:not|never)\b|n't\b", re.IGNORECASE)


def contact_groups(passage: Passage, related: Sequence[Passage]) -> Iterator[list[Option]]:
    """Yield groups of readings of one query; the first reading of each is from `passage`."""
    others = [option for other in related for option in (*_told(other), *_stated(other))]
    for mine in (*_told(passage), *_stated(passage)):
        same = [
            option
            for option in others
            if option.base == mine.base
            and not grammar.content(option.value) & grammar.content(mine.value)
        ]
        yield distinct([mine, *same])[:4]


def contact_options(passage: Passage) -> Iterator[Option]:
    """Yield the readings that are told in one breath, without a story before the question."""
    return (option for option in _stated(passage) if ", " not in option.base)


def told_options(passage: Passage) -> Iterator[Option]:
    """Yield one reading for each statement that gives its purpose, without a story before it."""
    plainly = [option for option in _told(passage) if ", " not in option.base]
    yield from {option.quote: option for option in reversed(plainly)}.values()


@lru_cache(maxsize=READ)
def _stated(passage: Passage) -> list[Option]:
    """Return one reading for every statement that names somebody and every way of asking."""
    found: list[Option] = []
    for section in sections(passage):
        for raw in raw_sentences(section.text):
            text = plain(raw)
            if len(text.split()) <= 32 and not _NEGATED.search(text):
                found += _read(text, raw, section)
    return found


_VAGUE_END = re.compile(
    r" (?:(?:about|on|with) this|for help|with a question|if I have (?:a )?questions?)\?$|\?$"
)
"""What a query says in place of its purpose."""


@lru_cache(maxsize=READ)
def _told(passage: Passage) -> list[Option]:
    """Return one reading for every statement that gives its purpose and every way of asking."""
    found: list[Option] = []
    for raw in raw_sentences(passage.text):
        for turned in turned_to(raw):
            acts = [JOIN] if turned.joins else sorted(ALIKE)
            asks = [ask for act in acts for ask, _ in ACTS[act] if _takes(ask, turned.why)]
            found += [
                option
                for base in shuffled(asks, passage.title, raw)
                if (option := _with_purpose(base, turned, raw, passage))
            ]
    return found


def _takes(base: str, why: str) -> bool:
    """Say whether a purpose can stand at the end of a query."""
    return "this, " not in base and not ("question" in base and why.startswith("for "))


def _with_purpose(base: str, turned: Turned, raw: str, passage: Passage) -> Option | None:
    option = Option(
        base=base,
        question=_VAGUE_END.sub(f" {turned.why}?", base, count=1),
        value=re.sub(r"^(?:about|for|of|regarding) ", "", turned.why),
        answer=turned.answer,
        quote=raw,
        passage=passage.number,
        contact=True,
    )
    return option if _fits(option, passage) else None


def _read(text: str, raw: str, section: Section) -> Iterator[Option]:
    if len(set(evidence.CONTACT.findall(text))) > 1 and not re.search(r"\bor\b", text):
        return
    found = {act: match for act, reads in _READS.items() if (match := reads.search(text))}
    about = _topic(text, section) if found else None
    if about is None:
        return
    turned = [match for act, match in found.items() if act in ALIKE]
    for act in ACTS:
        match = found.get(act) or (turned[0] if turned and act in ALIKE else None)
        if match:
            yield from _options(act, about, _whole_answer(text, match["a"]), raw, section.passage)


def _whole_answer(text: str, contact: str) -> str:
    """Return every address or channel that a statement leaves the choice of."""
    listed = list(dict.fromkeys(match[0].rstrip(".") for match in REACHED.finditer(text)))
    return " or ".join(listed) if contact in listed and " or " in text else contact.strip(" .")


def _options(act: str, about: str, answer: str, raw: str, passage: Passage) -> Iterator[Option]:
    asks = ACTS[act]
    start = seed(passage.title, raw) % len(asks)
    value = re.sub(r"^(?:the|a|an|my) ", "", about)
    for base, completed in (*asks[start:], *asks[:start]):
        option = Option(
            base=base,
            question=completed.replace("{t}", about),
            value=value,
            answer=answer,
            quote=raw,
            passage=passage.number,
            contact=True,
        )
        if _fits(option, passage):
            yield option


_SENT = re.compile(r"\b(?:form|request)\b")
"""What a query wants to send; the statement has to speak of it."""


def _fits(option: Option, passage: Passage) -> bool:
    wanted = next((sign for looks, sign in _SIGNS if looks.search(option.base)), "")
    if wanted not in option.answer:
        return False
    sent = _SENT.search(option.base)
    if sent and not re.search(rf"\b{sent[0]}", option.quote, re.IGNORECASE):
        return False
    said = grammar.content(option.base) | grammar.content(option.answer)
    if grammar.content(option.value) & said:
        return False
    return evidence.answers(option.question, option.answer, passage) is Stance.SUPPORTS


_NARROW = 3
"""Words by which a heading says less than its document's title: it is about a part of it."""


def _topic(text: str, section: Section) -> str | None:
    """Name what a statement is about: its own words, its heading, or its document's title."""
    about = _ABOUT.search(text)
    stated = re.sub(r"\byour\b", "my", about["t"]) if about else ""
    if stated and not _NO_TOPIC.search(stated) and grammar.is_noun(stated.split()[-1].lower()):
        return stated
    bare = re.sub(r"[?:.…]+$", "", section.heading).strip()
    heading = noun_phrase(bare) or doing(bare)
    narrowed = grammar.content(section.heading) - grammar.content(section.passage.title)
    covers = len(narrowed) < _NARROW or _NO_TOPIC.search(section.heading)
    title = (topic(section.passage) or doing(section.passage.title)) if covers else None
    if title and title[0].isupper() and not grammar.lemmas(title.split()[0].lower()):
        heading = None
    for subject in (heading, title):
        if subject and not _NO_TOPIC.search(subject) and _noun(subject):
            return subject if doing(subject) else with_article(subject)
    return None


def _noun(subject: str) -> bool:
    last = subject.split()[-1].lower()
    if doing(subject):
        return True
    return last in MASS or grammar.is_noun(last) or subject[0].isupper()
