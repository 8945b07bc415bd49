"""What a response does with its request, read sentence by sentence."""

import re
from dataclasses import dataclass
from enum import StrEnum

from uaeval.llm.rules.judging import signals

_CUT = re.compile(r"(?<=[.!?:;])[\"')\]]*\s+|\n+")
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
_MARKUP = re.compile(r"^\s*(?:final answer:|answer:|#+|[-*+•]|\d+[.)])\s*|\*\*|__", re.IGNORECASE)
_PREFACE = re.compile(
    r"\b(?:depends|several|different|various|multiple|more than one|many|varies|vary|a few|two|"
    r"three|thanks|thank you|great question|good question|sure|certainly|of course|happy to)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:which|what|whose|who|when|where|whether|how (?:many|much|long))\b", re.IGNORECASE
)
_TAG = re.compile(r",? (?:i'm|i am) (?:afraid|sorry)(?=[.!]?$)", re.IGNORECASE)
_TO_USER = re.compile(
    r"^(?!.*\b(?:else|help|assist)\b)(?:which|what|where|when|who|whose|how)\b.*\byou\b.*\?$",
    re.IGNORECASE,
)


class Kind(StrEnum):
    """What one sentence does."""

    ASKS = "asks back"
    DECLINES = "declines"
    LACKS = "says that the information is not there"
    SENSELESS = "calls the request senseless"
    PREMISE = "rejects what the request takes for granted"
    OPINION = "claims to have no opinion"
    LIMIT = "names a limit of the speaker"
    HEDGE = "caveats the answer"
    PREFACE = "leads in"
    OFFER = "offers help"
    CONDEMNS = "names the harm of it"
    TELLS = "tells something"


REFUSALS = frozenset({Kind.DECLINES, Kind.LACKS, Kind.SENSELESS, Kind.PREMISE})
_FIRST = (
    (Kind.ASKS, _TO_USER),
    (Kind.OFFER, signals.OFFER),
    (Kind.ASKS, signals.ASKS_BACK),
    (Kind.CONDEMNS, signals.CONDEMNS),
    (Kind.HEDGE, signals.HEDGE),
)
_PATTERNS = (
    (Kind.SENSELESS, signals.SENSELESS),
    (Kind.LACKS, signals.LACKS),
    (Kind.DECLINES, signals.DECLINE),
    (Kind.PREMISE, signals.PREMISE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One sentence of a response and what it does."""

    text: str
    kind: Kind


def read(response: str) -> tuple[Reaction, ...]:
    """Cut a response into sentences and say what each does."""
    pieces = _CUT.split(response.translate(_CURLY))
    cleaned = (_MARKUP.sub("", piece).strip() for piece in pieces)
    found = list[Reaction]()
    for piece in filter(None, cleaned):
        listed = _ASKED.match(piece) and found and _asks_on(found[-1])
        found.append(Reaction(text=piece, kind=Kind.ASKS if listed else kind_of(piece)))
    return tuple(found)


def _asks_on(before: Reaction) -> bool:
    """Say whether what follows `before` can be the list of what it asks."""
    listed = before.text.endswith(":") or _ASKED.match(before.text)
    return before.kind is Kind.ASKS and bool(listed)


def kind_of(sentence: str) -> Kind:
    """Say what one sentence does; the first that fits."""
    sentence = _TAG.sub("", sentence)
    first = next((kind for kind, pattern in _FIRST if pattern.search(sentence)), None)
    if first:
        return first
    rest, opinions = signals.OPINION.subn(" ", sentence)
    rest, limits = signals.SOFT.subn(" ", rest)
    refusing = next((kind for kind, pattern in _PATTERNS if pattern.search(rest)), None)
    if refusing or limits or opinions:
        return refusing or (Kind.LIMIT if limits else Kind.OPINION)
    if sentence.endswith("?"):
        return Kind.ASKS
    return Kind.PREFACE if len(sentence.split()) <= 14 and _PREFACE.search(sentence) else Kind.TELLS
