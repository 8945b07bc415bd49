"""What a passage is about: its noun phrases and names, or the nearest thing without a model."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from uaeval.errors import ConfigError
from uaeval.text.language import language_of
from uaeval.text.wordlists import STOP_WORDS, wordlist
from uaeval.text.words import UNSPACED

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Span, Token

_LANGUAGES: Final = (
    *("ca", "da", "de", "el", "en", "es", "fi", "fr", "hr", "it", "ja", "ko", "lt", "mk", "nb"),
    *("nl", "pl", "pt", "ro", "ru", "sl", "sv", "uk", "zh"),
)
"""Languages with a small pipeline of spaCy."""
_LONGEST: Final = 4
_PIECE: Final = 20_000
"""Characters that a pipeline reads at once; its memory grows with them, and it has a limit."""
_JOINS: Final = frozenset({"-", "'", "’", "&", "/"})
_INSIDE_NAMES: Final = frozenset({"of", "the", "and", "for", "de", "la", "von"})
_CURRENCY: Final = frozenset("$€£¥")
_SIGNS: Final = _CURRENCY | {"%"}
_UNSPACED: Final = re.compile(rf"[{UNSPACED}]")
_BETWEEN: Final = re.compile(
    r"[ぁ-ゖ、。「」・！？，（）]+|[的了和与與或是在把被将將吗呢吧]|"
    r"และ|ของ|ที่|ใน|เป็น|จะ|ได้|ให้|ไม่|กับ|จาก|โดย|หรือ"
)
"""What stands between the phrases of scripts without spaces: Japanese, Chinese, Thai."""
_MARK: Final = re.compile(r"^[^\S\n]*(?:#{1,6}|[-*+•]|\d{1,3}[.)])[^\S\n]+", flags=re.MULTILINE)
_ENDS_IN: Final = re.compile(r".*(?:.ly|n't|'(?:s|re|ve|ll|d|m))$")


def engine() -> str:
    """Load what finds key phrases and name it: the trained spaCy pipelines, or the rules.

    Raises:
        ConfigError: a pipeline is installed and cannot be loaded.
    """
    trained = {_pipeline(code): _trained(_pipeline(code)) for code in _LANGUAGES}
    loaded = [f"spacy:{name} {nlp.meta['version']}" for name, nlp in trained.items() if nlp]
    return ", ".join(loaded) or "rules (no trained pipeline)"


def key_phrases(text: str, n: int, *, language: str | None = None) -> tuple[str, ...]:
    """Return at most `n` phrases as they stand in the text, the most telling first.

    With a trained pipeline of the text's language: entities and noun chunks. Without one: runs of
    words that are no stop words, capitalised names, and numbers with their units; in scripts
    without spaces, what stands between function words. A phrase counts for its words, for how often
    it recurs, and for coming early.

    Args:
        text: Of any length.
        n: The most phrases wanted.
        language: ISO 639-1 code of the text's language; `None`: it is recognised.

    Raises:
        ConfigError: the pipeline is installed and cannot be loaded.
    """
    trained = _trained(_pipeline((language or language_of(text))[:2]))
    found = list(_from_model(trained, text) if trained is not None else _from_rules(text))
    counts = Counter(phrase.casefold() for phrase in found)
    first: dict[str, tuple[int, str]] = {}
    for position, phrase in enumerate(found):
        first.setdefault(phrase.casefold(), (position, phrase))
    words = Counter(word for key in first for word in key.split())

    def rank(key: str) -> tuple[float, int]:
        shared = sum(words[word] for word in key.split())
        bonus = 1.5 if any(letter.isupper() or letter.isdigit() for letter in first[key][1]) else 1
        return -bonus * (counts[key] + shared), first[key][0]

    return tuple(first[key][1] for key in sorted(first, key=rank)[:n])


def _pipeline(code: str) -> str:
    return f"{code}_core_{'web' if code in {'en', 'zh'} else 'news'}_sm"


@cache
def _trained(name: str) -> "Language | None":
    import spacy

    if not spacy.util.is_package(name):
        return None
    try:
        return spacy.load(name, exclude=["lemmatizer", "textcat"])
    except (OSError, ValueError, ImportError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            f"the spaCy pipeline {name} is installed and cannot be loaded ({reason}); install the "
            f"one for spaCy {version('spacy')}, or uninstall it: key phrases then come from rules"
        ) from error


@cache
def _blank() -> "Language":
    import spacy

    return spacy.blank("xx")


# --- with a trained pipeline --------------------------------------------------------------------


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
    """Yield the paragraphs, headings and items of lists, long ones in parts."""
    for paragraph in re.split(r"\n\s*\n", _MARK.sub("\n\n", text)):
        for start in range(0, len(paragraph), _PIECE):
            yield paragraph[start : start + _PIECE]


def _trimmed(span: "Span") -> "Span":
    """Cut stop words and marks off both ends."""
    kept = [
        word.i for word in span if word.lower_ not in STOP_WORDS and word.text[:1].isalnum()
    ] or [span.end, span.end - 1]
    return span.doc[kept[0] : kept[-1] + 1]


# --- without one --------------------------------------------------------------------------------


def _from_rules(text: str) -> Iterator[str]:
    for line in _MARK.sub("\n", text).split("\n"):
        run: list[Token] = []
        for word in _blank()(line):
            if _UNSPACED.search(word.text):
                yield from _phrases(run)
                run = []
                yield from (part for part in _BETWEEN.split(word.text) if len(part) > 1)
            elif _is_joint(word, run) or not _breaks(word):
                run.append(word)
            else:
                yield from _phrases(run)
                run = []
        yield from _phrases(run)


def _is_joint(word: "Token", run: "list[Token]") -> bool:
    """Return whether this is inside a name or figure: the hyphen of `full-time`, `£` in `£62`."""
    if word.i + 1 >= len(word.doc):
        return False
    after = word.nbor()
    if word.text in _CURRENCY:
        return not word.whitespace_ and after.text[:1].isdigit()
    if not run:
        return False
    before = run[-1]
    if word.text in _JOINS:
        return not before.whitespace_ and not word.whitespace_ and after.text[:1].isalnum()
    return word.text in _INSIDE_NAMES and before.text[:1].isupper() and after.text[:1].isupper()


def _breaks(word: "Token") -> bool:
    """Return whether no phrase goes across this word."""
    lower = word.lower_.replace("’", "'")
    dull = lower in STOP_WORDS or lower in wordlist("dull") or _ENDS_IN.match(lower) is not None
    wordlike = word.text[:1].isalnum() or word.text in _SIGNS
    return not wordlike or (dull and (len(word.text) < 2 or not word.text.isupper()))


def _phrases(run: "list[Token]") -> Iterator[str]:
    """Yield a run as one phrase if it is short, else its names and its number with unit."""
    while run and not run[-1].text[-1:].isalnum() and run[-1].text not in _SIGNS:
        run = run[:-1]
    if not run or (len(run) == 1 and len(run[0].text) < 3 and run[0].text.islower()):
        return
    if sum(1 for word in run if word.text not in _JOINS) <= _LONGEST:
        yield _joined(run)
        return
    yield from (_joined(part) for part in _parts(run))


def _parts(run: "list[Token]") -> "Iterator[list[Token]]":
    part: list[Token] = []
    for word in run:
        alike = part and word.text[:1].isupper() == part[-1].text[:1].isupper()
        fits = alike and len(part) < _LONGEST
        if part and not fits and word.text not in _JOINS and part[-1].text not in _JOINS:
            yield part
            part = []
        part.append(word)
    if part:
        yield part


def _joined(words: "list[Token]") -> str:
    return "".join(word.text_with_ws for word in words).strip()
