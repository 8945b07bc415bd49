"""Find the passages that an author compares with the one it writes from.

Best are parallel passages: they state the same kind of fact about different subjects.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from uaeval.categories.numbered_passages import take_turns
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.knowledge.retriever import Retriever
from uaeval.records import Chunk
from uaeval.text.sentences import sentences
from uaeval.text.words import count_words, stems, words

COMPARED: Final = 5_000
"""Most passages that are compared with each other."""
SHORTEST, LONGEST = 5, 45
"""Words of a sentence that may state a fact."""
NEAREST: Final = 25
"""Statements that are looked at for each statement."""
COMMON: Final = 0.05
"""Share of the statements that have a word, from which it does not tell what is stated."""
ENOUGH: Final = 5
"""Words that two statements share, from which the likeness counts in full."""
COPY: Final = 0.9
"""Likeness from which two statements are copies."""
SAME_SECTION: Final = 0.6
"""Factor of the likeness of statements from one section, which mostly go on about one subject."""
SAME_QUERY: Final = 3
"""Parallel passages of a passage from which an author would write much the same query."""
KEY_PHRASES: Final = 8
"""Key phrases of a passage that related passages are searched by."""
LOOKED_AT: Final = 50
"""Fewest hits of each search that related passages are taken from."""
OPENING: Final = 30
"""First words that two passages share if one is a copy of the other."""
PER_DOCUMENT: Final = 2
"""Most chunks of one document among the first that a search finds."""
KINDS: Final = {
    "#code": re.compile(r"\w+_\w+|\w+::\w+|\w+\(\)|--\w+|\b[a-z]+[A-Z]\w*|`[^`]+`"),
    "#name": re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+"),
    "#number": re.compile(r"\b\d[\w.,:]*"),
}
"""Values of a statement, by their mark."""
_CODE_LINE: Final = re.compile(r"^(?: {4}|\t).*$", re.M)
_REFERENCE: Final = re.compile(
    r"!?\[[^\]]*\]\([^)\s]*\)|https?://\S+"
    r"|\b(?:appendix|chapter|example|figure|listing|section|table)s? [A-Z\d][\d.-]*",
    re.I,
)
"""Links, pictures and references, which state nothing of the subject."""


@dataclass(frozen=True, slots=True)
class ParallelPassages:
    """Passages that state a like fact about another subject, with their likeness, in (0, 1)."""

    by_chunk: Mapping[str, Mapping[Chunk, float]]

    def of(self, chunk: Chunk) -> list[Chunk]:
        """Return the passages that are parallel to a chunk, most alike first."""
        found = self.by_chunk.get(chunk.id, {})
        return sorted(found, key=lambda other: (-found[other], other.id))

    def arrange(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """Put passages with the best parallel ones first, and those without any last.

        Between them stand those parallel to an earlier one, which would give the same query again,
        and all of a document but its best.
        """
        first: list[Chunk] = []
        second: list[Chunk] = []
        seen: set[str] = set()
        for chunk in sorted(chunks, key=lambda chunk: -round(self._likeness(chunk), 1)):
            if self._likeness(chunk) and seen.isdisjoint((chunk.id, chunk.document_id)):
                first.append(chunk)
                seen |= {chunk.document_id, *(other.id for other in self.of(chunk)[:SAME_QUERY])}
            else:
                second.append(chunk)
        return [*first, *second]

    def _likeness(self, chunk: Chunk) -> float:
        return max(self.by_chunk.get(chunk.id, {}).values(), default=0.0)


NOTHING_COMPARED: Final = ParallelPassages(MappingProxyType({}))


def parallel_passages(chunks: Sequence[Chunk]) -> ParallelPassages:
    """Compare the first `COMPARED` passages with each other."""
    best: dict[str, dict[Chunk, float]] = defaultdict(dict)
    statements = [each for chunk in chunks[:COMPARED] for each in _statements(chunk)]
    for own, other, likeness in _like_facts(statements):
        others = best[own.chunk.id]
        if likeness:
            others[other.chunk] = max(likeness, others.get(other.chunk, 0.0))
    return ParallelPassages(best)


class _Statement(NamedTuple):
    """A sentence with a figure, a name or code."""

    chunk: Chunk
    words: frozenset[str]
    """Stems of what it states without the values, and a mark for each kind of value."""
    values: frozenset[str]


def _statements(chunk: Chunk) -> Iterator[_Statement]:
    prose = _REFERENCE.sub("", _CODE_LINE.sub("", chunk.text))
    for sentence in sentences(prose):
        kinds = {kind: frozenset(pattern.findall(sentence)) for kind, pattern in KINDS.items()}
        values = frozenset[str]().union(*kinds.values())
        if values and SHORTEST <= count_words(sentence) <= LONGEST:
            marks = frozenset(kind for kind, held in kinds.items() if held)
            yield _Statement(chunk, (stems(sentence) - stems(" ".join(values))) | marks, values)


def _like_facts(
    statements: Sequence[_Statement],
) -> Iterator[tuple[_Statement, _Statement, float]]:
    """Yield each two statements of a like fact with different values, and their likeness.

    Likeness is the cosine of their words, weighed by inverse document frequency: as scikit-learn's
    `TfidfVectorizer` weighs them.
    """
    common = max(10, int(COMMON * len(statements)))
    every: dict[str, list[int]] = defaultdict(list)
    for place, statement in enumerate(statements):
        for word in sorted(statement.words):
            every[word].append(place)
    holders = {word: np.array(held) for word, held in every.items() if len(held) <= common}
    total = len(statements) + 1
    squares = {word: (math.log(total / (len(held) + 1)) + 1) ** 2 for word, held in holders.items()}
    lengths = np.zeros(len(statements))
    for word, held in holders.items():
        lengths[held] += squares[word]
    lengths = np.sqrt(lengths)
    for place, own in enumerate(statements):
        cosines = np.zeros(len(statements))
        for word in sorted(own.words & holders.keys()):
            cosines[holders[word]] += squares[word]
        near = np.flatnonzero(cosines)
        cosines = cosines[near] / (lengths[place] * lengths[near])
        for nearest in np.argsort(-cosines, kind="stable")[:NEAREST]:
            other, cosine = statements[near[nearest]], float(cosines[nearest])
            if cosine < COPY and own.chunk.id != other.chunk.id:
                yield own, other, cosine * _weight(own, other)


def _weight(own: _Statement, other: _Statement) -> float:
    """Return how far two statements can be of one fact about two subjects; from 0 to 1."""
    if own.values & other.values:
        return 0.0
    one, two = own.chunk, other.chunk
    same_section = (one.document_id, one.heading) == (two.document_id, two.heading)
    enough = min(1.0, len((own.words & other.words) - KINDS.keys()) / ENOUGH)
    return enough * (SAME_SECTION if same_section else 1.0)


def related_to(
    retriever: Retriever,
    chunk: Chunk,
    limit: int,
    usable: Container[str] | None = None,
    parallels: ParallelPassages = NOTHING_COMPARED,
) -> tuple[Chunk, ...]:
    """Return parallel passages, and those under a like heading or about like things; best first.

    Only chunks with a `usable` id are taken (`None`: any), and none that is a copy of another.
    What differs between documents is wanted: all chunks of a document but its best
    `PER_DOCUMENT` stand behind those of the others.
    """
    first: list[Chunk] = []
    behind: list[Chunk] = []
    documents: Counter[str] = Counter()
    seen = {_opening(chunk.text)}
    for other in take_turns((parallels.of(chunk), _searched(retriever, chunk, limit))):
        opening = _opening(other.text)
        if opening in seen or (usable is not None and other.id not in usable):
            continue
        seen.add(opening)
        documents[other.document_id] += 1
        (first if documents[other.document_id] <= PER_DOCUMENT else behind).append(other)
    return (*first, *behind)[:limit]


def _searched(retriever: Retriever, chunk: Chunk, limit: int) -> list[Chunk]:
    heading = chunk.heading.rpartition(" › ")[2] or chunk.title
    phrases = " ".join(key_phrases(chunk.text, KEY_PHRASES))
    texts = [heading, f"{chunk.title} {heading}", phrases or chunk.title, chunk.text]
    searches = retriever.search_many(texts, max(limit, LOOKED_AT))
    return take_turns([hit.chunk for hit in hits] for hits in searches)


@lru_cache(maxsize=65536)
def _opening(text: str) -> tuple[str, ...]:
    return words(text[: 20 * OPENING])[:OPENING]
