"""Find the noun phrases of a passage that can be understood without it."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from typing import Final, TypeVar

from uaeval.offline.tables import table
from uaeval.records import Passage
from uaeval.text.english import (
    NOUN_TAGS,
    Run,
    Token,
    base,
    can_be_verb,
    frequency,
    inflect,
    is_counted,
    is_plural,
    is_verb_only,
    listed_tag,
    runs,
    singular,
)
from uaeval.text.sentences import cased, named_title, plain_lines

_LONGEST: Final = 3  # words of a phrase
_LONGEST_NAME: Final = 5
_COMMON: Final = 4.7  # Zipf frequency from which a single word is too general
_WORD: Final = re.compile(
    r"of|the|[A-Z][A-Za-z]+(?:-[A-Za-z]+)*|[a-z][A-Za-z]{2,}(?:-[A-Za-z]+)*"
    r"|[A-Z][A-Za-z]*\d[A-Za-z\d]*|\d{1,4}"
)
T = TypeVar("T")
_PEOPLE: Final = re.compile(r"\b(?:he|she|his|her|him|born|Mr|Mrs|Dr)\b")


def cached(function: Callable[[Passage], T]) -> Callable[[Passage], T]:
    """Cache a function of a passage; its result must not depend on the passage's number.

    Prompts number their passages from 1, so one passage has many numbers in a run.
    """
    by_text = lru_cache(maxsize=16384)(function)

    @wraps(function)
    def call(passage: Passage) -> T:
        return by_text(replace(passage, number=1))

    return call


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A noun phrase."""

    text: str
    """As it is used in a sentence, with its article if it takes one: `root keys`, `the index`."""
    topic: str
    """As it is used before another noun: `root key`, in `my root key notes`."""
    named: bool
    """Whether it is a proper name."""
    central: bool
    """Whether a title or heading contains it."""
    score: float


@dataclass(slots=True)
class _Counts:
    """How often, and where, a passage has a phrase."""

    text: str = ""
    count: int = 0
    heading: int = 0
    inside: int = 0
    """How often inside a sentence, not at its start."""
    plural: int = 0
    capital: int = 0
    compound: bool = False
    """Whether another noun precedes the last word."""
    before: Counter[str] = field(default_factory=Counter)
    after: set[str] = field(default_factory=set)
    """The words after it, in the singular; before `key`, `API` is only a part of `API key`."""


@cached
def phrases(passage: Passage) -> tuple[Phrase, ...]:
    """Return the phrases of a passage, best first."""
    inside = re.findall(r"^#{1,6} (.+)$", passage.text, re.M)
    headings = [named_title(passage.title), *passage.heading.split(" › "), *inside]
    lines = list(plain_lines(passage.text.removeprefix(f"{passage.title}\n")))
    body = " ".join(line for line in lines if line not in headings)
    counts: dict[str, _Counts] = {}
    for number, line in enumerate([*headings, *lines]):
        heading = number < len(headings) or line in headings
        for run in runs(cased(line, body) if heading else line):
            if words := _candidate(run, heading=heading):
                key = singular(" ".join(words)).lower()
                _count(counts.setdefault(key, _Counts()), words, run, heading)
    people = _PEOPLE.search(passage.text) is not None
    heads = {key.split()[-1] for key in counts}
    whole = [each for each in counts.values() if not each.after & heads]
    ranked = [_phrase(each, counts) for each in whole if not _is_person(each, people)]
    return tuple(sorted(ranked, key=lambda phrase: (-phrase.score, phrase.text)))


def _candidate(run: Run, *, heading: bool) -> list[str]:
    """Return the words of a run without empty first words; none if they are no phrase."""
    fixed = run.before in word_table("counting") | word_table("determiners")
    tokens = list(run.tokens)
    while tokens and _is_dull(tokens, fixed=fixed):
        tokens.pop(0)
    words = [token.word for token in tokens]
    longest = _LONGEST_NAME if _is_title(words) else _LONGEST
    if not words or len(words) > longest or _is_cut(run, len(words)):
        return []
    gerund = words[0].istitle() and words[0].endswith("ing") and len(words) > 1
    if gerund or len({word.lower() for word in words}) < len(words):
        return []
    if any(token.tag == "POS" or not _WORD.fullmatch(token.word) for token in tokens):
        return []
    head = next((token.word for token in reversed(tokens) if token.tag in NOUN_TAGS), "")
    good = head and not _has_verb(run, tokens, heading=heading) and _is_informative(words, head)
    return words if good else []


