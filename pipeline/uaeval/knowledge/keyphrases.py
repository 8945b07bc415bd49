"""Find key phrases: noun phrases and names from a trained pipeline, or similar ones from rules."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from uaeval.errors import ConfigError
from uaeval.text.language import language_of
from uaeval.text.words import STOP_WORDS, UNSPACED_SIGN, wordlist

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Span, Token

_LANGUAGES: Final = (
    "ca da de el en es fi fr hr it ja ko lt mk nb nl pl pt ro ru sl sv uk zh".split()
)
"""Languages for which spaCy has a small pipeline."""
_LONGEST: Final = 4
"""Most words of a phrase from rules; phrases from a pipeline have at most twice as many."""
_PIECE: Final = 20_000
"""Characters that a pipeline reads at once; it needs memory in proportion, and has a limit."""
_JOINERS: Final = frozenset({"-", "'", "’", "&", "/"})
_INSIDE_NAMES: Final = frozenset({"of", "the", "and", "for", "de", "la", "von"})
_CURRENCY: Final = frozenset("$€£¥")
_SIGNS: Final = _CURRENCY | {"%"}
_BETWEEN: Final = re.compile(
    r"[ぁ-ゖ、。「」・！？，（）]+|[的了和与與或是在把被将將吗呢吧]|"
    r"และ|ของ|ที่|ใน|เป็น|จะ|ได้|ให้|ไม่|กับ|จาก|โดย|หรือ"
)
"""Function words that separate phrases in Japanese, Chinese and Thai, which have no spaces."""
_MARK: Final = re.compile(r"^[^\S\n]*(?:#{1,6}|[-*+•]|\d{1,3}[.)])[^\S\n]+", flags=re.MULTILINE)
_DULL_ENDING: Final = re.compile(r".*(?:.ly|n't|'(?:s|re|ve|ll|d|m))$")


def engine() -> str:
    """Load the installed spaCy pipelines, and return their names, or that rules are used instead.

    Raises:
        ConfigError: an installed pipeline cannot be loaded.
    """
    metas = (nlp.meta for nlp in map(_trained, _LANGUAGES) if nlp)
    loaded = [f"spacy:{meta['lang']}_{meta['name']} {meta['version']}" for meta in metas]
    return ", ".join(loaded) or "rules (no trained pipeline)"


def key_phrases(text: str, n: int, *, language: str | None = None) -> tuple[str, ...]:
    """Return at most `n` phrases of the text, the most informative first.

    A trained pipeline of the text's language gives entities and noun chunks. Without one, phrases
    are runs of words without stop words, capitalised names, and numbers with their units; in
    scripts without spaces, the text between function words. Phrases rank higher if they recur,
    share words with other phrases, contain capitals or digits, or come early. `language` is an ISO
    639-1 code; `None`: it is detected.

    Raises:
        ConfigError: an installed pipeline cannot be loaded.
    """
    trained = _trained((language or language_of(text))[:2])
    phrases = list(_from_model(trained, text) if trained is not None else _from_rules(text))
    counts = Counter(phrase.casefold() for phrase in phrases)
    places = reversed([*enumerate(phrases)])
    first = {phrase.casefold(): (position, phrase) for position, phrase in places}
    words = Counter(word for key in first for word in key.split())

    def rank(key: str) -> tuple[float, int]:
        shared = sum(words[word] for word in key.split())
        bonus = 1.5 if any(letter.isupper() or letter.isdigit() for letter in first[key][1]) else 1
        return -bonus * (counts[key] + shared), first[key][0]

    return tuple(first[key][1] for key in sorted(first, key=rank)[:n])


@cache
def _trained(code: str) -> "Language | None":
    import spacy

    name = f"{code}_core_{'web' if code in {'en', 'zh'} else 'news'}_sm"
    if not spacy.util.is_package(name):
        return None
    try:
        return spacy.load(name, exclude=["lemmatizer", "textcat"])
    except (OSError, ValueError, ImportError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            f"the spaCy pipeline {name} is installed, but cannot be loaded ({reason}); install its "
            f"version for spaCy {version('spacy')}, or uninstall it to use rules instead"
        ) from error


@cache
def _blank() -> "Language":
    import spacy

    return spacy.blank("xx")


def _from_model(nlp: "Language", text: str) -> Iterator[str]:
    for document in nlp.pipe(_pieces(text)):
        spans: list[Span] = list(document.ents)
        if document.has_annotation("DEP") and nlp.vocab.get_noun_chunks is not None:
            spans.extend(document.noun_chunks)
        trimmed = {(span.start, span.end): span for span in map(_trimmed, spans)}
        for span in sorted(trimmed.values(), key=lambda span: (span.start, -span.end)):
            if 0 < len(span) <= 2 * _LONGEST:
                yield " ".join(span.text.split())


def _pieces(text: str) -> Iterator[str]:
    """Yield the paragraphs, headings and list items of a text; long ones in parts."""
    for paragraph in re.split(r"\n\s*\n", _MARK.sub("\n\n", text)):
        for start in range(0, len(paragraph), _PIECE):
            yield paragraph[start : start + _PIECE]


def _trimmed(span: "Span") -> "Span":
    kept = [word.i for word in span if word.lower_ not in STOP_WORDS and word.text[:1].isalnum()]
    return span.doc[kept[0] : kept[-1] + 1] if kept else span[:0]


def _from_rules(text: str) -> Iterator[str]:
    for line in _MARK.sub("\n", text).split("\n"):
        run: list[Token] = []
        for word in _blank()(line):
            unspaced = UNSPACED_SIGN.search(word.text)
            if not unspaced and (_joins(word, run) or not _ends_phrase(word)):
                run.append(word)
                continue
            yield from _phrases(run)
            run = []
            if unspaced:
                yield from (part for part in _BETWEEN.split(word.text) if len(part) > 1)
        yield from _phrases(run)


def _joins(word: "Token", run: "list[Token]") -> bool:
    """Return whether a token is inside a name or figure, as `-` in `full-time`, `£` in `£62`."""
    if word.i + 1 >= len(word.doc):
        return False
    following = word.nbor()
    if word.text in _CURRENCY:
        return not word.whitespace_ and following.text[:1].isdigit()
    if not run:
        return False
    previous = run[-1]
    if word.text in _JOINERS:
        return not previous.whitespace_ and not word.whitespace_ and following.text[:1].isalnum()
    between_capitals = previous.text[:1].isupper() and following.text[:1].isupper()
    return word.text in _INSIDE_NAMES and between_capitals


def _ends_phrase(word: "Token") -> bool:
    """Return whether a token is punctuation, or a word that no phrase contains."""
    if not word.text[:1].isalnum() and word.text not in _SIGNS:
        return True
    lower = word.lower_.replace("’", "'")
    dull = lower in STOP_WORDS or lower in wordlist("dull") or _DULL_ENDING.match(lower) is not None
    return dull and (len(word.text) < 2 or not word.text.isupper())


def _phrases(run: "list[Token]") -> Iterator[str]:
    """Yield a short run as one phrase; else its capitalised parts and the others separately."""
    while run and not run[-1].text[-1:].isalnum() and run[-1].text not in _SIGNS:
        run = run[:-1]
    if not run or (len(run) == 1 and len(run[0].text) < 3 and run[0].text.islower()):
        return
    short = sum(1 for word in run if word.text not in _JOINERS) <= _LONGEST
    for words in [run] if short else _parts(run):
        yield "".join(word.text_with_ws for word in words).strip()


def _parts(run: "list[Token]") -> "list[list[Token]]":
    parts = [run[:1]]
    for word in run[1:]:
        previous = parts[-1][-1]
        same_case = word.text[:1].isupper() == previous.text[:1].isupper()
        fits = same_case and len(parts[-1]) < _LONGEST
        if not fits and not _JOINERS & {word.text, previous.text}:
            parts.append([])
        parts[-1].append(word)
    return parts
