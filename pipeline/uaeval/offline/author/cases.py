"""Find what a passage says of one case of several: questions that can be asked without the case.

The case is a modifier, as in `annual leave`, the row of a table, or the document of a section.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from uaeval.offline.facts import body, definitions, facts
from uaeval.offline.phrases import word_table
from uaeval.offline.tables import pick, table
from uaeval.records import Passage
from uaeval.text.english import can_be_verb, is_plural, runs, tag
from uaeval.text.sentences import is_plain, named_title, sentences, tidy
from uaeval.text.structure import cells, heading_readings
from uaeval.text.words import stems

HEADING = re.compile(r"^[ #]*(?:\d[\d.]*\s+)?([A-Z][^.!:;=|*\n]{2,60}?)\??\s*$", re.M)
_WORDED = re.compile(r"[A-Z][^_#/\\]*$")
"""A title that is words, not an identifier."""
_IDENTIFIES = re.compile(
    r"(?i)what .* used for\?|(?:what|who) (?:do(?:es)? .* mean\?|"
    r"(?:is|are|was|were) (?!.* (?:by|for|from|in|on|to)\?))"
)
_INSTRUCTS = re.compile(
    r"\byou(?:'re|'ll| can| must| should| will| need| have)\b|\bto \w+ .+, ", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question without its case, and what the passage answers for its own case."""

    query: str
    value: str
    """The case."""
    question: str
    """The query with the case."""
    answer: str
    quote: str
    level: str
    """What the cases have in common; cases of different levels are not compared."""
    topic: frozenset[str] = frozenset()
    """Stems of a heading that a document of its own may have."""


def asked(passage: Passage) -> tuple[Asked, ...]:
    """Return what can be asked of a passage without naming its case, the plainest first."""
    return _asked(replace(passage, number=1))


@lru_cache(maxsize=65536)
def _asked(passage: Passage) -> tuple[Asked, ...]:
    return (*_by_fact(passage), *_by_row(passage), *_by_name(passage))


def _by_fact(passage: Passage) -> Iterator[Asked]:
    """Yield the questions of facts about things of one kind of several."""
    for fact in (*facts(passage), *definitions(passage)):
        if fact.kind in {"identity", "whether"} or _IDENTIFIES.match(fact.question):
            continue  # what is a thing without its case?
        for value, query in _without_modifiers(fact.question):
            yield Asked(
                query=query,
                value=value,
                question=fact.question,
                answer=fact.answer,
                quote=fact.quote,
                level="modifier",
            )


def _by_row(passage: Passage) -> Iterator[Asked]:
    """Yield what a table says of its rows, asked by the name of a column."""
    for cell in cells(passage.text):
        form = f"What {'are' if is_plural(cell.column) else 'is'} the {cell.column.lower()}"
        yield Asked(
            query=f"{form}?",
            value=cell.row,
            question=f"{form} for {cell.row}?",
            answer=cell.text,
            quote=cell.line,
            level=f"row {cell.kind}",
        )


def _by_name(passage: Passage) -> Iterator[Asked]:
    """Yield the questions for things that headings name, without the document of the things."""
    place = named_title(passage.title)
    for name, quote, answer in _named(passage) if _WORDED.match(place) else ():
        readings = dict(heading_readings(name, answer))
        thing, act = readings.get("thing", ""), "act" in readings and _orders(answer)
        if thing and not act and not stems(place) & stems(thing):
            form = form_for("thing", thing)
            yield Asked(
                query=form.format(thing),
                value=place,
                question=form.format(f"{thing} for {place}"),
                answer=answer,
                quote=quote,
                level="title",
                topic=stems(thing),
            )


def _named(passage: Passage) -> Iterator[tuple[str, str, str]]:
    """Yield the headings of a passage, each with the first sentence below, and as an answer."""
    first, *parts = HEADING.split(body(passage))
    names = [passage.heading.rpartition(" › ")[2] or passage.title, *parts[::2]]
    for name, text in zip(names, [first, *parts[1::2]], strict=True):
        found = {first_sentence(text, name, instructs=instructs) for instructs in (True, False)}
        yield from ((name, *each) for each in found if each)


def form_for(kind: str, said: str) -> str:
    """Return how an act or a thing is asked for."""
    form: str = pick(table("underspecified")[kind], said.lower())
    return form


def _without_modifiers(text: str) -> Iterator[tuple[str, str]]:
    """Yield the modifiers of each noun phrase of a text, and the text without them."""
    for run in runs(text):
        said = [token.word for token in run.tokens]
        verbal = run.after == "?" and can_be_verb(said[-1])
        for count in range(1, (len(said) - verbal) * (run.place > 0)):
            value = " ".join(said[:count])
            kept = f"{text} ".replace(f" {value} ", " ", 1).strip()
            dull = {word.lower() for word in said[:count]} & word_table("dull_words")
            if not dull and kept != text:
                yield value, re.sub(r"\ban? (?=(.))", _article, kept, count=1)


def _article(match: re.Match[str]) -> str:
    return "an " if match[1].lower() in "aeio" else "a "


def first_sentence(text: str, heading: str, *, instructs: bool) -> tuple[str, str] | None:
    """Return the first whole sentence of a passage, as it stands and as an answer."""
    for sentence in sentences(text)[: 6 if instructs else 3]:
        plain = tidy(sentence)
        on_topic = _orders(plain) if instructs else stems(heading) & stems(plain)
        if is_plain(sentence) and on_topic:
            return sentence, plain.rstrip(".")
    return None


def _orders(sentence: str) -> bool:
    return tag(sentence)[0].tag == "VB" or _INSTRUCTS.search(sentence) is not None
