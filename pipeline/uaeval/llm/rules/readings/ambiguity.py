"""How many answers passages hold for one question, told from the statements that speak to it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.english.quantities import quantities
from uaeval.llm.rules.evidence import CONTACT
from uaeval.llm.rules.mining.sentences import plain, split
from uaeval.llm.rules.readings.headings import sections
from uaeval.types import Passage

_LEAST = 0.45
"""Share of the question's weighed words that a statement must hold, headings included."""
_BEHIND = 0.35
"""How far behind the best statement another may be."""
_FILLER = frozenset(
    """get need have do want like know tell give say please use make go come take find let see help
    question answer anything something there here much many long far often soon kind type thing way
    hi hello thank thanks sorry quick just still already again today tomorrow now currently exactly
    roughly actually possible able allow mean happen work put your you i we us my our them
    time amount one two three four five six seven eight nine ten""".split()
)


class Wanted(StrEnum):
    """What a question asks for."""

    MONEY = "money"
    NUMBER = "number"
    DURATION = "duration"
    MOMENT = "moment"
    SOMEBODY = "somebody"
    ANYTHING = "anything"


_WANTS = (
    (Wanted.DURATION, r"\bhow (?:long|far (?:in advance|ahead)|soon|often|early|late)\b|"
                      r"\bhow many (?:\w+ )?(?:hours|days|weeks|months|years|minutes)\b|until "
                      r"when"),
    (Wanted.MONEY, r"\bhow many (?:pence|cents|dollars|pounds|euros)\b|"
                   r"\bhow much\b(?! (?:leave|time|notice|training|vacation|space)\b)|\bcosts?\b|"
                   r"\bprices?\b|\bcharged?\b|\bfees?\b|\bpay for\b|\brate\b|"
                   r"\bwhat amount\b|\bdiscount\b|\bpence\b"),
    (Wanted.NUMBER, r"\bhow many\b|\bwhat number\b|\bhow (?:old|big|large|high|heavy|fast)\b"),
    (Wanted.MOMENT, r"\bwhen\b|\bwhat time\b|\bwhat day\b|\bwhich days?\b|\bwhat hours\b|"
                    r"\bdeadline\b"),
    (Wanted.SOMEBODY, r"\bwho(?:m|'s|se)?\b|\bwhich (?:extension|email|channel|number)\b|"
                      r"\bwhere (?:can|do|should) i (?:ask|post|write|get help|go for help)\b"),
)  # fmt: skip
_TURNING = frozenset(
    """ask contact email mail reach call ring talk write message help stuck question answer channel
    trouble problem issue""".split()
)
"""Words for turning to somebody: an address answers them without saying so."""
_TIME = frozenset("second minute hour day week month year".split())
_NAME = re.compile(
    r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z'-]+)+|[\w.+-]+@[\w.-]+|#[\w-]+|\bextension \d+|"
    r"\b(?:supervisor|manager|officer|coordinator|team|office|director|desk|secretary|admins?)\b"
)


