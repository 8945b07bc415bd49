"""Find the entries of lists that explain terms, such as options, fields and glossaries."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from uaeval.text.english import can_be_verb, is_verb_only, tag
from uaeval.text.sentences import sentences, tidy
from uaeval.text.wordlists import wordlist

FEWEST, MOST = 5, 30
"""Fewest and most words of an explanation."""
_ITEM: Final = re.compile(r"\s*(?:[-*+•]\s|:\s| {2,}(?=\S))\s*(.+)")
_VALUE: Final = re.compile(r"\s*[=\[(<|].*|[*`:]")
"""Text after the name of an option or field: its value, its type, or markup."""
_TERM: Final = re.compile(r"-{0,2}[A-Za-z]\w*(?:[-_.]\w+)*(?: [\w.-]+){0,3}")
IDENTIFIER: Final = re.compile(r"(?<!\S)(?:--[a-z][\w-]+|\w*[a-z]\w*[._][A-Za-z]\w*(?:[._]\w+)*)")
"""A name of code or configuration inside a question."""
_FOLLOWING: Final = frozenset("DT PRP$ IN JJ NN NNS VBN CD TO".split())


class Entry(NamedTuple):
    """A term, the question that asks for it, and the sentence that explains it."""

    term: str
    question: str
    answer: str
    quote: str
    place: str
    """The place of the term that the question names; empty if it names none."""


def entries(title: str, text: str) -> Iterator[Entry]:
    """Yield the entries of a text where a line with a term precedes its explanation."""
    for line, below in pairwise(text.split("\n")):
        item = _ITEM.fullmatch(below)
        term = _VALUE.sub("", re.sub(r"^\s*[-*+•] ", "", line)).strip()
        if not item or not _TERM.fullmatch(term):
            continue
        quote = next(iter(sentences(item[1])), "")
        answer = tidy(quote)
        place = re.sub(r"\(\d\)$", "", title)
        place = place if IDENTIFIER.fullmatch(term) and " " not in place else ""
        if question := _asked(term, answer, place):
            yield Entry(term, question, answer.rstrip("."), quote, place)


def _asked(term: str, answer: str, place: str) -> str | None:
    """Return the question for a term: what a name of code does, or what a thing is."""
    answer_words = set(re.findall(r"[a-z]+", answer.lower()))
    if not answer.endswith(".") or not FEWEST <= len(answer.split()) <= MOST:
        return None
    if answer_words & (wordlist("anaphora") | wordlist("about_text")) or not answer[:1].isupper():
        return None
    first, second, *_ = tag(answer)
    verb = first.word.lower()
    acts = (can_be_verb(verb) or is_verb_only(verb)) and second.tag in _FOLLOWING
    if place and acts:
        return f"What does {term} do in {place}?"
    if verb in {"a", "an", "the"} and term[:1].isupper() and len(tag(answer)) > FEWEST:
        return f"What is {term}?"
    return None