def _is_cut(run: Run, kept: int) -> bool:
    """Return whether a phrase lacks a part: `week agreement` of `two week agreement`."""
    dropped, tokens = run.tokens[:-kept], run.tokens[-kept:]
    number = (dropped[-1].word if dropped else run.before).lower()
    several = number.isdigit() or (listed_tag(number) == "CD" and number != "one")
    first, last = tokens[0].word, tokens[-1].word
    measured = several and not is_plural(last)
    listed = kept > 1 and first.islower() and is_plural(first) and is_plural(last)
    return measured or listed


def _is_dull(tokens: list[Token], *, fixed: bool) -> bool:
    """Return whether the first word adds nothing, such as `new` outside of a name."""
    first, *others = tokens
    if first.word.lower() in word_table("dull_words"):
        return not (first.word[:1].isupper() and others and others[0].word[:1].isupper())
    gerund = first.word.endswith("ing") and is_verb_only(first.word)
    return (gerund or first.tag in {"VBG", "VBN"}) and not fixed


def _has_verb(run: Run, tokens: list[Token], *, heading: bool) -> bool:
    """Return whether one of the words may be a verb: `variables work`, `use keys`."""
    first, last = tokens[0].word, tokens[-1].word
    if any(token.tag in {"VBG", "VBN"} for token in tokens[1:]):
        return True
    if len(tokens) > 1 and is_plural(first) and first.islower() and tokens[1].word.istitle():
        return True  # a verb: `implements Copy`
    if len(tokens) > 1 and last.islower() and (base(last) != last or can_be_verb(last)):
        plain = [token.word for token in tokens[:-1] if token.word.islower()]
        if run.after in word_table("objects") or any(is_plural(word) for word in plain):
            return True
    if not first.islower() and run.place:
        return False
    if not run.place and (first.endswith("ing") or (first.endswith("s") and is_verb_only(first))):
        return True
    placed = run.before in word_table("before_nouns") or (heading and len(tokens) == 1)
    return can_be_verb(first) and tokens[0] == run.tokens[0] and not placed


def _is_title(words: list[str]) -> bool:
    return all(word[:1].isupper() or word in {"of", "the"} for word in words)


def _is_informative(words: list[str], head: str) -> bool:
    lowered = [word.lower() for word in words]
    if set(lowered[words[0][:1].isupper() :]) & word_table("dull_words"):
        return False
    lemma = base(head, "NOUN")
    if words[-1].isdigit():
        return not {lemma, lowered[0]} & word_table("dull_heads")
    if len(words) == 1:
        dull = {lemma, head.lower()} & word_table("dull_heads")
        return not dull and len(head) > 2 and frequency(head) < _COMMON
    return lemma not in word_table("emptiest_heads")


def is_specific(subject: str) -> bool:
    """Return whether a subject identifies a kind of thing: `root keys`, not `valid values`."""
    words = re.findall(r"[\w][\w'.&-]*", subject)
    leading = map(word_table, ("dull_words", "counting", "determiners"))
    skipped = frozenset({"of", "and"}).union(*leading)
    kept = [word for word in words if word.lower() not in skipped]
    if not kept or not any(len(word) > 2 and word[:3].isalpha() for word in kept):
        return False
    people = base(kept[-1], "NOUN") in word_table("persons")
    return len(kept) > 1 or people or _is_informative(kept, kept[-1])


def is_thing(phrase: Phrase) -> bool:
    """Return whether a phrase is a name, or nouns of which the last one is informative."""
    first, *_, last = f"{phrase.topic} {phrase.topic}".removeprefix("the ").split()
    if phrase.named:
        return not last[-1].isdigit()
    quality = (listed_tag(first) or "NN")[:2] in {"JJ", "RB", "VB"}
    return last.islower() and not quality and base(last, "NOUN") not in word_table("dull_heads")


