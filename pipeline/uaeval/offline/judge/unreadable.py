"""Why a response carries no verdict: it is empty, senseless, in another language or off topic."""

import re
from collections.abc import Sequence

from wordfreq import zipf_frequency

from uaeval.offline.judge.reading import Sentence, is_yes_no, spell_out

FUNCTION_WORDS = frozenset(
    """the a an of to in on at for and or is are was were be been it its this that these those with
    as by from what which who whom whose how why when where do does did can could will would should
    may might must has have had i you we he she they my your our their me us them not no yes if so
    than then there here about into over out up down any some all more most many much also only
    very just but am""".split()
)
_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_OPENING = re.compile(r"(?:it|they|he|she|these|those|this|that|there|you|yes|no|we|i|both)\b")
_SHORT = 40
"""Words up to which a text can be off topic as a whole."""
_MANY = 8
"""Words from which on a text in English has function words."""


def unreadable(question: str, response: str, sentences: Sequence[Sentence]) -> str | None:
    """Return why a response carries no verdict, or None if it can be judged."""
    words = _WORD.findall(spell_out(response[:4000]))
    if not sentences or not words:
        return "The response is empty or has no words."
    if is_foreign(response, words):
        return "The response is not English, or not language."
    if is_senseless(question, words):
        return "The response is no English text."
    if contradicts_itself(question, sentences):
        return "The response says both yes and no."
    return None


def is_foreign(response: str, words: Sequence[str]) -> bool:
    """Return whether a text is mainly in another script, or long without English words."""
    letters = [letter for letter in response[:4000] if letter.isalpha()]
    latin = sum(bool(_LATIN.match(letter)) for letter in letters)
    if letters and latin < len(letters) / 2:
        return True
    if len(words) < _MANY:
        return False
    english = sum(word in FUNCTION_WORDS for word in words)
    named = sum(word.isdigit() for word in words)
    return english < 0.08 * (len(words) - named) and _rare(words) > 0.4


def is_senseless(question: str, words: Sequence[str]) -> bool:
    """Return whether a short text consists of letters that form no words."""
    asked = set(_WORD.findall(spell_out(question)))
    unknown = [word for word in words if word not in asked and not any(map(str.isdigit, word))]
    if len(words) >= _MANY or len(unknown) < len(words):
        return False
    return all(zipf_frequency(word, "en") < _KNOWN for word in unknown)


_KNOWN = 1.6
"""Zipf frequency of a word from which on it counts as one."""


def contradicts_itself(question: str, sentences: Sequence[Sentence]) -> bool:
    """Return whether a response to a yes/no question opens one sentence with yes, one with no."""
    openings = {match[0] for s in sentences if (match := re.match(r"(?:yes|no)\b", s.plain))}
    both = any(re.match(r"(?:yes and no|no and yes)\W*$", s.plain) for s in sentences)
    return is_yes_no(question) and (len(openings) == 2 or (both and len(sentences) == 1))


def is_off_topic(question: str, response: str, sentences: Sequence[Sentence]) -> bool:
    """Return whether a short text shares nothing with the question and gives no bare value."""
    words = _WORD.findall(spell_out(response))
    if not 4 <= len(words) <= _SHORT or shared_stems(question, response):
        return False
    names = re.search(r"(?<=[^.!?\n] )[A-Z]", response)
    return not (names or re.search(r"\d", response) or _OPENING.match(sentences[0].plain))


def shared_stems(question: str, text: str) -> int:
    """Return how many content words two texts share, by their stems."""
    return len(_stems(question) & _stems(text))


def repeated(question: str, text: str) -> float:
    """Return the share of the question's content words that a text repeats."""
    return shared_stems(question, text) / max(1, len(_stems(question)))


def _stems(text: str) -> set[str]:
    words = _WORD.findall(spell_out(text))
    return {word[:5] for word in words if word not in FUNCTION_WORDS and len(word) > 1}


def _rare(words: Sequence[str]) -> float:
    return sum(zipf_frequency(word, "en") < 3 for word in words) / len(words)
