"""Words of a text in any script, their English stems, and comparisons of wordings."""

import itertools
import math
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import snowballstemmer

from uaeval.text.wordlists import ENGLISH_STOP_WORDS, wordlist

_QUOTES: Final = {
    "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "‹": "<", "›": ">"
}  # fmt: skip
_QUOTE: Final = re.compile(rf"[{''.join(_QUOTES)}]")
UNSPACED: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""Letters of scripts without spaces, as in a class of a regular expression."""
_WORD: Final = re.compile(rf"[{UNSPACED}]+|[^\W{UNSPACED}]+(?:[.,:]\d+)*(?:['’][^\W{UNSPACED}]+)*")
_SPACED_WORD: Final = re.compile(r"\w+(?:[.,:]\d+)*(?:['’]\w+)*")
"""The same in a text that has no such letters, which is searched faster."""
UNSPACED_SIGN: Final = re.compile(rf"[{UNSPACED}]")
_LETTERS_PER_WORD: Final = 2
_FIGURE: Final = re.compile(r"\d")
_OPENING: Final = 2
"""Words of a frame that count in their order, function words too."""
_STEMMER: Final = snowballstemmer.stemmer("english")


def normalise(text: str) -> str:
    """Fold case, width, quotation marks, dashes and white space.

    Prompts show `<` before a tag as `‹`: both are the same here.
    """
    plain = _QUOTE.sub(lambda mark: _QUOTES[mark[0]], unicodedata.normalize("NFKC", text))
    return " ".join(plain.casefold().split())


def words(text: str) -> tuple[str, ...]:
    """Return the normalised words, numbers whole (`10:30`, `1,000`), without a possessive `'s`.

    Scripts without spaces are split into pairs of letters.
    """
    normal = normalise(text)
    if not UNSPACED_SIGN.search(normal):
        runs = _SPACED_WORD.findall(normal)
        return tuple(run.removesuffix("'s") for run in runs) if "'s" in normal else tuple(runs)
    found: list[str] = []
    for run in _WORD.findall(normal):
        if UNSPACED_SIGN.match(run):
            found.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        else:
            found.append(run.removesuffix("'s"))
    return tuple(found)


def tokens(text: str) -> tuple[str, ...]:
    """Return the words to search by: identifiers such as `max_length` are split."""
    return words(text.replace("_", " "))


def count_words(text: str) -> int:
    """Count words; in scripts without spaces two letters pass for one."""
    return sum(
        -(-len(run) // _LETTERS_PER_WORD) if UNSPACED_SIGN.match(run) else 1
        for run in _WORD.findall(text.replace("_", " "))
    )


def content_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning: all but English function words."""
    return frozenset(words(text)) - ENGLISH_STOP_WORDS


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word, by Snowball's algorithm."""
    stemmed: str = _STEMMER.stemWord(word) if word.isascii() else word
    return stemmed


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(map(stem, content_words(text)))


def stands_in(part: str, whole: str) -> bool:
    """Return whether `part` stands in `whole` as whole words.

    Case, width, quotation marks, dashes and white space do not count.
    """
    wanted, text = normalise(part), normalise(whole)
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not (_inside_word(text, start) or _inside_word(text, end)):
            return True
        start = text.find(wanted, start + 1)
    return False


def _inside_word(text: str, place: int) -> bool:
    """Return whether the signs on both sides of `place` belong to one word."""
    around = text[max(0, place - 1) : place + 1] if place else ""
    return len(around) == 2 and around.isalnum() and not UNSPACED_SIGN.search(around)


def covered_by(answer: str, text: str) -> bool:
    """Return whether `text` holds every number of `answer` and at least 60 % of its words.

    A bare yes or no passes: whether it is right is left to the verifier.
    """
    if normalise(answer).strip(" .!") in {"yes", "no"}:
        return True
    wanted, held = content_words(answer) - {"yes", "no"}, frozenset(words(text))
    numbers = {word for word in wanted if any(sign.isdigit() for sign in word)}
    if not wanted:
        return stands_in(answer, text) or held.issuperset(words(answer))
    return numbers <= held and len(wanted & held) >= 0.6 * len(wanted)


def opening(question: str) -> tuple[str, ...]:
    """Return the first four words."""
    return words(question)[:4]


def frame(question: str, subject: str) -> str:
    """Return the opening of a question and what it asks, without its subject and its figures.

    `when was | build`: two questions of one frame differ in what they are about, or not at all.
    """
    left_out = content_words(subject)
    said = [word for word in words(question) if word not in left_out and not _FIGURE.search(word)]
    asked = stems(" ".join(said[_OPENING:]))
    return f"{' '.join(said[:_OPENING])} | {' '.join(sorted(asked))}"


def word_pairs(text: str) -> frozenset[tuple[str, ...]]:
    """Return each two neighbouring words of `text`; the words themselves if fewer than two."""
    found = tuple(map(sys.intern, words(text)))
    return frozenset(itertools.pairwise(found)) or frozenset([found])


def overlap(one: frozenset[tuple[str, ...]], two: frozenset[tuple[str, ...]]) -> float:
    """Return the Jaccard overlap of two sets, in [0, 1]."""
    return len(one & two) / len(one | two)


def asked_words(question: str) -> tuple[str, ...]:
    """Return the content words of a question, in their order, each once."""
    asked = content_words(question) - wordlist("asking")
    return tuple(dict.fromkeys(word for word in words(question) if word in asked))


def weigh(question: str, texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Return the stems that a question asks about, each weighted by its rarity in the texts."""
    asked = stems(" ".join(asked_words(question)))
    total = len(texts) + 1
    return {
        stem: math.log(1 + total / (0.5 + sum(stem in text for text in texts))) for stem in asked
    }


def share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    """Return the share of the weights that is held; 0 if there are none."""
    total = sum(weights.values())
    return sum(weights[stem] for stem in weights.keys() & held) / total if total else 0.0
