"""Find responses without a verdict: empty, senseless, in another language or off topic."""

import re
from collections.abc import Sequence

from uaeval.offline.judge.reading import Sentence, is_yes_no, spell_out
from uaeval.text import words as library
from uaeval.text.amounts import amounts
from uaeval.text.english import frequency
from uaeval.text.wordlists import ENGLISH_STOP_WORDS

_POLAR = frozenset({"yes", "cannot"})
_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:it|they|he|she|these|those|this|that|there|you|yes|no|we|i|both)\b")
_BRIEF = 40  # most words of a text that is off topic as a whole
_LANGUAGE = 5  # fewest words of an English text that has function words
_KNOWN = 2.3  # Zipf frequency from which a word is English
_READ = 4000  # characters from which the language is told


def unreadable(question: str, response: str, sentences: Sequence[Sentence]) -> str | None:
    """Return why a response has no verdict; `None` if it can be judged."""
    words = _WORD.findall(spell_out(response[:_READ]))
    if not words or all(sentence.does("idle") for sentence in sentences):
        return "The response is empty of sense"
    if _is_foreign(response, words):
        return "The response is not English, or not language"
    if _is_gibberish(question, response, words):
        return "The response is no English text"
    if _contradicts_itself(sentences):
        return "The response contradicts itself"
    if re.fullmatch(r"(?:yes|no)\W*", sentences[0].plain) and len(sentences) == 1:
        return None if is_yes_no(question) else "The question is not to be answered by yes or no"
    return None


def _is_foreign(response: str, words: Sequence[str]) -> bool:
    """Return whether a text is mainly in another script, or long without English words."""
    letters = [letter for letter in response[:_READ] if letter.isalpha()]
    latin = sum(bool(_LATIN.match(letter)) for letter in letters)
    if letters and latin < len(letters) / 2:
        return True
    english = sum(word in ENGLISH_STOP_WORDS for word in words) / len(words)
    rare = sum(frequency(word) < 3 for word in words) / len(words)
    return len(words) >= _LANGUAGE and english < 0.2 and rare > 0.3


def _is_gibberish(question: str, response: str, words: Sequence[str]) -> bool:
    """Return whether a text is a few lower-case words, unknown in English and in the question."""
    asked = set(_WORD.findall(spell_out(question)))
    known = any(word in asked or frequency(word) >= _KNOWN for word in words)
    return len(words) < _LANGUAGE and response.islower() and not known


def _contradicts_itself(sentences: Sequence[Sentence]) -> bool:
    """Return whether one sentence says yes and another no, or the same without its `not`."""
    openings = {match[0] for s in sentences if (match := re.match(r"(?:yes|no)\b", s.plain))}
    if len(openings) == 2 or re.match(r"(?:yes and no|no and yes)\W*$", sentences[0].plain):
        return True
    texts = {tuple(_WORD.findall(s.plain)) for s in sentences}
    return any(
        "not" in words and tuple(word for word in words if word != "not") in texts
        for words in texts
    )


def is_off_topic(question: str, response: str, sentences: Sequence[Sentence]) -> bool:
    """Return whether a short text shares nothing with the question and is no bare value."""
    words = _WORD.findall(spell_out(response))
    if not 4 <= len(words) <= _BRIEF or shared_stems(question, response):
        return False
    if sentences[0].does("steps"):
        return False
    names = re.search(r"(?<=[^.!?\n] )[A-Z]", response)
    return not (names or amounts(response) or _PRONOUN.match(sentences[0].plain))


def shared_stems(question: str, text: str) -> int:
    """Return how many content words two texts share, by their stems."""
    return len(stems(question) & stems(text))


def repeated(question: str, text: str) -> float:
    """Return the share of the question's content words that a text repeats."""
    return shared_stems(question, text) / max(1, len(stems(question)))


def stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text, without yes and no."""
    return library.stems(spell_out(text)) - _POLAR
