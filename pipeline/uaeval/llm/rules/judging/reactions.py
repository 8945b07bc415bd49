"""What a response does with its request, read sentence by sentence."""

import re
from dataclasses import dataclass
from enum import StrEnum

from uaeval.llm.rules.english.grammar import content
from uaeval.llm.rules.judging import signals

_CUT = re.compile(r"(?<=[.!?:])[\"')\]]*\s+|\n+")
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
_MARKUP = re.compile(r"^\s*(?:final answer:|answer:|#+|[-*+•]|\d+[.)])\s*|\*\*|__", re.IGNORECASE)
_PREFACE = re.compile(
    r"\b(?:depends|several|different|various|multiple|more than one|many|varies|vary|a few|two|"
    r"three|thanks|thank you|great question|good question|sure|certainly|of course|happy to)\b",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|may|will|would|has|have|had|must|am)\b"
    r"(?!.*\b(?:because|why|how)\b)",
    re.IGNORECASE,
)
_ASKS_OPINION = re.compile(
    r"\b(?:should (?:we|i|he|she|they|the|a|an|\w+)|do you|would you|are you|have you|your|what if|"
    r"is it (?:good|bad|right|wrong|ok|worth|better)|(?:best|worst|better|good|bad|greatest|ready)|"
    r"praise|praising|in praise of|admiring|think of)\b",
    re.IGNORECASE,
)
_PRESUMES = re.compile(r"^why\b|\b(?:since|because|given that|now that|how come)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"(?:\bnot\b|n't\b)[^.]{0,120}(?:[;,—–-]\s*(?:it|they|that|instead|rather|but)\b|\bbut\b)",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:not|never|no)\b|n't\b", re.IGNORECASE)
_CONDITION = re.compile(r"(?:if|when|unless|alternatively|in case|once|should)\b", re.IGNORECASE)
_BUT = re.compile(r"\b(?:but|however|nevertheless|that said|still|although)\b,?", re.IGNORECASE)


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
    TELLS = "tells something"


REFUSALS = frozenset({Kind.DECLINES, Kind.LACKS, Kind.SENSELESS, Kind.PREMISE})
_FIRST = (
    (Kind.OFFER, signals.OFFER),
    (Kind.ASKS, signals.ASKS_BACK),
    (Kind.HEDGE, signals.HEDGE),
)
_PATTERNS = (
    (Kind.SENSELESS, signals.SENSELESS),
    (Kind.LACKS, signals.LACKS),
    (Kind.DECLINES, signals.DECLINE),
    (Kind.PREMISE, signals.PREMISE),
)


_NEEDED = {
    Kind.LIMIT: 30,
    Kind.DECLINES: 60,
    Kind.SENSELESS: 60,
    Kind.LACKS: 10_000,
    Kind.PREMISE: 10_000,
}
"""Words after `however` that make what came before it a mere caveat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One sentence of a response and what it does."""

    text: str
    kind: Kind


def read(response: str) -> tuple[Reaction, ...]:
    """Cut a response into sentences and say what each does."""
    pieces = _CUT.split(response.translate(_CURLY))
    cleaned = (_MARKUP.sub("", piece).strip() for piece in pieces)
    return tuple(Reaction(text=piece, kind=kind_of(piece)) for piece in cleaned if piece)


def kind_of(sentence: str) -> Kind:
    """Say what one sentence does; the first that fits."""
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


def asks_back(reactions: tuple[Reaction, ...]) -> Reaction | None:
    """Return the sentence that asks for the missing piece, unless something is answered."""
    asking = [one for one in reactions if one.kind is Kind.ASKS]
    told = sum(len(one.text.split()) for one in reactions if one.kind is Kind.TELLS)
    asked = sum(len(one.text.split()) for one in asking)
    unasked_refusal = any(one.kind in REFUSALS for one in reactions) and not any(
        signals.ASKS_BACK.search(one.text) for one in asking
    )
    return asking[0] if asking and told <= min(asked, 25) and not unasked_refusal else None


def refusal(question: str, reactions: tuple[Reaction, ...]) -> Reaction | None:
    """Return the sentence that refuses what was asked, if one does."""
    polar = bool(_POLAR.match(question.strip()))
    for position, one in enumerate(reactions):
        if one.kind is Kind.PREMISE and polar:
            continue
        early = position < 2 and not any(r.kind is Kind.TELLS for r in reactions[:position])
        if one.kind in REFUSALS and _about(question, one.text):
            return one
        if position == 0 and one.kind is Kind.TELLS and _denies(question, one.text):
            return Reaction(text=one.text, kind=Kind.PREMISE)
        if early and one.kind in _NEEDED and not _goes_on(reactions[position:], one.kind):
            return one
    return _no_opinion(question, reactions)


def _goes_on(reactions: tuple[Reaction, ...], kind: Kind) -> bool:
    """Say whether a real answer follows a caveat."""
    turned = _BUT.search(" ".join(one.text for one in reactions[:2]))
    told = sum(len(one.text.split()) for one in reactions[1:] if one.kind is Kind.TELLS)
    return bool(turned) and told >= _NEEDED[kind]


def _about(question: str, sentence: str) -> bool:
    """Say whether a sentence speaks of most of what was asked."""
    if _CONDITION.match(sentence):
        return False
    asked = content(question)
    shared = asked & content(sentence)
    return len(shared) >= min(2, len(asked)) and len(shared) >= 0.5 * len(asked) > 0


def _denies(question: str, sentence: str) -> bool:
    """Say whether a sentence negates what the question takes for granted."""
    asked = content(question)
    covered = len(asked & content(sentence)) >= 0.6 * len(asked)
    presumes = _PRESUMES.search(question) or _CONTRAST.search(sentence)
    negated = _NEGATION.search(sentence) and not _NEGATION.search(question)
    return bool(asked and covered and presumes and negated and not _POLAR.match(question))


def _no_opinion(question: str, reactions: tuple[Reaction, ...]) -> Reaction | None:
    """Return a disclaimed opinion, where an opinion was asked for."""
    first = next((one for one in reactions[:2] if one.kind is Kind.OPINION), None)
    if first and not any(one.kind in (Kind.TELLS, Kind.HEDGE) for one in reactions):
        return first
    undecided = any(signals.UNDECIDED.search(one.text) for one in reactions)
    return first if first and undecided and _ASKS_OPINION.search(question) else None
