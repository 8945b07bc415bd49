"""What an underspecified query may mean: one reading, with the passage that answers it."""

import re
from dataclasses import dataclass

from uaeval.llm.rules import grammar
from uaeval.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One reading of a query that several passages answer."""

    base: str
    """The query, without what singles this reading out."""
    question: str
    """The completed question."""
    value: str
    """The words that single it out."""
    answer: str
    quote: str
    """The words of the passage that hold the answer, verbatim."""
    passage: int


_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|play|step|annex)\s+)?(?:[\dA-Z]{1,2}|[ivx]+)\s*[-–—.:)]\s+",
    re.IGNORECASE,
)
_SIDE = re.compile(r"\s+[-–—|]\s+|:\s+|\s*\(|,\s")
_NOT_NOUN = re.compile(
    r"^(?:how|what|why|when|where|who|which|do|does|is|are|can|should|if|about|our|we|you|your|i|"
    r"getting started|introduction|overview|welcome|home|index|readme|contributing|faq|glossary|"
    r"general|other|more|additional|frequently|resources|tips|misc\w*|appendix|request|updating|"
    r"use|using|working|the)\b",
    re.IGNORECASE,
)


def topic(passage: Passage) -> str | None:
    """Name what a passage's document is about, as a noun phrase; `None` if its title is none."""
    title = _SIDE.split(_NUMBERING.sub("", passage.title.strip()))[0].strip(" .?!")
    return noun_phrase(title)


def noun_phrase(text: str) -> str | None:
    """Return a title as it stands inside a question; `None` if it is no noun phrase."""
    title = re.sub(r"\s*&\s*", " and ", text).strip(" .?!")
    words = title.split()
    if not 1 <= len(words) <= 6 or _NOT_NOUN.match(title) or re.search(r"[^\w '’/.-]", title):
        return None
    if words[0].endswith("ing") and not title.isupper() and len(words) > 1:
        return None
    return in_sentence(title)


def in_sentence(title: str) -> str:
    """Write a heading as it stands in running text: plain words small, names as they are."""
    words = title.split()
    if all(word[0].isupper() or not word[0].isalpha() for word in words) and len(words) > 1:
        return title if any(not grammar.lemmas(w.lower()) for w in words) else title.lower()
    first = words[0]
    if len(words) == 1:
        plain = bool(grammar.lemmas(first.lower())) and first.istitle() and first.endswith("s")
        return first.lower() if plain else first
    small = bool(grammar.lemmas(first.lower())) and first.istitle()
    return " ".join([first.lower() if small else first, *words[1:]])


def distinct(options: list[Option]) -> list[Option]:
    """Keep one reading for each passage, value and answer."""
    kept: list[Option] = []
    for option in options:
        if not any(_same(option, other) for other in kept):
            kept.append(option)
    return kept


def _same(one: Option, other: Option) -> bool:
    return (
        one.passage == other.passage
        or normal(one.value) == normal(other.value)
        or normal(one.answer) == normal(other.answer)
    )


def normal(text: str) -> str:
    """Return a text's words in small letters, for comparison."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))
