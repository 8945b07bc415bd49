"""Sections under one heading in several documents: the same need, met differently in each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.rules import evidence, stance
from uaeval.llm.rules.choice import seed
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.sentences import plain
from uaeval.llm.rules.readings.headings import Section, answering_all, sections
from uaeval.llm.rules.readings.options import MASS, Option, distinct, normal, topic, with_article
from uaeval.types import Passage


@dataclass(frozen=True, slots=True)
class Need:
    """What a heading stands for, the question, and how an answer looks."""

    heading: re.Pattern[str]
    asks: tuple[tuple[str, str], ...]
    """Query, and the completed one with `{t}` (the thing), `{in}` or `{to}` (the place)."""
    answer: re.Pattern[str]
    tool: bool = False


def _need(heading: str, answer: str, *asks: tuple[str, str], tool: bool = False) -> Need:
    return Need(
        re.compile(rf"^(?:{heading})$", re.IGNORECASE),
        asks,
        re.compile(answer, re.IGNORECASE),
        tool,
    )


_STEP = (
    r"\b(?:you can|you will|you must|you need|request\w*|submit|email|ask|post|fill|complete|call|"
    r"contact|open|log|use|go to|book|reserve|schedule|visit|send|sign|select|click|must|need|"
    r"install|download|appointment|take place|available)\b"
)
NEEDS: tuple[Need, ...] = (
    _need(
        r"(?:car |visitor )?parking",
        r"\b(?:park\w*|garage|spaces?|street|lot)\b",
        ("What is parking like?", "What is parking like {in}?"),
        ("What are the parking options?", "What are the parking options {in}?"),
    ),
    _need(
        r"bike parking|bicycles?|bike storage",
        r"\b(?:bikes?|bicycles?|racks?|stands?|dock|basement)\b",
        ("Where is the bike parking?", "Where is the bike parking {in}?"),
        ("I come by bike, where do I leave it?", "I come by bike, where do I leave it {in}?"),
    ),
    _need(
        r"(?:public transit|getting (?:here|there)|by (?:train|bus)|directions)",
        r"\b(?:train|bus|metro|line|station|stop|subway|bart|tram|ferry|transit|rail\w*)(?:e?s)?\b",
        ("Which bus or train do I take?", "Which bus or train do I take {to}?"),
        ("How do I get there without a car?", "How do I get {to} without a car?"),
    ),
    _need(
        r"bathrooms?|restrooms?|toilets?",
        r"\b(?:floor|next|left|right|hall|room|every|each|toilets?|bathrooms?|core)\b",
        ("Where are the bathrooms?", "Where are the bathrooms {in}?"),
        ("Where is the nearest bathroom?", "Where is the nearest bathroom {in}?"),
    ),
    _need(
        r"lockers?",
        r"\blockers?\b",
        ("How do I get a locker?", "How do I get a locker {in}?"),
    ),
    _need(
        r"health (?:center|unit|clinic)|first aid",
        r"\b(?:floor|room|call|located|open|nurse|unit|center)\b",
        ("Where is the health center?", "Where is the health center {in}?"),
        (
            "I feel sick, where is the health center?",
            "I feel sick, where is the health center {in}?",
        ),
    ),
    _need(
        r"(?:office )?supplies",
        r"\b(?:closet|cabinet|drawers?|supply|supplies)\b",
        ("Where do I find office supplies?", "Where do I find office supplies {in}?"),
        ("Where are the supplies kept?", "Where are the supplies kept {in}?"),
    ),
    _need(
        r"how do people dress|dress code",
        r"\b(?:casual|dress|wear|jeans|formal|business)\b",
        ("How do people dress at the office?", "How do people dress at the office {in}?"),
        ("How should I dress on my first day?", "How should I dress on my first day {in}?"),
    ),
    _need(
        r"transit subsid(?:y|ies)",
        _STEP,
        ("How do I get the transit subsidy?", "How do I get the transit subsidy {in}?"),
    ),
    _need(
        r"batteries",
        r"\b(?:batter\w+|recycl\w+)\b",
        ("Where can I find batteries?", "Where can I find batteries {in}?"),
    ),
    _need(
        r"(?:food|food and coffee|lunch|caf(?:e|é)s?|eating)",
        r"\b(?:caf\w+|coffee|lunch|food|served|eat\w*|court|market)\b",
        ("Where can I get lunch?", "Where can I get lunch {in}?"),
        ("Can I buy something to eat?", "Can I buy something to eat {in}?"),
    ),
    _need(
        r"eligibility|who is eligible|who can (?:apply|use it)|eligible employees",
        r"\b(?:eligible|must|at least|need)\b",
        ("Am I eligible?", "Am I eligible for {t}?"),
        ("Who is eligible?", "Who is eligible for {t}?"),
        ("What do I need to be eligible?", "What do I need to be eligible for {t}?"),
    ),
    _need(
        r"off-?boarding",
        r"\b(?:leaves?|leaving|remove\w*|deactivat\w*|delete\w*|account|admin)\b",
        (
            "What happens to my account when I leave?",
            "What happens to my {t} account when I leave?",
        ),
        (
            "What do I do with my account before I leave?",
            "What do I do with my {t} account before I leave?",
        ),
        tool=True,
    ),
    _need(
        r"rules|usage rules",
        r"\b(?:must|should|do not|don't|never|always|only|cannot|can't)\b",
        ("What rules do I have to follow?", "What rules do I have to follow for {t}?"),
        tool=True,
    ),
    _need(
        r"set-?up|setting up|installation|install(?:ing)?|setup and licensing",
        _STEP,
        ("How do I get set up?", "How do I get set up with {t}?"),
        ("How do I set up my account?", "How do I set up my {t} account?"),
        tool=True,
    ),
    _need(
        r"log(?:ging)? ?in|sign(?:ing)? ?in|how to log in",
        r"\b(?:log|sign|password|username|credentials|go to)\b",
        ("How do I log in?", "How do I log in to {t}?"),
        ("How do I sign in?", "How do I sign in to {t}?"),
        tool=True,
    ),
    _need(
        r"(?:(?:how (?:do i|to) )?(?:get(?:ting)?|request(?:ing)?|obtain(?:ing)?|gain(?:ing)?) )?"
        r"(?:an? )?(?:access|licen[cs]es?|accounts?)(?: (?:to|for) .{3,30})?|how (?:do i|to) "
        r"access .{3,30}|"
        r"setup and licensing|permissions?",
        r"^(?!.*\bnot\b).*\b(?:request\w*|invit\w+|ask|email|post|submit|fill|apply|sign up|"
        r"contact)\b",
        ("How do I get access?", "How do I get access to {t}?"),
        ("How do I request an account?", "How do I request an account for {t}?"),
        tool=True,
    ),
    _need(
        r"cost|costs|pricing|fees?|prices?|how much does it cost",
        r"[$£€]\s?\d|\bfree\b|\bcosts?\b",
        ("How much do I have to pay?", "How much do I have to pay for {t}?"),
    ),
    _need(
        r"deadlines?|due dates?|when to apply",
        r"\b(?:by|within|before|days?|weeks?|until|deadline)\b",
        ("When is the deadline?", "When is the deadline for {t}?"),
    ),
    _need(
        r"apply(?:ing)?|how to apply|application(?: process)?|how do i apply",
        rf"{_STEP}|\bappl\w+\b",
        ("How do I apply?", "How do I apply for {t}?"),
    ),
    _need(
        r"(?:how to )?(?:book(?:ing)?|reserve|reservations?)(?: an? [\w ]+)?",
        r"\b(?:book\w*|reserv\w*)\b",
        ("How do I make a booking?", "How do I make a booking for {t}?"),
        ("How far ahead do I have to book?", "How far ahead do I have to book {t}?"),
    ),
    _need(
        r"cancel(?:l?ing|lations?)?",
        r"\b(?:cancel\w*|refund\w*)\b",
        ("How do I cancel?", "How do I cancel {t}?"),
    ),
)
_VERB_HEADING = re.compile(r"how (?:do|can|to)\b", re.IGNORECASE)
_ASKS_I = re.compile(r"^how (?:do|can|should) i (?P<what>.+)$", re.IGNORECASE)


def place_groups(passage: Passage, related: Sequence[Passage]) -> Iterator[list[Option]]:
    """Yield groups of readings of one query; the first reading of each is from `passage`."""
    shown = " ".join(one.text for one in (passage, *related))
    others = [
        section for other in related if other.title != passage.title for section in sections(other)
    ]
    for own in sections(passage):
        same = [own, *(other for other in others if _alike(own, other))]
        for ask in _asks(own) if len(same) > 1 else ():
            found = [_option(section, ask, shown) for section in same]
            if found[0] is not None:
                yield distinct([option for option in found if option is not None])[:4]


def place_options(passage: Passage) -> Iterator[Option]:
    """Yield one reading for each section that meets an everyday need of a place."""
    for section in sections(passage):
        need = _need_of(section)
        for ask in _asks(section)[:1] if need is None or not need.tool else ():
            option = _option(section, ask, passage.text)
            if option is not None:
                yield option


def _title(heading: str) -> str:
    return re.sub(r"[?:.…]+$", "", heading).strip()


@lru_cache(maxsize=8192)
def _need_of(section: Section) -> Need | None:
    title = _title(section.heading)
    return next((need for need in NEEDS if need.heading.match(title)), None)


def _alike(own: Section, other: Section) -> bool:
    need = _need_of(own)
    if need is not None:
        return _need_of(other) is need
    return _wants(own) == _wants(other) or _overlap(own.heading, other.heading)


def _overlap(one: str, other: str) -> bool:
    ours, others = grammar.content(one), grammar.content(other)
    return len(ours & others) >= 2 and len(ours & others) / len(ours | others) >= 0.6


def _wants(section: Section) -> str:
    return normal(_title(section.heading))


@dataclass(frozen=True, slots=True)
class _Ask:
    base: str
    completed: str
    answer: re.Pattern[str]
    tool: bool


def _asks(section: Section) -> list[_Ask]:
    need = _need_of(section)
    if need is not None:
        asks = [_Ask(base, completed, need.answer, need.tool) for base, completed in need.asks]
        start = seed(section.passage.title, section.heading) % len(asks)
        return [*asks[start:], *asks[:start]]
    wanted = _wanted(section)
    if wanted is None:
        return []
    named = "|".join(re.escape(word[:6]) for word in sorted(grammar.content(wanted)))
    answer = re.compile(rf"{_STEP}.*(?:{named})|(?:{named}).*{_STEP}", re.IGNORECASE)
    return [_Ask(wanted, f"{wanted.rstrip('?')} {{in}}?", answer, tool=False)]


def _wanted(section: Section) -> str | None:
    """Read a heading such as `Get a badge` under `How do I …` as a question."""
    title = _title(section.heading)
    asked = _ASKS_I.match(title)
    what = asked["what"] if asked else title
    if not asked and not (_VERB_HEADING.search(section.parent) and grammar.starts_with_verb(title)):
        return None
    if not 2 <= len(what.split()) <= 9 or re.search(r"\b(?:it|this|that|them|these)\b", what):
        return None
    return f"How do I {what[0].lower()}{what[1:]}?"


def _option(section: Section, ask: _Ask, shown: str) -> Option | None:
    subject = topic(section.passage)
    if subject is None or grammar.content(subject) & grammar.content(ask.base):
        return None
    if ask.tool and not _is_tool(subject):
        return None
    filled = {"{t}": subject if ask.tool else with_article(subject)}
    if "{t}" not in ask.completed:
        place = _place(section.passage.title.strip(), subject, shown)
        if place is None:
            return None
        filled = {"{in}": place, "{to}": f"to {place.partition(' ')[2]}"}
    question = ask.completed
    for slot, text in filled.items():
        question = question.replace(slot, text)
    quote = _quote(question, section, ask.answer.pattern)
    if quote is None:
        return None
    return Option(
        base=ask.base,
        question=question,
        value=subject,
        answer=_short(quote),
        quote=quote,
        passage=section.passage.number,
    )


_FIRST = 6
"""Sentences of a section among which its answer is looked for."""


def _quote(question: str, section: Section, looks: str) -> str | None:
    """Choose the sentence of a section that answers the question by itself."""
    found = answering_all(section.text, looks, _FIRST)
    return next((raw for raw in found if _says(question, raw, section.passage)), None)


def _says(question: str, raw: str, passage: Passage) -> bool:
    return evidence.answers(question, _short(raw), passage) is stance.Stance.SUPPORTS


def _is_tool(subject: str) -> bool:
    words = subject.split()
    named = all(word[0].isupper() for word in words)
    return len(words) <= 2 and named and subject.lower() not in MASS


_SOME_PLACE = (
    r"\b(?:in|from|to) (?:San Francisco|New York|Washington|London|Paris|Berlin|DC|D\.C\.)"
)
_IS_PLACE = re.compile(r"\b(?:San|New|Los|St|Saint|City|D\.C|Port|Fort)\b")


def _place(title: str, subject: str, shown: str) -> str | None:
    """Return `in Chicago` or `at Gannet Quay`, if the title names a place."""
    if not subject[:1].isupper():
        return None
    for name in (title, subject):
        counts = {
            word: len(re.findall(rf"\b{word} (?:the )?{re.escape(name)}", shown))
            for word in ("at", "in")
        }
        best = max(counts, key=lambda word: counts[word])
        if counts[best]:
            return f"{best} {name}"
    if _IS_PLACE.search(title):
        return f"in {title}"
    named = all(word[0].isupper() for word in subject.split()) and not grammar.lemmas(
        subject.lower()
    )
    return f"in {subject}" if named and re.search(_SOME_PLACE, shown) else None


def _short(quote: str) -> str:
    return plain(quote).rstrip(".")
