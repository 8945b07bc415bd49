"""The sections of a passage, and the sentence under a heading that meets it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.sentences import blocks, plain, split
from uaeval.types import Passage


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading of a passage."""

    heading: str
    parent: str
    text: str
    passage: Passage


@lru_cache(maxsize=8192)
def sections(passage: Passage) -> tuple[Section, ...]:
    """Return the sections of a passage with their headings."""
    return tuple(_sections(passage))


def _sections(passage: Passage) -> Iterator[Section]:
    parent, _, heading = passage.heading.rpartition(" › ")
    lines: list[str] = []
    for line in passage.text.splitlines():
        if re.match(r"#{1,6} ", line):
            yield Section(heading, parent, "\n".join(lines), passage)
            heading, lines = line.lstrip("# ").strip(), []
        else:
            lines.append(line)
    yield Section(heading, parent, "\n".join(lines), passage)


def raw_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text as they stand; lines of one paragraph are read together."""
    for block in blocks(text):
        yield from split(block)


def answering(text: str, looks: str) -> str | None:
    """Return the one of the first sentences of a section that looks like an answer."""
    return next(answering_all(text, looks, 3), None)


def answering_all(text: str, looks: str, first: int) -> Iterator[str]:
    """Yield those of the first sentences of a section that look like an answer."""
    for raw in islice(raw_sentences(text), first):
        shown = plain(raw)
        if (
            re.search(looks, shown, re.IGNORECASE)
            and 4 <= len(shown.split()) <= 28
            and _stands(shown)
        ):
            yield raw


_SAYS = re.compile(
    r"\b(?:is|are|was|were|can|can't|cannot|must|should|may|will|has|have|do|does|don't|you|go|"
    r"goes|"
    r"runs?|stops?|takes?|costs?|need|range)\b",
    re.IGNORECASE,
)


def _stands(sentence: str) -> bool:
    leads = re.match(r"(?:To|In order to|If|When|For|Before|After)\b.*, \w+", sentence)
    placed = re.match(
        r"(?:In|On|At|Near|Behind|Inside|Outside|Next to|Down|Past) the \w+", sentence
    )
    said = leads or placed or _SAYS.search(sentence) or grammar.starts_with_verb(sentence)
    if not said:
        return False
    return not re.match(
        r"(?:in addition|additionally|"
        r"it|they|this|these|that|those|see|note|however|but|and|or|also|then|otherwise|"
        r"for example|if so|there are many|as (?:noted|mentioned)|.*:$)\b",
        sentence,
        re.IGNORECASE,
    ) and not re.search(r"\b(?:above|below|following|here|previous|also)\b|[<>{}|]", sentence)