def _count(counts: _Counts, words: list[str], run: Run, heading: bool) -> None:
    text = " ".join(words)
    inside = run.place > 0 or heading
    counts.count += 1
    counts.heading += heading
    counts.inside += run.place > 0 and not heading
    counts.plural += is_plural(text)
    counts.capital += inside and _is_title(words)
    counts.compound |= any(token.tag in NOUN_TAGS for token in run.tokens[-len(words) : -1])
    if not counts.text or (counts.text[:1].isupper() and inside):
        counts.text = text if inside or _keeps_capital(words) else text[:1].lower() + text[1:]
    if len(run.tokens) == len(words) and (not heading or run.before == "the"):
        counts.before[run.before] += 1
    if run.after:
        counts.after.add(singular(run.after))


def _keeps_capital(words: list[str]) -> bool:
    first, *others = words
    if any(word[:1].isupper() for word in others):
        return True
    return not first[1:].islower() or listed_tag(first.lower()) is None


def _is_person(counts: _Counts, people: bool) -> bool:
    """Return whether a phrase may be a person's name; `people`: whether the passage has any."""
    names = [word for word in counts.text.split() if word[:1].isupper() and not word.isupper()]
    if not names or counts.before["the"]:
        return False
    rare = [word for word in names if listed_tag(word.lower()) is None]
    known = any(listed_tag(word) == "NNP" for word in rare)
    surname = names[-1] in rare and listed_tag(names[0]) == "NNP"
    of_two = len(names) > 1 and (known or surname)
    return of_two or (people and (bool(rare) or not counts.heading))


def _phrase(counts: _Counts, others: dict[str, _Counts]) -> Phrase:
    words = counts.text.split()
    named = counts.capital > 0 and _is_title(words)
    counted = counts.plural or any(counts.before[word] for word in word_table("counting"))
    closed = word_table("counting") | word_table("determiners") | {""}
    bare = sum(number for word, number in counts.before.items() if word not in closed)
    text, topic = counts.text, singular(counts.text)
    several = is_counted(topic)
    definite = counts.before["the"] > (len(words) == 1)
    if named:
        text = f"the {text}" if counts.before["the"] > max(bare, len(words) == 1) else text
    elif not counted and (definite or bare) and (several or not bare):
        text = f"the {text}"
    elif counted or several:
        *front, head = topic.split()
        kept = is_plural(head) or not head.islower()
        text = " ".join([*front, head if kept else inflect(head, "NNS")])
    central, score = counts.heading > 0, _score(counts, others)
    return Phrase(text=text, topic=topic, named=named, central=central, score=score)


def _score(counts: _Counts, others: dict[str, _Counts]) -> float:
    """Return how good a topic a phrase is: in headings, repeated, neither short nor long."""
    *front, last = counts.text.split()
    head = singular(last).lower()
    again = sum(other.count for key, other in others.items() if key.split()[-1] == head)
    rarest = min(frequency(word) for word in (*front, last))
    score = 3.0 * min(counts.heading, 1) + min(counts.count, 4) + 0.5 * min(again - counts.count, 3)
    score += {0: 0.0, 1: 1.5, 2: 0.5}.get(len(front), 0.0) + 1.0 * counts.compound
    score += 1.0 * (counts.inside > 0) + 0.5 * (counts.capital > 0) - max(0.0, rarest - 4.0)
    if rarest == 0:
        score -= 1.5
    if not counts.heading and last.islower() and base(last, "NOUN") in word_table("dull_heads"):
        score -= 2.0
    if any(word.islower() and is_plural(word) for word in front) and counts.count < 2:
        score -= 3.0
    if front and last.islower() and base(last) != last and counts.plural == counts.count:
        score -= 1.0  # perhaps a verb: `the list grows`
    return score - 2.0 * (base(last, "NOUN") in word_table("persons"))


@lru_cache
def word_table(name: str) -> frozenset[str]:
    """Return a word list of `tables/phrases.yaml`."""
    return frozenset(str(table("phrases")[name]).split())
