"""Whether a response refuses what was asked."""

import re

from uaeval.llm.rules.english.grammar import content
from uaeval.llm.rules.judging import signals
from uaeval.llm.rules.judging.denials import POLAR, denies, is_polar
from uaeval.llm.rules.judging.reactions import REFUSALS, Kind, Reaction

_ASKS_OPINION = re.compile(
    r"\b(?:should (?:we|i|he|she|they|the|a|an|\w+)|do you|would you|are you|have you|your|what if|"
    r"is it (?:good|bad|right|wrong|ok|worth|better)|(?:best|worst|better|good|bad|greatest|ready)|"
    r"praise|praising|in praise of|admiring|think of)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:if|when|unless|alternatively|in case|once|should)\b", re.IGNORECASE)
_BUT = re.compile(r"\b(?:but|however|nevertheless|that said|still|although)\b,?", re.IGNORECASE)
_NO = re.compile(
    r"^(?:unfortunately|regrettably|sorry|(?:i'm|i am) (?:afraid|sorry)),? (?:no|not|that is not|"
    r"you (?:cannot|can't|may not))\b|^no[.!]?$",
    re.IGNORECASE,
)
_SAID = re.compile(r"^(?:yes|no)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"^(?:please |(?:can|could|would|will) you )?(?P<verb>[a-z]+)\b", re.IGNORECASE
)
_WH = re.compile(r"^(?:who|whom|whose|what|when|where|which|why|how)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z]\w+")
_NEEDED = {
    Kind.LIMIT: 30,
    Kind.DECLINES: 60,
    Kind.SENSELESS: 60,
    Kind.LACKS: 10_000,
    Kind.PREMISE: 10_000,
    Kind.CONDEMNS: 10,
}
"""Words after `however` that make what came before it a mere caveat."""
_STATED = frozenset({Kind.TELLS, Kind.PREFACE, Kind.HEDGE})


def refusal(question: str, reactions: tuple[Reaction, ...]) -> Reaction | None:
    """Return the sentence that refuses what was asked, if one does."""
    question = question.strip()
    polar = is_polar(question)
    said = bool(polar and reactions and _SAID.match(reactions[0].text))
    for position, one in enumerate(reactions):
        if polar and (one.kind in (Kind.PREMISE, Kind.CONDEMNS) or _NO.match(one.text)):
            continue
        if said and one.kind is Kind.LACKS:
            continue
        before = [other for other in reactions[:position] if other.kind is Kind.TELLS]
        if one.kind in REFUSALS and _guesses(one, reactions[position + 1 :]):
            continue
        if one.kind in REFUSALS and (
            _about(question, one.text) or _lacks_a_name(question, one, before)
        ):
            return one
        if not before and one.kind in _STATED and denies(question, one.text):
            return Reaction(text=one.text, kind=Kind.PREMISE)
        early = position < 2 and not before and _concerns(question, one)
        if early and one.kind in _NEEDED and not _goes_on(reactions[position:], one.kind):
            return one
    return _no_opinion(question, reactions)


def _guesses(refusing: Reaction, rest: tuple[Reaction, ...]) -> bool:
    """Say whether a guess at the answer follows the word that it is not known."""
    if refusing.kind is not Kind.LACKS:
        return False
    turned = _BUT.search(refusing.text)
    after = refusing.text[turned.end() :] if turned else ""
    pieces = [after, *(one.text for one in rest if one.kind is Kind.TELLS)]
    return any(signals.GUESS.search(piece) and len(content(piece)) >= 3 for piece in pieces)


def _concerns(question: str, one: Reaction) -> bool:
    """Say whether an act that is condemned is the one that was asked for."""
    return one.kind is not Kind.CONDEMNS or bool(content(question) & content(one.text))


def _goes_on(reactions: tuple[Reaction, ...], kind: Kind) -> bool:
    """Say whether a real answer follows a caveat."""
    turned = _BUT.search(" ".join(one.text for one in reactions[:2]))
    told = sum(len(one.text.split()) for one in reactions[1:] if one.kind is Kind.TELLS)
    return bool(turned) and told >= _NEEDED[kind]


def _about(question: str, sentence: str) -> bool:
    """Say whether a sentence speaks of most of what was asked, or of the act that was."""
    if _CONDITION.match(sentence):
        return False
    asked = content(question)
    shared = asked & content(sentence)
    if len(shared) < min(2, len(asked)):
        return False
    return len(shared) >= 0.5 * len(asked) > 0 or bool(_act(question) & shared)


def _act(question: str) -> frozenset[str]:
    """Return the verb of a request (`Draw me a map`), none of a question."""
    request = _REQUEST.match(question)
    if request is None or _WH.match(question) or POLAR.match(request["verb"]):
        return frozenset()
    return content(request["verb"])


def _lacks_a_name(question: str, one: Reaction, before: list[Reaction]) -> bool:
    """Say whether a name that was asked about is what the information lacks."""
    if one.kind is not Kind.LACKS:
        return False
    told = " ".join(other.text for other in before)
    return any(name in one.text and name not in told for name in _NAME.findall(question))


def _no_opinion(question: str, reactions: tuple[Reaction, ...]) -> Reaction | None:
    """Return a disclaimed opinion, where an opinion was asked for."""
    first = next((one for one in reactions[:2] if one.kind is Kind.OPINION), None)
    if first and not any(one.kind in (Kind.TELLS, Kind.HEDGE) for one in reactions):
        return first
    undecided = any(signals.UNDECIDED.search(one.text) for one in reactions)
    return first if first and undecided and _ASKS_OPINION.search(question) else None
