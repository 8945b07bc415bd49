"""Find what a passage states about one case of several: questions without their case.

The case is a modifier, as in `annual leave`, the row of a table, or the document of a section.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from uaeval.offline.facts import body, definitions, facts
from uaeval.offline.passages import cached
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
"""A question for what a thing is, which makes no sense without its case."""
_INSTRUCTS = re.compile(
    r"\byou(?:'re|'ll| can| must| should| will| need| have)\b|\bto \w+ .+, ", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question without its case, and what the passage answers for that case."""

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


@cached
def cases(passage: Passage) -> tuple[Case, ...]:
    """Return the questions that a passage answers for one case, the plainest first."""
    return (*_by_modifier(passage), *_by_row(passage), *_by_document(passage))


def _by_modifier(passage: Passage) -> Iterator[Case]:
    """Yield the questions of facts about things of one kind."""
    for fact in (*facts(passage), *definitions(passage)):
        if fact.kind in {"identity", "whether"} or _IDENTIFIES.match(fact.question):
            continue
        for value, query in _without_modifiers(fact.question):
            yield Case(
                query=query,
                value=value,
                question=fact.question,
                answer=fact.answer,
                quote=fact.quote,
                level="modifier",
            )


def _by_row(passage: Passage) -> Iterator[Case]:
    """Yield questions for the cells of tables, with the name of the column."""
    for cell in cells(passage.text):
        form = f"What {'are' if is_plural(cell.column) else 'is'} the {cell.column.lower()}"
        yield Case(
            query=f"{form}?",
            value=cell.row,
            question=f"{form} for {cell.row}?",
            answer=cell.text,
            quote=cell.line,
            level=f"row {cell.kind}",
        )


def _by_document(passage: Passage) -> Iterator[Case]:
    """Yield questions for the things that headings name, without the title of the document."""
    title = named_title(passage.title)
    for heading, quote, answer in _sections(passage) if _WORDED.match(title) else ():
        readings = dict(heading_readings(heading, answer))
        thing, act = readings.get("thing", ""), "act" in readings and _instructs(answer)
        if thing and not act and not stems(title) & stems(thing):
            form = question_form("thing", thing)
            yield Case(
                query=form.format(thing),
                value=title,
                question=form.format(f"{thing} for {title}"),
                answer=answer,
                quote=quote,
                level="title",
                topic=stems(thing),
            )


def _sections(passage: Passage) -> Iterator[tuple[str, str, str]]:
    """Yield the headings of a passage, each with a first sentence below it, and its answer."""
    first, *parts = HEADING.split(body(passage))
    headings = [passage.heading.rpartition(" › ")[2] or passage.title, *parts[::2]]
    for heading, text in zip(headings, [first, *parts[1::2]], strict=True):
        found = {first_sentence(text, heading, instructs=each) for each in (True, False)}
        yield from ((heading, *pair) for pair in found if pair)


def question_form(kind: str, topic: str) -> str:
    """Return the form of a question for an `act` or a `thing`."""
    return str(pick(table("underspecified")[kind], topic.lower()))


def _without_modifiers(text: str) -> Iterator[tuple[str, str]]:
    """Yield the modifiers of each noun phrase of a text, and the text without them."""
    for run in runs(text):
        phrase = [token.word for token in run.tokens]
        verbal = run.after == "?" and can_be_verb(phrase[-1])
        for count in range(1, (len(phrase) - verbal) * (run.place > 0)):
            value = " ".join(phrase[:count])
            kept = f"{text} ".replace(f" {value} ", " ", 1).strip()
            dull = {word.lower() for word in phrase[:count]} & word_table("dull_words")
            if not dull and kept != text:
                yield value, re.sub(r"\ban? (?=(.))", _article, kept, count=1)


def _article(match: re.Match[str]) -> str:
    return "an " if match[1].lower() in "aeio" else "a "


def first_sentence(text: str, heading: str, *, instructs: bool) -> tuple[str, str] | None:
    """Return the first whole sentence on a heading's topic, unchanged and as an answer.

    `instructs`: return an instruction instead, whatever it is about.
    """
    for sentence in sentences(text)[: 6 if instructs else 3]:
        plain = tidy(sentence)
        suits = _instructs(plain) if instructs else stems(heading) & stems(plain)
        if is_plain(sentence) and suits:
            return sentence, plain.rstrip(".")
    return None


def _instructs(sentence: str) -> bool:
    return tag(sentence)[0].tag == "VB" or _INSTRUCTS.search(sentence) is not None
