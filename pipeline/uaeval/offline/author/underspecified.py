"""Write queries that lack what tells several passages apart.

Two passages are parallel where the same thing is said of different subjects: the same section of
different documents, or the same question about `the X form` and `the Y form`. The query asks
without the subject; each passage gives one reading.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.categories.underspecified import UnderspecifiedDraft
from uaeval.llm.replies import ReadingDraft, TwinDraft, Written
from uaeval.offline.tables import pick, table
from uaeval.records import Passage
from uaeval.text.english import tag
from uaeval.text.entries import Entry, entries
from uaeval.text.headings import heading_readings
from uaeval.text.sentences import is_plain, sentences, tidy
from uaeval.text.words import normalise, stems, words

DECLINED = "no other passage says the same of another subject"
READINGS = 4
"""Most readings of a query."""
_ACTS = re.compile(r"how |what (?:do i|is the way|should i do)", re.I)
_WORDED = re.compile(r"[A-Z][^_#/\\]*$")
"""A title that is words, not an identifier."""
_INSTRUCTS = re.compile(
    r"\byou(?:'re|'ll| can| must| should| will| need| have)\b|\bto \w+ .+, ", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question without its subject, and what the passage answers for its own subject."""

    query: str
    value: str
    """What tells the subject apart."""
    question: str
    """The query with its subject."""
    answer: str
    quote: str
    topic: frozenset[str]
    """Stems of the heading that it was made from."""


def write(
    *, language: str, turn: str, passage: Passage, related: Sequence[Passage]
) -> Written[UnderspecifiedDraft]:
    """Return a query that this and related passages answer differently, or why there is none."""
    for own in asked(passage):
        if any(own.topic <= stems(other.title) for other in related):
            continue  # it has a page of its own
        readings = [(passage, own), *_parallel(own, related)]
        if len(readings) > 1:
            return Written[UnderspecifiedDraft](declined=None, draft=_draft(readings[:READINGS]))
    return Written[UnderspecifiedDraft](declined=DECLINED, draft=None)


def _parallel(own: Asked, related: Sequence[Passage]) -> Iterator[tuple[Passage, Asked]]:
    """Yield other passages that answer the same query for another subject, one for each."""
    values, answers = {normalise(own.value)}, {normalise(own.answer)}
    pairs = [(other, found) for other in related for found in asked(other)]
    for other, found in pairs:
        if words(found.query) != words(own.query):
            continue
        value, answer = normalise(found.value), normalise(found.answer)
        named = (stems(found.value) - stems(own.value)) & stems(own.query)
        if value in values or answer in answers or named or _alike(own.answer, found.answer):
            continue
        values.add(value)
        answers.add(answer)
        yield other, found


def _alike(first: str, second: str) -> bool:
    """Return whether two answers say much the same."""
    one, two = stems(first), stems(second)
    return 2 * len(one & two) > min(len(one), len(two))


def _draft(readings: Sequence[tuple[Passage, Asked]]) -> UnderspecifiedDraft:
    own = readings[0][1]
    values = ", ".join(asked.value for _, asked in readings)
    return UnderspecifiedDraft(
        twin=TwinDraft(question=own.question, answer=own.answer, quote=own.quote),
        question=own.query,
        reason=f"Does not say which is meant: {values}. Each has another answer.",
        subtype="entity",
        readings=[
            ReadingDraft(
                question=asked.question,
                value=asked.value,
                passage=passage.number,
                answer=asked.answer,
            )
            for passage, asked in readings
        ],
    )


@lru_cache(maxsize=65536)
def asked(passage: Passage) -> tuple[Asked, ...]:
    """Return what can be asked of a passage without naming its subject."""
    listed = (_by_entry(entry) for entry in entries(passage.title, passage.text) if entry.place)
    return (*_by_heading(passage), *listed)


def _by_entry(entry: Entry) -> Asked:
    """Return the question for a name that other documents explain, too."""
    return Asked(
        query=entry.question.replace(f" in {entry.place}?", "?"),
        value=entry.place,
        question=entry.question,
        answer=entry.answer,
        quote=entry.quote,
        topic=frozenset({entry.term}),
    )


def _by_heading(passage: Passage) -> list[Asked]:
    """Return the question that the passage's own heading asks, for its document."""
    title, last = passage.title, passage.heading.rpartition(" › ")[2].strip().rstrip(":")
    if not _WORDED.match(title) or stems(title) & stems(last):
        return []
    return [
        Asked(
            query=query,
            value=title,
            question=f"As for {title}, {query[:1].lower()}{query[1:]}",
            answer=found[1],
            quote=found[0],
            topic=stems(last),
        )
        for query in heading_questions(last, passage.text)
        if (found := first_sentence(passage.text, last, instructs=bool(_ACTS.match(query))))
    ][:1]


def heading_questions(heading: str, text: str, *, acts: bool = False) -> Iterator[str]:
    """Yield the questions that a heading may stand for, with `acts` only how something is done."""
    for kind, said in heading_readings(heading, text):
        if kind == "act" or not acts:
            yield pick(table("underspecified")[kind], said.lower()).format(said)


def first_sentence(text: str, heading: str, *, instructs: bool) -> tuple[str, str] | None:
    """Return the first whole sentence of a passage, as it stands and as an answer."""
    for sentence in sentences(text)[: 6 if instructs else 3]:
        plain = tidy(sentence)
        orders = tag(plain)[0].tag == "VB" or _INSTRUCTS.search(plain)
        on_topic = orders if instructs else stems(heading) & stems(plain)
        if is_plain(sentence) and on_topic:
            return sentence, plain.rstrip(".")
    return None