Unit: TypeAlias = tuple[str, tuple[int, str], frozenset[str], frozenset[str]]
"""A statement, its passage and heading, its stems, and those of the headings above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """A statement that speaks to the question, with how well it does."""

    text: str
    place: tuple[int, str]
    """Passage and heading."""
    score: float
    own: float
    """The same without the headings."""
    figures: frozenset[tuple[float, str]]
    """The amounts that the question asks for; empty when it asks for none."""
    held: frozenset[str]
    """Its words and those of the headings above it."""
    rest: frozenset[str]
    """Its words that are not in the question."""


def wanted(question: str) -> Wanted:
    """Say what a question asks for."""
    text = question.lower()
    return next((kind for kind, pattern in _WANTS if re.search(pattern, text)), Wanted.ANYTHING)


def asked_words(question: str) -> dict[str, float]:
    """Return the stems that a statement must hold to speak to the question, with their weight.

    What is told before the question itself (`I only have notes on me. What …`) weighs less.
    """
    text = re.sub(r"(?<=\w)'s\b", "", question.replace("’", "'"))
    asking = _ASKING.search(text)
    start = asking.start() if asking else 0
    told = dict.fromkeys(meanings(text[:start]) - _FILLER, _TOLD)
    words = told | dict.fromkeys(meanings(text[start:]) - _FILLER, 1.0)
    named = _WH_NOUN.search(text)
    for word in meanings(named["noun"]) & words.keys() if named else ():
        words[word] = _STRESSED
    found = {word: weight for word, weight in words.items() if not word[0].isdigit()}
    return found or dict.fromkeys(meanings(text[start:]), 1.0)


_TOLD = 0.3
_STRESSED = 2.0
_WH_NOUN = re.compile(r"\b(?:which|what|whose|how many) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_UNKNOWN = 0.3
"""Weight of a word that no statement has, as a share of the usual weight."""
_ASKING = re.compile(
    r"\b(?:(?:for |from |up to |until |to |in |on |at )?(?:how|what|which|who|whose|whom|when|"
    r"where)|"
    r"(?<=[.,;–-] )(?:can|do|does|is|are|may|must|should|will))\b",
    re.IGNORECASE,
)


def speaking(question: str, passages: Sequence[Passage]) -> list[Speaking]:
    """Return the best statement of each section that speaks to the question, best first."""
    words, kind = asked_words(question), wanted(question)
    units = [unit for passage in passages for unit in _units(passage)]
    if kind is Wanted.SOMEBODY:
        units = [_turned(unit, _TURNING & words.keys()) for unit in units]
    weighed = weights(words, [stems | context for _, _, stems, context in units])
    best: dict[tuple[int, str], Speaking] = {}
    for unit in units:
        found = _spoken(unit, weighed, kind)
        known = best.get(found.place) if found else None
        if found and found.own and (known is None or _rank(found) > _rank(known)):
            best[found.place] = found
    named = _names(question) & {word for _, _, stems, context in units for word in stems | context}
    ranked = sorted(best.values(), key=lambda one: (-one.score, -one.own, one.place))
    ranked = [one for one in ranked if named <= one.held]
    least = max(_LEAST, ranked[0].score - _BEHIND) if ranked else _LEAST
    return [one for one in ranked if one.score >= least]


def _turned(unit: Unit, words: frozenset[str]) -> Unit:
    """Let a statement with an address hold the words for turning to somebody."""
    text, place, stems, context = unit
    return (text, place, stems | words, context) if CONTACT.search(text) else unit


def _spoken(unit: Unit, weighed: dict[str, float], kind: Wanted) -> Speaking | None:
    text, place, stems, context = unit
    amounts = figures(text, kind)
    total = math.fsum(weighed.values())
    if amounts is None or not total:
        return None
    return Speaking(
        text=text,
        place=place,
        score=share(weighed, stems | context) / total,
        own=share(weighed, stems) / total,
        figures=amounts,
        held=stems | context,
        rest=stems - weighed.keys(),
    )


def share(weighed: dict[str, float], stems: frozenset[str]) -> float:
    """Sum the weights of the words that are among the stems; the same in whatever order."""
    return math.fsum(weight for word, weight in weighed.items() if word in stems)


_CALENDAR = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?$|(?:Jan|Febr)uary$|March$|April$|May$|June$|July$|"
    r"August$|(?:Septem|Octo|Novem|Decem)ber$|Christmas$|Easter$"
)


def _names(question: str) -> frozenset[str]:
    """Return the stems of the names in a question: what is meant is singled out by them."""
    found = re.findall(r"(?<=[a-z,;] )[A-Z][\w-]+", question)
    return meanings(" ".join(name for name in found if not _CALENDAR.match(name)))


def _rank(one: Speaking) -> tuple[float, float]:
    return one.score, one.own


def groups(found: Sequence[Speaking]) -> list[list[Speaking]]:
    """Put statements with one answer together."""
    together: list[list[Speaking]] = []
    for one in found:
        for group in together:
            if same_answer(one, group[0]):
                group.append(one)
                break
        else:
            together.append([one])
    return together


def same_answer(one: Speaking, other: Speaking) -> bool:
    """Say whether two statements give the same answer."""
    if one.figures or other.figures:
        return bool(one.figures & other.figures)
    if bool(_NOT.search(one.text)) != bool(_NOT.search(other.text)):
        return False
    contacts = [set(CONTACT.findall(each.text)) for each in (one, other)]
    if all(contacts):
        return bool(contacts[0] & contacts[1])
    return min(len(one.rest - other.rest), len(other.rest - one.rest)) < _TELLING


_NOT = re.compile(r"\b(?:not|no|never|cannot|nothing|nobody)\b|n't\b", re.IGNORECASE)
_TELLING = 2
"""Words that only one of two statements has, to make them two answers."""


def _units(passage: Passage) -> list[Unit]:
    found = []
    for section in sections(passage):
        context = meanings(f"{passage.title} {section.parent} {section.heading}")
        place = (passage.number, section.heading)
        for line in section.text.splitlines():
            bare = re.sub(r"^\s*(?:[-*+•>|]|\d+[.)])\s+", "", line)
            pieces = split(bare) or ([bare] if len(bare.split()) > 1 else [])
            found += [(text, place, meanings(text), context) for text in map(plain, pieces)]
    return found


def weights(words: dict[str, float], units: Sequence[frozenset[str]]) -> dict[str, float]:
    """Weigh each word by how rare it is among the statements; one in none of them weighs little."""
    counts = {word: sum(word in unit for unit in units) for word in words}
    found = {
        word: words[word] * math.log(1 + len(units) / (0.5 + count))
        for word, count in counts.items()
        if count
    }
    usual = math.fsum(found.values()) / len(found) if found else 0.0
    return {word: found.get(word, _UNKNOWN * usual * words[word]) for word in words}


def figures(text: str, kind: Wanted) -> frozenset[tuple[float, str]] | None:
    """Return the amounts of the wanted kind; `None` if a statement lacks what is asked for."""
    if kind is Wanted.ANYTHING:
        return frozenset()
    if kind is Wanted.SOMEBODY:
        return frozenset() if _NAME.search(text) else None
    found = {(one.value, one.unit) for one in quantities(text) if _fits(one.unit, kind)}
    if kind is Wanted.MONEY:
        found = {
            (float(amount.replace(",", "")), "money") for amount in _MONEY.findall(text)
        } or found
        found = found or ({(0.0, "money")} if re.search(r"\bfree\b", text) else set())
    if kind is Wanted.DURATION and not re.search(r"\buntil\b", text):
        found = {one for one in found if one[1] in _TIME or one[1] == "named rhythm"}
    return frozenset(found) or None


_MONEY = re.compile(r"[$£€]\s?(\d[\d,]*(?:\.\d+)?)")


def _fits(unit: str, kind: Wanted) -> bool:
    if kind is Wanted.MONEY:
        return unit in {"money", "percent", "penny", "pence", "pound", "dollar", "euro"}
    if kind in (Wanted.DURATION, Wanted.MOMENT):
        return unit in _TIME | {"clock"} or unit.startswith("named")
    return True


# --- words that mean the same --------------------------------------------------------------------

_ALIKE = (
    "ask request", "buy purchase", "cost price charge fee", "stop end finish close", "start begin",
    "phone telephone ring call", "need require", "borrow lend loan", "hire rent", "book reserve",
    "allow permit", "get receive", "staff employee", "toilet bathroom restroom", "send mail post",
    "manager supervisor boss", "kid child", "car vehicle", "cycle bicycle bike", "fix repair",
    "arrive come", "photo picture image", "job post position", "sick ill illness",
    "holiday vacation", "email mail", "refund reimburse repay", "run manage lead", "class course",
)  # fmt: skip
_ONE = {word: words.split()[0] for words in _ALIKE for word in words.split()}


def meanings(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning, one for all that mean the same."""
    return frozenset(_ONE.get(stem, stem) for stem in grammar.content(text))
