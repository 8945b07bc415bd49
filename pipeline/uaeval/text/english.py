"""Analyse English words and phrases: part-of-speech tags, noun phrases, number, inflection."""

import re
import warnings
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from textblob.en import Parser

_TOKEN: Final = re.compile(r"\d[\d,.]*\d(?!\w)|\w+(?:[-'&/.+]\w+)*|[^\w\s]")
NOUN_TAGS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INNER_TAGS: Final = NOUN_TAGS | {"JJ", "VBN", "VBG", "POS"}
_CAUSATIVES: Final = frozenset("have help let make see watch".split())
_COUNTED: Final = 0.75
"""A noun is uncountable if its plural is rarer than its singular by more than this (Zipf scale)."""
_SUFFIX: Final = re.compile(r"ies$|(?:(?<=x)|(?<=[cs]h)|(?<=ss))es$|(?<=[^s])s$")


class Token(NamedTuple):
    """A word and its Penn tag."""

    word: str
    tag: str


class Run(NamedTuple):
    """A noun phrase in a sentence."""

    tokens: tuple[Token, ...]
    place: int
    """Index of its first token in the sentence."""
    before: str
    """The word before it in lower case; empty at the start of the sentence."""
    after: str
    """The word after it in lower case; empty at the end of the sentence."""

    @property
    def text(self) -> str:
        """The phrase as it is written in the sentence."""
        return re.sub(r" (?='s?\b|'(?= |$))", "", " ".join(token.word for token in self.tokens))


@cache
def _parser() -> "Parser":
    from textblob.en import parser

    with warnings.catch_warnings():  # textblob does not close its word lists
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["Loads", "unlisted", "words"])
    return parser


def listed_tag(word: str) -> str | None:
    """Return the most frequent tag of a word; `None` if the lexicon lacks this spelling."""
    tag: str | None = _parser().lexicon.get(word)
    return tag


@lru_cache(maxsize=65536)
def tag(sentence: str) -> tuple[Token, ...]:
    """Return the words of a sentence with their Penn tags."""
    text = sentence.replace("’", "'").replace("can not", "cannot")
    text = re.sub(r"\b(\w+)(n't)\b", r"\1 \2", text)
    text = re.sub(r"(?<=\w)('s|')(?=\s|$)", r" \1", text)
    pieces: list[str] = []
    for piece in text.split():
        pieces += [piece] if piece in {"n't", "'s"} else _TOKEN.findall(piece)
    return tuple(_corrected([Token(word, name) for word, name, *_ in _parser().find_tags(pieces)]))


def _corrected(tokens: list[Token]) -> list[Token]:
    """Return the tokens with the tags of verbs that must be nouns, and the reverse, corrected."""
    for index in range(1, len(tokens)):
        word, name = tokens[index]
        previous = tokens[index - 1].tag
        if word.islower() and _must_be_noun(tokens, index):
            tokens[index] = Token(word, "NN")
        elif previous == "NNP" and name.startswith("VB") and word[:1].isupper():
            tokens[index] = Token(word, "NNP")
        elif previous == "MD" and name == "NN" and can_be_verb(word):
            tokens[index] = Token(word, "VB")
    return tokens


def _must_be_noun(tokens: list[Token], place: int) -> bool:
    """Return whether a token with the tag of a verb ends a noun phrase: `a tide table`."""
    name, previous = tokens[place].tag, tokens[place - 1].tag
    after = tokens[place + 1] if place + 1 < len(tokens) else Token("", "")
    if name in {"VB", "VBP", "VBG"} and previous in {"JJ", "NN"} and after.tag in {"VBZ", "MD"}:
        return True
    if name not in {"VB", "VBP"}:
        return False
    start = place - 1
    while start > 0 and tokens[start].tag in {"JJ", "NN", "VBG", "VBN"}:
        start -= 1
    if tokens[start].tag not in {"DT", "PRP$"}:
        return False
    caused = start > 0 and base(tokens[start - 1].word) in _CAUSATIVES  # `let the dough rest`
    return start == place - 1 or not (caused or after.tag in {"DT", "PRP", "PRP$"})


