"""Whether a text is English, told from its commonest words and its script."""

import re
import unicodedata
from collections.abc import Iterable

from uaeval.errors import LanguageError

_ENGLISH = {"auto", "en", "eng", "english", "en-us", "en-gb"}
_COMMON = {
    "English": "the of and to in is you that for are with your can be or this on as it not",
    "German": "der die das und ist nicht sie ein eine mit für auf den von zu werden im wird auch",
    "French": "le la les des est et vous pour dans une que sur pas au du votre avec être qui",
    "Spanish": "el los las de que y en un una por para con su se del es no lo como",
    "Portuguese": "o os as do da em um uma para com não que se por ao dos das é seu",
    "Italian": "il di che e la per un una con non sono del della in gli le si alla è",
    "Dutch": "de het een en van is niet dat op te voor met zijn aan je u bij wordt om",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_SCRIPTS = {
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "CYRILLIC": "Cyrillic-script",
    "ARABIC": "Arabic",
    "HEBREW": "Hebrew",
    "GREEK": "Greek",
    "THAI": "Thai",
    "DEVANAGARI": "Hindi",
}
_ENOUGH_WORDS = 20


def require_english(language: str, texts: Iterable[str]) -> None:
    """Raise `LanguageError` unless English is wanted and the texts are not in another language."""
    wanted = language.strip()
    if wanted.lower() not in _ENGLISH:
        raise LanguageError(
            f"the rules engine writes English only, not {wanted}; choose another model for it"
        )
    for text in texts:
        found = other_language(text)
        if found:
            raise LanguageError(
                f"the rules engine reads English only and this passage is {found}: "
                f'"{" ".join(text.split())[:60]}"; choose another model for it'
            )


def other_language(text: str) -> str | None:
    """Name the language of a text that is plainly not English; `None` if English or unsure."""
    script = _script(text)
    if script:
        return script
    words = re.findall(r"[^\W\d_]+", text.lower())
    if len(words) < _ENOUGH_WORDS:
        return None
    counts = {name: sum(word in common for word in words) for name, common in _WORDS.items()}
    best = max(counts, key=lambda name: (counts[name], name))
    plainly = counts[best] >= 0.15 * len(words) and counts[best] > 1.5 * counts["English"]
    return best if plainly else None


def _script(text: str) -> str | None:
    letters = [letter for letter in text if letter.isalpha()]
    names = [unicodedata.name(letter, "").split(" ")[0] for letter in letters if letter > "ʯ"]
    if not letters or len(names) <= len(letters) / 2:
        return None
    common = max(sorted(set(names)), key=names.count)
    if "HIRAGANA" in names or "KATAKANA" in names:
        return "Japanese"
    return _SCRIPTS.get(common, common.title())
