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
from uaeval.text.clauses import as_asker
from uaeval.text.english import base, listed_noun, tag
from uaeval.text.entries import Entry, entries
from uaeval.text.sentences import sentences, tidy
from uaeval.text.wordlists import wordlist
from uaeval.text.words import normalise, stems

DECLINED = "no other passage says the same of another subject"
READINGS = 4
"""Most readings of a query."""
LONGEST_ANSWER = 40
"""Words of a sentence that answers."""
_ASKS = re.compile(
    r"(?:(?:who|what|when|where|why|which \w+|how(?: \w+)?) )?"
    r"(?:can|do|does|did|is|are|was|should|will|must|has|have)\b .",
    re.I,
)
"""A heading that is a question by itself."""
_ACTS = re.compile(r"how |what (?:do i|is the way|should i do)", re.I)
_WORDED = re.compile(r"[A-Z][^_#/\\]*$")
"""A title that is words, not an identifier."""
_INSTRUCTS = re.compile(
    r"\byou(?:'re|'ll| can| must| should| will| need| have)\b|\bto \w+ .+, ", re.I
)
_POINTER = re.compile(
    r"\b(?:note|see|visit|refer|read|page|link|guide|below|follow|let's|we)\b", re.I
)
"""Words of a sentence that points to an answer and gives none."""


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
        if found.query != own.query:
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
        for query in heading_questions(last)
        if (found := _first_sentence(passage.text, last, instructs=bool(_ACTS.match(query))))
    ][:1]


def heading_questions(heading: str) -> Iterator[str]:
    """Yield the questions that a heading may stand for; `Opening hours` is an act or a thing."""
    plain = re.sub(r"^[\d.)\s]+", "", heading).strip()
    if _ASKS.match(plain):
        yield f"{plain.rstrip('?')}?"
        return
    tokens = tag(plain.rstrip("?"))
    if tokens and tokens[0].tag in {"DT", "PRP$"}:
        tokens = tokens[1:]
    if not 1 <= len(tokens) <= 8 or not all(re.match(r"[\w'&-]+$", t.word) for t in tokens):
        return
    first, *others = [word if word[1:].lower() != word[1:] else word.lower() for word, _ in tokens]
    if first in wordlist("plain_headings") | wordlist("wh") | wordlist("pointers"):
        return
    verb = base(first) if first.endswith("ing") else first
    act = verb in wordlist("verbs") | wordlist("more_verbs")
    if act and others and tokens[1].tag not in {"NN", "CC"}:
        phrase = as_asker(" ".join([verb, *others]))
        yield pick(table("underspecified")["act"], phrase).format(phrase)
        if not (first.endswith("ing") and listed_noun(first)):
            return
    phrase = as_asker(" ".join([first, *others]))
    verbal = {"VB", "VBP", "VBD", "MD", "IN", "RB", "TO"} & {token.tag for token in tokens[1:]}
    if not verbal and listed_noun(tokens[-1].word):
        yield pick(table("underspecified")["thing"], phrase).format(phrase)


def _first_sentence(text: str, heading: str, *, instructs: bool) -> tuple[str, str] | None:
    """Return the first whole sentence of a passage, as it stands and as an answer."""
    for sentence in sentences(text)[: 6 if instructs else 3]:
        plain = tidy(sentence)
        orders = tag(plain)[0].tag == "VB" or _INSTRUCTS.search(plain)
        leans = set(re.findall(r"[a-z]+", plain.lower())) & wordlist("anaphora")
        good = plain.endswith(".") and 5 <= len(plain.split()) <= LONGEST_ANSWER
        good = good and not _POINTER.search(plain) and "`" not in sentence
        on_topic = orders if instructs else stems(heading) & stems(plain)
        if good and plain[:1].isupper() and not leans and on_topic:
            return sentence, plain.rstrip(".")
    return None
