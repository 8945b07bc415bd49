"""Read the headings, the explained terms and the tables of a text.

Terms are explained in lists of options, fields and glossaries.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from uaeval.text import english
from uaeval.text.clauses import as_asker
from uaeval.text.parsing import clause
from uaeval.text.sentences import cased, is_plain, sentences, tidy
from uaeval.text.words import stems, wordlist

LONGEST_HEADING: Final = 8
_ASKS: Final = re.compile(
    r"(?:(?:who|what|when|where|why|which \w+|how(?: \w+)?) )?"
    r"(?:can|do|does|did|is|are|was|should|will|must|has|have)\b .",
    re.I,
)
_VERBAL: Final = frozenset({"VB", "VBP", "VBD", "MD", "IN", "RB", "TO"})
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
LONGEST_CELL: Final = 25
"""Words of a cell."""
LONGEST_ROW: Final = 6
"""Words of a cell that names its row."""
_NOMINAL: Final = frozenset({"NN", "NNS", "JJ", "IN", "VBG", "DT"})
HEADING: Final = re.compile(r"^[ #]*(?:\d[\d.]*\s+)?([A-Z][^.!:;=|*\n]{2,60}?)\??\s*$", re.M)
SEVERAL: Final = re.compile(r"\b(?:and|or|that|this|what|which|who|your?)\b", re.I)
"""Words of a heading that names several things, or depends on the text."""
_INSTRUCTS: Final = re.compile(
    r"\byou(?:'re|'ll| can| must| should| will| need| have)\b|\bto \w+ .+, ", re.I
)


class Section(NamedTuple):
    """What a heading names, and the first sentence on it."""

    kind: str
    """`act` or `thing`."""
    named: str
    quote: str
    answer: str


def named_sections(heading: str, text: str) -> Iterator[Section]:
    """Yield the acts and things that the headings of a text name; `heading` stands above it."""
    first, *parts = HEADING.split(text)
    for above, below in zip([heading, *parts[::2]], [first, *parts[1::2]], strict=True):
        found = (_first_sentence(below, above, instructs=each) for each in (True, False))
        for quote, answer in filter(None, dict.fromkeys(found)):
            readings = dict(_readings(above, answer))
            kind = "act" if "act" in readings and _instructs(answer) else "thing"
            if kind in readings:
                yield Section(kind, readings[kind], quote, answer)


def _first_sentence(text: str, heading: str, *, instructs: bool) -> tuple[str, str] | None:
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
    return english.tag(sentence)[0].tag == "VB" or _INSTRUCTS.search(sentence) is not None


def _readings(heading: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield each possible kind of a heading above `text`, and its wording of that kind.

    The kinds are `act` and `thing`; `Opening hours` is either, and a question is neither.
    """
    plain = re.sub(r"^[\d.)\s]+", "", heading).strip()
    tokens = () if _ASKS.match(plain) else _tokens(plain, text)
    if not tokens:
        return
    first, *others = [token.word for token in tokens]
    act = _starts_act(tokens)
    stated = {"VBP", "VBZ", "MD"} & {token.tag for token in tokens[1:]}
    if act and others and not stated and tokens[1].tag not in {"NN", "CC", "VBN", "VBD"}:
        verb = english.base(first) if first.endswith("ing") else first
        yield "act", as_asker(" ".join([verb, *others]))
    thing = not act or (first.endswith("ing") and english.listed_noun(first))
    last = tokens[-1].word
    noun = english.listed_noun(last) or english.listed_tag(last) is None
    if thing and noun and not _VERBAL & {each.tag for each in tokens[1:]}:
        yield "thing", as_asker(f"the {' '.join([first, *others])}")


def _starts_act(tokens: Sequence[english.Token]) -> bool:
    first = tokens[0].word
    verb = english.base(first) if first.endswith("ing") else first
    known = verb in wordlist("verbs") | wordlist("more_verbs")
    governs = english.is_verb_only(first) or (bool(tokens[1:]) and tokens[1].tag in {"DT", "PRP$"})
    return known or (governs and english.can_be_verb(verb))


def _tokens(heading: str, text: str) -> Sequence[english.Token]:
    """Return the words of a heading in the case that they have in its text; none if it is odd."""
    tokens = english.tag(cased(heading.rstrip("?"), text))
    if tokens and tokens[0].tag in {"DT", "PRP$"}:
        tokens = tokens[1:]
    dull = wordlist("plain_headings") | wordlist("wh") | wordlist("pointers")
    good = 1 <= len(tokens) <= LONGEST_HEADING and tokens[0].word.lower() not in dull
    return tokens if good and all(re.match(r"[\w'&-]+$", token.word) for token in tokens) else ()


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
    first, second, *_ = english.tag(answer)
    verb = first.word.lower()
    acts = (english.can_be_verb(verb) or english.is_verb_only(verb)) and second.tag in _FOLLOWING
    if place and acts:
        return f"What does {term} do in {place}?"
    name = cased(term, text)
    several = english.is_plural(name)
    if acts and verb.endswith("s") and not several:
        common = english.is_counted(name) or (" " in name and name.split()[-1].islower())
        return f"What does {'the ' if common else ''}{name} do?"
    is_phrase = verb in {"a", "an", "the"} and clause(answer) is None
    if is_phrase and term[:1].isupper() and len(english.tag(answer)) > FEWEST:
        return f"What {'are' if several else 'is'} {name}?"
    return None


class Cell(NamedTuple):
    """A cell beside the first of its row, and what names it."""

    kind: str
    """The name of the first column, which says what the rows are."""
    row: str
    """The first cell of its row."""
    column: str
    text: str
    line: str
    """The whole row, as it stands in the text."""


def cells(text: str) -> Iterator[Cell]:
    """Yield the cells of tables whose row is named by a few words, and whose column by a noun."""
    header: list[str] = []
    for line in text.split("\n"):
        kept = [tidy(cell) for cell in line.strip(" |").split("|")]
        if len(kept) < 2 or (header and len(kept) != len(header)):
            header = []
        elif not header:
            header = kept if len(set(kept)) == len(kept) else []
        elif _names_column(header[0]) and re.search(r"[a-z]", kept[0]):
            yield from _row(header, kept, line.strip())


def _row(header: list[str], kept: list[str], line: str) -> Iterator[Cell]:
    row = kept[0]
    for column, text in zip(header[1:], kept[1:], strict=True):
        brief = 0 < len(text.split()) <= LONGEST_CELL and len(row.split()) <= LONGEST_ROW
        if brief and text != row and _names_column(column):
            yield Cell(header[0], row, column, text, line)


def _names_column(name: str) -> bool:
    """Return whether the name of a column is a noun phrase that says something."""
    dull = wordlist("plain_headings") | {"name", "use"}
    if not re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+){0,3}", name) or name.lower() in dull:
        return False
    last = name.lower().split()[-1]
    nominal = {token.tag for token in english.tag(name.lower())} <= _NOMINAL
    noun = english.listed_noun(last) and (english.listed_tag(last) or "NN").startswith("NN")
    return nominal and noun and not name.endswith("ing")
