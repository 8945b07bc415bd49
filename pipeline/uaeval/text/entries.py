"""Find the entries of lists that explain terms, such as options, fields and glossaries."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from uaeval.text.english import can_be_verb, is_counted, is_plural, is_verb_only, tag
from uaeval.text.parsing import clause
from uaeval.text.sentences import cased, sentences, tidy
from uaeval.text.wordlists import wordlist

FEWEST, MOST = 5, 30
"""Fewest and most words of an explanation."""
_ITEM: Final = re.compile(r"\s*(?:[-*+•]\s|:\s| {2,}(?=\S))\s*(.+)")
_INLINE: Final = re.compile(r"\s*[-*+•]\s+([^\W\d_][\w' -]{2,40})(?:: | [-–—] )([A-Z].{20,})")
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


def entries(title: str, text: str) -> Iterator[Entry]:
    """Yield the entries of a text in which a line with a term stands above its explanation."""
    for term, said in items(text):
        quote = next(iter(sentences(said)), "")
        answer = tidy(quote)
        place = re.sub(r"\(\d\)$", "", title)
        place = place if IDENTIFIER.fullmatch(term) and " " not in place else ""
        if question := _asked(term, answer, place, text):
            yield Entry(term, question, answer.rstrip("."), quote)


def items(text: str) -> Iterator[tuple[str, str]]:
    """Yield terms and what is said of each, on the line below or behind a colon or dash."""
    for line, below in pairwise([*text.split("\n"), ""]):
        item, inline = _ITEM.fullmatch(below), _INLINE.fullmatch(line)
        term = _VALUE.sub("", re.sub(r"^\s*[-*+•] ", "", line)).strip()
        if inline:
            yield inline[1], inline[2]
        elif item and _TERM.fullmatch(term):
            yield term, item[1]


def _asked(term: str, answer: str, place: str, text: str) -> str | None:
    """Return the question for a term: of a name what it does, of a thing what it is."""
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
    name = cased(term, text)
    several = is_plural(name)
    if acts and verb.endswith("s") and not several:
        common = is_counted(name) or (" " in name and name.split()[-1].islower())
        return f"What does {'the ' if common else ''}{name} do?"
    is_phrase = verb in {"a", "an", "the"} and clause(answer) is None
    if is_phrase and term[:1].isupper() and len(tag(answer)) > FEWEST:
        return f"What {'are' if several else 'is'} {name}?"
    return None
