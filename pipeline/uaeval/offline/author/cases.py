"""Find what a passage states about one case of several: questions without their case.

The case is a modifier, as in `annual leave`, the row of a table, or the document of a section.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from uaeval.offline.facts import Fact, body, definitions, facts
from uaeval.offline.phrases import cached, word_table
from uaeval.offline.tables import pick, sign, table
from uaeval.records import Passage
from uaeval.text.english import can_be_verb, is_plural, listed_noun, runs
from uaeval.text.sentences import named_title
from uaeval.text.structure import SEVERAL, Section, cells, named_sections
from uaeval.text.words import stems

_WORDED = re.compile(r"[A-Z][^_#/\\]*$")  # a title that is words, not an identifier
_ARTICLE = re.compile(r"\ban? (?=([aeioAEIO])?)")
_IDENTIFIES = re.compile(
    r"(?i)what .* used for\?|(?:what|who) (?:do(?:es)? .* mean\?|"
    r"(?:is|are|was|were) (?!.* (?:by|for|from|in|on|to)\?))"
)
"""A question for what a thing is, which makes no sense without its case."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question without its case, the `value`, and what the passage answers for that case."""

    query: str
    value: str
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
            yield Case(query, value, fact.question, fact.answer, fact.quote, level="modifier")


def _by_row(passage: Passage) -> Iterator[Case]:
    """Yield questions for the cells of tables, with the name of the column."""
    for cell in cells(passage.text):
        form = f"What {'are' if is_plural(cell.column) else 'is'} the {cell.column.lower()}"
        question, level = f"{form} for {cell.row}?", f"row {cell.kind}"
        yield Case(f"{form}?", cell.row, question, cell.text, cell.line, level)


def _by_document(passage: Passage) -> Iterator[Case]:
    """Yield questions for the things that headings name, without the title of the document."""
    title = named_title(passage.title)
    for kind, thing, quote, answer in _sections(passage) if _WORDED.match(title) else ():
        if kind == "thing" and listed_noun(thing.split()[-1]) and not stems(title) & stems(thing):
            form = question_form("thing", thing)
            query, question = form.format(thing), form.format(f"{thing} for {title}")
            yield Case(query, title, question, answer, quote, "title", topic=stems(thing))


def _sections(passage: Passage) -> Iterator[Section]:
    heading = passage.heading.rpartition(" › ")[2] or passage.title
    return named_sections(heading, body(passage))


def stated(passage: Passage) -> tuple[Fact, ...]:
    """Return every question that a passage answers on its own."""
    return (*definitions(passage), *facts(passage), *_headed(passage))


@cached
def _headed(passage: Passage) -> tuple[Fact, ...]:
    """Return questions for what single headings name."""
    found = []
    for kind, named, quote, answer in _sections(passage):
        unfit = SEVERAL.search(named) or (kind == "thing" and len(named.split()) < 3)
        if not unfit and stems(named) & stems(answer) - stems(passage.title):
            question = question_form(kind, named).format(named)
            fields = {"answer": answer, "quote": quote, "subject": named, "kind": "how"}
            found.append(Fact(question=question, **fields))
    return tuple(found)


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
            if not dull and kept != text and not sign("malformed").search(kept):
                yield value, _ARTICLE.sub(lambda a: "an " if a[1] else "a ", kept, count=1)