@lru_cache(maxsize=16384)
def runs(sentence: str) -> tuple[Run, ...]:
    """Return the maximal noun phrases of a sentence, in order."""
    tokens = tag(sentence)
    phrases: list[Run] = []
    start = 0
    while start < len(tokens):
        end = start
        while end < len(tokens) and _is_inner(tokens, end, start):
            end += 1
        stop = end
        while stop > start and tokens[stop - 1].tag not in NOUN_TAGS | {"CD"}:
            stop -= 1
        if any(token.tag in NOUN_TAGS for token in tokens[start:stop]):
            before = tokens[start - 1].word.lower() if start else ""
            after = tokens[stop].word.lower() if stop < len(tokens) else ""
            phrases.append(Run(tokens[start:stop], start, before, after))
        start = max(end, start + 1)
    return tuple(phrases)


def _is_inner(tokens: tuple[Token, ...], place: int, start: int) -> bool:
    word, name = tokens[place]
    if name == "CD":  # `Form 630` has its own number
        return place > start and tokens[place - 1].word[:1].isupper()
    if name == "POS" or word in {"'s", "'"}:
        return place > start and place + 1 < len(tokens) and tokens[place + 1].tag in NOUN_TAGS
    if word in {"of", "the"}:  # `Freedom of the Press`
        return _joins_names(tokens, place, start)
    return name in _INNER_TAGS and word[:1].isalnum() and not word[:1].isdigit()


def _joins_names(tokens: tuple[Token, ...], place: int, start: int) -> bool:
    words = [token.word for token in tokens]
    of = place - (words[place] == "the")
    after = of + 1 + (words[of + 1 : of + 2] == ["the"])
    if of <= start or words[of] != "of" or after >= len(words):
        return False
    return words[of - 1][:1].isupper() and words[after][:1].isupper()


MODALS: Final = frozenset("can could may might must shall should will would cannot".split())


@lru_cache(maxsize=65536)
def lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """Return the lemmas of a word by part of speech (`VERB`, `NOUN`); empty if it is unknown."""
    from lemminflect import getAllLemmas  # loads spaCy

    return dict(getAllLemmas(word.lower()))


def can_be_verb(word: str) -> bool:
    """Return whether a word is the base form of a verb: `build`, `run`, `test`."""
    return word.lower() in lemmas(word).get("VERB", ())


def is_verb_only(word: str) -> bool:
    """Return whether a word is a form of a verb, but not of a noun: `enables`."""
    parts = lemmas(word)
    return "VERB" in parts and "NOUN" not in parts


def listed_noun(word: str) -> bool:
    """Return whether a word can be a noun."""
    return bool(lemmas(word).get("NOUN"))


def base(word: str, part: str = "VERB") -> str:
    """Return the base form of a word as a `VERB`, `NOUN` or `ADJ`; if unknown, the word itself."""
    return next(iter(lemmas(word).get(part, ())), word.lower())


def inflect(word: str, name: str) -> str:
    """Return a base form with the inflection of a Penn tag: `inflect("key", "NNS")`."""
    from lemminflect import getInflection  # loads spaCy

    return next(iter(getInflection(word, name)), word)


def is_plural(phrase: str) -> bool:
    """Return whether a noun phrase takes a plural verb."""
    word = phrase.split()[-1]
    lowered = word.lower()
    if lowered == "people" or (word.endswith("s") and word[:-1].isupper()):
        return True
    if not lowered.endswith("s"):
        plural = any(token.tag in {"NNS", "NNPS"} for token in tag(lowered)[-1:])
        return plural and base(lowered, "NOUN") != lowered
    if lowered.endswith(("ss", "us", "is", "ics")) or word.endswith("S"):
        return False
    return lowered not in lemmas(lowered).get("NOUN", ()) or inflect(lowered, "NNS") != lowered


def singular(phrase: str) -> str:
    """Return a noun phrase with its head in the singular, for use before another noun."""
    *front, head = phrase.split()
    if is_plural(head) and head.islower():
        lemma = base(head, "NOUN")
        if lemma == head:
            lemma = _SUFFIX.sub(lambda suffix: "y" if suffix[0] == "ies" else "", head)
        head = lemma
    return " ".join([*front, head])


def frequency(word: str) -> float:
    """Return how common a word is in English (Zipf scale: 7 for `the`, 0 for unknown words)."""
    from wordfreq import zipf_frequency  # loads its word lists

    return zipf_frequency(word, "en")


def is_counted(topic: str) -> bool:
    """Return whether a phrase in the singular needs an article."""
    head = topic.split()[-1]
    plural = inflect(head, "NNS")
    usual = frequency(plural) > max(0.0, frequency(head) - _COUNTED)
    return head.islower() and plural != head and usual
