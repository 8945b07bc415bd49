"""Find responses without a verdict: outages, empty, senseless, foreign or off-topic texts."""

import re
from collections.abc import Sequence

from uaeval.offline.judge.reading import Sentence, is_yes_no
from uaeval.offline.tables import patterns
from uaeval.text.amounts import amounts
from uaeval.text.language import are_unknown, is_not_english
from uaeval.text.spelling import shared_stems, spell_out

_WORD = re.compile(r"[^\W_]+")
_MANNER = re.compile(r"^(?:\w+ ){0,2}(?:why|how)\b|\b(?:happens?|means?)\b")
_PRONOUN = re.compile(r"(?:it|they|he|she|these|those|this|that|there|you|yes|no|we|i|both)\b")
_BRIEF = 40  # most words of a text that is off topic as a whole
_READ = 4000  # characters from which the language is told
_LONGEST_OUTAGE = 2000  # characters; a longer text is an answer about an outage


def unreadable(question: str, response: str, sentences: Sequence[Sentence]) -> str | None:
    """Return why a response has no verdict; `None` if it can be judged."""
    words = _WORD.findall(spell_out(response[:_READ]))
    if not words or all(sentence.does("idle") for sentence in sentences):
        return "The response is empty of sense"
    senseless = response.islower() and not amounts(response) and are_unknown(words, question)
    if senseless or is_not_english(response[:_READ], words):
        return "The response is not English, or not language"
    if _contradicts_itself(sentences):
        return "The response contradicts itself"
    if re.fullmatch(r"(?:yes|no)\W*", sentences[0].plain) and len(sentences) == 1:
        return None if is_yes_no(question) else "The question is not to be answered by yes or no"
    return None


def _contradicts_itself(sentences: Sequence[Sentence]) -> bool:
    """Return whether one sentence says yes and another no, or the same without its `not`."""
    openings = {match[0] for s in sentences if (match := re.match(r"(?:yes|no)\b", s.plain))}
    if len(openings) == 2 or re.match(r"(?:yes and no|no and yes)\W*$", sentences[0].plain):
        return True
    texts = {tuple(_WORD.findall(s.plain)) for s in sentences}
    return any("not" in t and tuple(word for word in t if word != "not") in texts for t in texts)


def is_off_topic(question: str, response: str, sentences: Sequence[Sentence]) -> bool:
    """Return whether a short text shares nothing with the question and is no bare value."""
    words = _WORD.findall(spell_out(response))
    if not 4 <= len(words) <= _BRIEF or shared_stems(question, response):
        return False
    steps = any(s.does("steps") for s in sentences) or _MANNER.search(spell_out(question))
    names = re.search(r"(?<=[^.!?\n] )[A-Z]", response)
    return not (steps or names or amounts(response) or _PRONOUN.match(sentences[0].plain))


def is_outage(response: str) -> bool:
    """Return whether all of a response is the message of a broken service."""
    text, parts = response.strip(), patterns("judge_outages", "parts")
    if parts["no_text"].fullmatch(text):
        return True
    page = bool(parts["markup"].match(text))
    if len(text) > _LONGEST_OUTAGE and not page:
        return False
    clauses = parts["cut"].split(parts["tag"].sub("\n", spell_out(text[:_LONGEST_OUTAGE])))
    known = patterns("judge_outages", "clauses").items()
    kinds = set()
    for clause in clauses:
        if bare := clause.strip(" \t\"'`*#.,()"):
            core = parts["lead"].sub("", bare) or bare  # without an apology before it
            kinds.add(next((kind for kind, pattern in known if pattern.fullmatch(core)), None))
    if page:
        return "fault" in kinds
    return None not in kinds and ("fault" in kinds or {"stall", "retry"} <= kinds)
