"""Split texts in any script into words, stem English words, compare wordings and spellings.

Lists of words come from the YAML files of this folder.
"""

import math
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise, permutations
from typing import Final

import snowballstemmer

from uaeval.resources import shipped_table

_QUOTES: Final = {
    "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "‹": "<", "›": ">"
}  # fmt: skip
_QUOTE: Final = re.compile(rf"[{''.join(_QUOTES)}]")
UNSPACED: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""Letters of scripts without spaces, for character classes of regular expressions."""
_LETTER: Final = rf"[^\W_{UNSPACED}]"
_EDGE: Final = re.compile(f"(?<!{_LETTER})|(?!{_LETTER})")
"""A place that is not inside a word."""
_WORD: Final = re.compile(rf"[{UNSPACED}]+|[^\W{UNSPACED}]+(?:[.,:]\d+)*(?:['’][^\W{UNSPACED}]+)*")
_SPACED_WORD: Final = re.compile(r"\w+(?:[.,:]\d+)*(?:['’]\w+)*")
"""A faster pattern for texts without such letters."""
UNSPACED_SIGN: Final = re.compile(rf"[{UNSPACED}]")
_OPENING: Final = 2
"""Number of first words of a frame that keep their order; function words are among them."""
_NEAR: Final = r"\w*[\W_]+(?:\w+ )?"
"""Pattern between two words of a text that an identifier joins."""
_INITIALS: Final = re.compile(r"\b[A-Z]{2,}(?=s?\b)")
_STEMMER: Final = snowballstemmer.stemmer("english")


@cache
def wordlist(name: str, file: str = "english") -> frozenset[str]:
    """Return a list of lower-case words from `<file>.yaml`."""
    return frozenset(shipped_table(f"text/{file}.yaml")[name].split())


ENGLISH_STOP_WORDS: Final = wordlist("english", "stopwords")
STOP_WORDS: Final = frozenset().union(
    *(wordlist(name, "stopwords") for name in shipped_table("text/stopwords.yaml"))
)
"""Stop words of some widely used languages."""


def normalise(text: str) -> str:
    """Return a text with case, width, quotation marks, dashes and white space normalised.

    `‹` becomes `<`, because prompts contain `‹` instead of the `<` of a tag.
    """
    plain = _QUOTE.sub(lambda mark: _QUOTES[mark[0]], unicodedata.normalize("NFKC", text))
    return " ".join(plain.casefold().split())


def words(text: str) -> tuple[str, ...]:
    """Return the normalised words of a text, without a possessive `'s`.

    Numbers such as `10:30` are whole words. Scripts without spaces are split into pairs of letters.
    """
    normal = normalise(text)
    if not UNSPACED_SIGN.search(normal):
        runs = _SPACED_WORD.findall(normal)
        return tuple(run.removesuffix("'s") for run in runs) if "'s" in normal else tuple(runs)
    result: list[str] = []
    for run in _WORD.findall(normal):
        if UNSPACED_SIGN.match(run):
            result.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        else:
            result.append(run.removesuffix("'s"))
    return tuple(result)


def tokens(text: str) -> tuple[str, ...]:
    """Return the words for searches; identifiers such as `max_length` are split."""
    return words(text.replace("_", " "))


def count_words(text: str) -> int:
    """Return the number of words; in scripts without spaces, two letters count as one word."""
    return sum(
        -(-len(run) // 2) if UNSPACED_SIGN.match(run) else 1
        for run in _WORD.findall(text.replace("_", " "))
    )


def content_words(text: str) -> frozenset[str]:
    """Return all words but English stop words."""
    return frozenset(words(text)) - ENGLISH_STOP_WORDS


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word, by Snowball's algorithm."""
    stemmed: str = _STEMMER.stemWord(word) if word.isascii() else word
    return stemmed


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the content words."""
    return frozenset(map(stem, content_words(text)))


def stands_in(part: str, whole: str) -> bool:
    """Return whether `whole` contains `part` as whole words, after `normalise`."""
    needle, text = normalise(part), normalise(whole)
    start = text.find(needle) if needle else -1
    while start >= 0:
        if _EDGE.match(text, start) and _EDGE.match(text, start + len(needle)):
            return True
        start = text.find(needle, start + 1)
    return False


def covered_by(answer: str, text: str) -> bool:
    """Return whether `text` has every number of `answer`, and at least 60 % of its content words.

    Return `True` for a mere yes or no, about which the verifier decides.
    """
    if normalise(answer).strip(" .!") in {"yes", "no"}:
        return True
    wanted, present = content_words(answer) - {"yes", "no"}, frozenset(words(text))
    numbers = {word for word in wanted if any(sign.isdigit() for sign in word)}
    if not wanted:
        return stands_in(answer, text) or present.issuperset(words(answer))
    return numbers <= present and len(wanted & present) >= 0.6 * len(wanted)


@lru_cache(maxsize=16384)
def opening(question: str) -> tuple[str, ...]:
    """Return the first four words."""
    return words(question)[:4]


def frame(question: str, subject: str) -> str:
    """Return the frame of a question: its opening and what it asks, such as `when was | build`.

    Words of the subject and figures are removed; questions with one frame differ in these only.
    """
    removed = content_words(subject)
    kept = [word for word in words(question) if word not in removed and not re.search(r"\d", word)]
    asked = stems(" ".join(kept[_OPENING:]))
    return f"{' '.join(kept[:_OPENING])} | {' '.join(sorted(asked))}"


@lru_cache(maxsize=16384)
def word_pairs(text: str) -> frozenset[tuple[str, ...]]:
    """Return the pairs of neighbouring words; for fewer than two words, the words themselves."""
    interned = tuple(map(sys.intern, words(text)))
    return frozenset(pairwise(interned)) or frozenset([interned])


def overlap(one: frozenset[tuple[str, ...]], two: frozenset[tuple[str, ...]]) -> float:
    """Return the Jaccard overlap of two sets, in [0, 1]."""
    return len(one & two) / len(one | two)


def asked_words(question: str) -> tuple[str, ...]:
    """Return the distinct content words of a question without question words, in order."""
    asked = content_words(question) - wordlist("asking")
    return tuple(dict.fromkeys(word for word in words(question) if word in asked))


def weigh(question: str, texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Return the stems of what a question asks, each with a weight for its rarity in the texts."""
    asked = stems(" ".join(asked_words(question)))
    total = len(texts) + 1
    return {
        stem: math.log(1 + total / (0.5 + sum(stem in text for text in texts)))
        for stem in sorted(asked)
    }


def share(weights: Mapping[str, float], text: frozenset[str]) -> float:
    """Return the weight of the stems in a text, as a share of all weights; 0 without weights."""
    total = math.fsum(weights.values())
    return math.fsum(weights[stem] for stem in weights.keys() & text) / total if total else 0.0


def is_written_otherwise(phrase: str, text: str, known: frozenset[str]) -> bool:
    """Return whether a text has another spelling of a phrase; `known` are the stems of the text."""
    initials = "".join(re.findall(r"\b[A-Z](?=[a-z])", phrase))
    patterns = [r"\w*[ -](?:(?:and|of|the) )?".join(name) for name in _INITIALS.findall(phrase)]
    parts = re.split(r"\W*(?:_|(?<=[a-z])(?=[A-Z][a-z]))\W*", phrase)
    patterns += [_NEAR.join(order) for order in permutations(parts)] if 1 < len(parts) < 4 else []
    return (
        (" " in phrase and stem(re.sub(r"[\W_]", "", phrase.lower())) in known)
        or (len(initials) > 1 and re.search(rf"\b{initials}\b", text) is not None)
        or any(re.search(rf"\b{pattern}", text, re.I) for pattern in patterns)
    )
