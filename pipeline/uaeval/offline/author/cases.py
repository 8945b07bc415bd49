"""Find what a passage says of one case of several: questions that can be asked without the case.

The case is a modifier, as in `annual leave`, the row of a table, or what a section belongs to.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from uaeval.offline.facts import body, definitions, facts
from uaeval.offline.phrases import word_table
from uaeval.offline.tables import pick, table
from uaeval.records import Passage
from uaeval.text.english import base, can_be_verb, is_plural, listed_noun, runs, tag
from uaeval.text.entries import items
from uaeval.text.headings import heading_readings
from uaeval.text.sentences import is_plain, named_title, sentences, tidy
from uaeval.text.wordlists import wordlist
from uaeval.text.words import stems

HEADING = re.compile(r"^[ #]*(?:\d[\d.]*\s+)?([A-Z][^.!:;=|*\n]{2,60}?)\??\s*$", re.M)
LONGEST_CELL, LONGEST_ROW = 25, 6
"""Words of a table's cell that answers, and of one that names its row."""
_NUMBERING = re.compile(r"^(?:step )?\d+[.)]?\s+", re.I)
_WORDED = re.compile(r"[A-Z][^_#/\\]*$")
"""A title that is words, not an identifier."""
_IDENTIFIES = re.compile(
    r"(?:what|who) (?:(?:is|are|was|were) (?!.* (?:by|for|from|in|on|to)\?)|do(?:es)? .* mean\?)",
    re.I,
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
        if fact.kind in {"entry", "identity", "whether"} or _IDENTIFIES.match(fact.question):
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
    """Yield what a table says of its rows, asked by the names of two columns."""
    header: list[str] = []
    for line in passage.text.split("\n"):
        cells = [tidy(cell) for cell in line.strip(" |").split("|")]
        if len(cells) < 2 or (header and len(cells) != len(header)):
            header = []
        elif not header:
            header = cells if len(set(cells)) == len(cells) else []
        else:
            yield from _by_cells(header, cells, line.strip())


def _by_cells(header: Sequence[str], cells: Sequence[str], line: str) -> Iterator[Asked]:
    kind, row = header[0], cells[0]
    if not _names_column(kind) or not re.search(r"[a-z]", row) or len(row.split()) > LONGEST_ROW:
        return
    for name, cell in zip(header[1:], cells[1:], strict=True):
        if _names_column(name) and 0 < len(cell.split()) <= LONGEST_CELL and cell != row:
            form = f"What {'are' if is_plural(name) else 'is'} the {name.lower()} for {{}}?"
            yield Asked(
                query=form.format(f"the {kind.lower()}"),
                value=row,
                question=form.format(row),
                answer=cell,
                quote=line,
                level="row",
            )


def _names_column(name: str) -> bool:
    """Return whether the name of a column is a noun phrase that says something."""
    dull = wordlist("plain_headings") | word_table("dull_words") | {"name"}
    plain = re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+){0,3}", name) and name.lower() not in dull
    tags = {token.tag for token in tag(name.lower())}
    nouns = tags <= {"NN", "NNS", "JJ", "IN", "VBG", "DT"} and not name.endswith("ing")
    return bool(plain) and nouns and listed_noun(name.split()[-1])


def _by_name(passage: Passage) -> Iterator[Asked]:
    """Yield the questions that headings and list items ask, for what they belong to or are of."""
    for places, name, quote, answer in _named(passage):
        for kind, said in _readings(name, answer):
            query, topic = form_for(kind, said).format(said), stems(said)
            fields = {"query": query, "answer": answer, "quote": quote}
            for level, place in places.items():
                if _WORDED.match(place) and not stems(place) & topic:
                    asked_for = _asked_for(place, kind, said)
                    yield Asked(value=place, question=asked_for, level=level, topic=topic, **fields)
            for value, reduced in _without_modifiers(said):
                if kind != "act" and base(reduced.split()[-1], "NOUN") in word_table("dull_heads"):
                    continue
                form, level = form_for(kind, reduced), f"modifier {passage.title}"
                fields |= {"query": form.format(reduced), "question": form.format(said)}
                yield Asked(value=value, level=level, topic=stems(reduced), **fields)


def _named(passage: Passage) -> Iterator[tuple[dict[str, str], str, str, str]]:
    """Yield what headings and list items name, what they stand under, and their first sentence."""
    path = [passage.title, *filter(None, passage.heading.split(" › "))]
    first, *parts = HEADING.split(body(passage))
    inner = zip(parts[::2], parts[1::2], strict=True)
    sections = [(path[:-1], path[-1], first), *((path, name, text) for name, text in inner)]
    for above, heading, text in sections:
        name = _NUMBERING.sub("", heading).rstrip(": ")
        found = {first_sentence(text, name, instructs=instructs) for instructs in (True, False)}
        yield from ((_places(above), name, *each) for each in found if each)
    for term, text in items(passage.text):
        quote = next(iter(sentences(text)), "")
        if is_plain(quote):
            section = {level: place for level, place in _places(path).items() if level != "title"}
            yield section, term, quote, tidy(quote).rstrip(".")


def _places(above: Sequence[str]) -> dict[str, str]:
    """Return what a heading or item belongs to, by level: its document, and its section there."""
    places = {"title": named_title(above[0])} if above else {}
    return places | ({f"section {above[0]}": above[-1]} if len(above) > 1 else {})


def _readings(name: str, answer: str) -> Iterator[tuple[str, str]]:
    """Yield what a name stands for, if the answer is of that sort."""
    first = answer.split()[0].lower()
    readings = dict(heading_readings(name, answer))
    if "act" in readings and _orders(answer):
        yield "act", readings["act"]
    elif "thing" in readings and first.endswith("s") and can_be_verb(base(first)):
        yield "does", readings["thing"]
    else:
        yield from ((kind, said) for kind, said in readings.items() if kind != "act")


def _asked_for(place: str, kind: str, said: str) -> str:
    """Return the question for what a heading names in a document or section."""
    if kind == "thing":
        return form_for(kind, said).format(f"{said} for {place}")
    query = form_for(kind, said).format(said)
    return f"As for {place}, {query[:1].lower()}{query[1:]}"


def form_for(kind: str, said: str) -> str:
    """Return how an act, a thing or a question is asked for."""
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
