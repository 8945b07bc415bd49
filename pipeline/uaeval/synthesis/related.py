"""Find the passages that an author compares with the one it writes from.

Parallel passages serve best: they state the same kind of fact about different subjects.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import nlargest
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from uaeval.categories.numbered_passages import NumberedPassages, take_turns
from uaeval.categories.registry import category
from uaeval.config import SynthesisConfig
from uaeval.knowledge.index import searched
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.names import OFFLINE
from uaeval.offline.author.cases import cases
from uaeval.records import Chunk
from uaeval.text.sentences import sentences
from uaeval.text.words import count_words, stem, stems, words

COMPARED: Final = 5_000
"""Most passages that are compared with each other."""
SHORTEST, LONGEST = 5, 45
"""Fewest and most words of a sentence that may state a fact."""
NEAREST: Final = 25
"""Number of most similar statements that each statement is compared with."""
COMMON: Final = 0.05
"""Words in more than this share of the statements are ignored."""
ENOUGH: Final = 5
"""Number of shared words from which on the similarity of two statements counts in full."""
COPY: Final = 0.9
"""Similarity from which on two statements are copies."""
SAME_SECTION: Final = 0.6
"""Factor for the similarity of statements from one section: mostly, their subject is the same."""
SAME_QUERY: Final = 3
"""Number of most similar passages from which an author would write much the same query."""
KEY_PHRASES: Final = 8
"""Number of a passage's key phrases in the search for related passages."""
MIN_HITS: Final = 50
"""Number of hits that each search for related passages returns at least."""
OPENING: Final = 30
"""Number of first words that a passage has in common with its copies."""
SUBJECTS: Final = 3
"""Number of words that are taken for the subjects of a text."""
PER_DOCUMENT: Final = 2
"""Number of a document's chunks that may precede the chunks of other documents."""
KINDS: Final = {
    "#code": re.compile(r"\w+_\w+|\w+::\w+|\w+\(\)|--\w+|\b[a-z]+[A-Z]\w*|`[^`]+`"),
    "#name": re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+"),
    "#number": re.compile(r"\b\d[\w.,:]*"),
}
"""Patterns of the values in a statement, by the mark that stands for their kind."""
_CODE_LINE: Final = re.compile(r"^(?: {4}|\t).*$", re.M)
_REFERENCE: Final = re.compile(
    r"!?\[[^\]]*\]\([^)\s]*\)|https?://\S+"
    r"|\b(?:appendix|chapter|example|figure|listing|section|table)s? [A-Z\d][\d.-]*",
    re.I,
)
"""Links, pictures and references, which state no fact about the subject."""


@dataclass(frozen=True, slots=True)
class ParallelPassages:
    """Passages that state the same kind of fact about another subject."""

    by_chunk: Mapping[str, Mapping[Chunk, float]]
    """By chunk id: its parallel passages with their similarity, from 0 to 1."""

    def of(self, chunk: Chunk) -> list[Chunk]:
        """Return the passages that are parallel to a chunk, most similar first."""
        parallels = self.by_chunk.get(chunk.id, {})
        return sorted(parallels, key=lambda other: (-parallels[other], other.id))

    def arrange(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """Sort passages by the similarity of their best parallel passage; those without are last.

        A passage follows all others with a parallel one if it would give the same query as an
        earlier passage, or is from the same document.
        """
        first: list[Chunk] = []
        second: list[Chunk] = []
        seen: set[str] = set()
        for chunk in sorted(chunks, key=lambda chunk: -round(self._similarity(chunk), 1)):
            if self._similarity(chunk) and seen.isdisjoint((chunk.id, chunk.document_id)):
                first.append(chunk)
                seen |= {chunk.document_id, *(other.id for other in self.of(chunk)[:SAME_QUERY])}
            else:
                second.append(chunk)
        return [*first, *second]

    def _similarity(self, chunk: Chunk) -> float:
        return max(self.by_chunk.get(chunk.id, {}).values(), default=0.0)


NOTHING_COMPARED: Final = ParallelPassages({})


def compare_passages(config: SynthesisConfig, chunks: Sequence[Chunk]) -> ParallelPassages:
    """Return the parallel passages, if a category is written from them."""
    wanted = any(category(name).compares for name in config.categories)
    if config.queries or not wanted:
        return NOTHING_COMPARED
    if config.model != OFFLINE:
        return parallel_passages(chunks)
    return passages_sharing(
        {
            chunk: {(case.level, words(case.query)) for case in cases(passage)}
            for chunk in chunks
            for passage in NumberedPassages((chunk,)).passages
        }
    )


def parallel_passages(chunks: Sequence[Chunk]) -> ParallelPassages:
    """Compare the first `COMPARED` passages with each other."""
    best: dict[str, dict[Chunk, float]] = defaultdict(dict)
    statements = [statement for chunk in chunks[:COMPARED] for statement in _statements(chunk)]
    for statement, other, similarity in _similar_statements(statements):
        others = best[statement.chunk.id]
        if similarity:
            others[other.chunk] = max(similarity, others.get(other.chunk, 0.0))
    return ParallelPassages(best)


def passages_sharing(keys: Mapping[Chunk, Iterable[Hashable]]) -> ParallelPassages:
    """Return as parallel the passages that share a key; those of a rare key are most similar."""
    by_key: dict[Hashable, list[Chunk]] = defaultdict(list)
    for chunk, own in keys.items():
        for key in own:
            by_key[key].append(chunk)
    best: dict[str, dict[Chunk, float]] = defaultdict(dict)
    for sharing in by_key.values():
        for chunk, other in product(sharing, sharing[:NEAREST]):
            if other != chunk:
                others = best[chunk.id]
                others[other] = max(1 / len(sharing), others.get(other, 0.0))
    return ParallelPassages(best)


def by_shared_subjects(chunks: Sequence[Chunk]) -> Callable[[Sequence[Chunk]], list[Chunk]]:
    """Return a function that puts articles first whose subjects some of the `chunks` mention."""
    counts = Counter(word for chunk in chunks for word in stems(searched(chunk)))

    def shared(article: Chunk) -> int:
        return sum(counts[word] > 0 for word in subjects(searched(article), counts, len(chunks)))

    return partial(sorted, key=shared, reverse=True)


def subjects(text: str, counts: Mapping[str, int], total: int) -> list[str]:
    """Return the stems that a text repeats most for their rarity (TF-IDF).

    `counts` says how many of `total` texts have a stem.
    """
    weights = {
        word: count * math.log((total + 1) / max(counts.get(word, 0), 1))
        for word, count in Counter(map(stem, words(text))).items()
        if word in stems(text) and word.isalpha()
    }
    return nlargest(SUBJECTS, weights, key=weights.__getitem__)


class _Statement(NamedTuple):
    """A sentence with a figure, a name or code."""

    chunk: Chunk
    words: frozenset[str]
    """Stems of its words without the values, and a mark for each kind of value."""
    values: frozenset[str]


def _statements(chunk: Chunk) -> Iterator[_Statement]:
    prose = _REFERENCE.sub("", _CODE_LINE.sub("", chunk.text))
    for sentence in sentences(prose):
        by_kind = {kind: frozenset(pattern.findall(sentence)) for kind, pattern in KINDS.items()}
        values = frozenset[str]().union(*by_kind.values())
        if values and SHORTEST <= count_words(sentence) <= LONGEST:
            marks = frozenset(kind for kind, matches in by_kind.items() if matches)
            yield _Statement(chunk, (stems(sentence) - stems(" ".join(values))) | marks, values)


def _similar_statements(
    statements: Sequence[_Statement],
) -> Iterator[tuple[_Statement, _Statement, float]]:
    """Yield pairs of statements of the same kind of fact, with their similarity.

    The similarity is the cosine of their words' weights, which are inverse document frequencies as
    in scikit-learn's `TfidfVectorizer`; it is 0 if the statements share a value.
    """
    most = max(10, int(COMMON * len(statements)))
    postings: dict[str, list[int]] = defaultdict(list)
    for number, statement in enumerate(statements):
        for word in sorted(statement.words):
            postings[word].append(number)
    rows = {word: np.array(numbers) for word, numbers in postings.items() if len(numbers) <= most}
    total = len(statements) + 1
    squares = {word: (math.log(total / (len(ids) + 1)) + 1) ** 2 for word, ids in rows.items()}
    lengths = np.zeros(len(statements))
    for word, numbers in rows.items():
        lengths[numbers] += squares[word]
    lengths = np.sqrt(lengths)
    for number, statement in enumerate(statements):
        cosines = np.zeros(len(statements))
        for word in sorted(statement.words & rows.keys()):
            cosines[rows[word]] += squares[word]
        similar = np.flatnonzero(cosines)
        cosines = cosines[similar] / (lengths[number] * lengths[similar])
        for rank in np.argsort(-cosines, kind="stable")[:NEAREST]:
            other, cosine = statements[similar[rank]], float(cosines[rank])
            if cosine < COPY and statement.chunk.id != other.chunk.id:
                yield statement, other, cosine * _weight(statement, other)


def _weight(first: _Statement, second: _Statement) -> float:
    """Return a factor from 0 to 1: how likely two statements are one fact about two subjects."""
    if first.values & second.values:
        return 0.0
    sections = {(chunk.document_id, chunk.heading) for chunk in (first.chunk, second.chunk)}
    enough = min(1.0, len((first.words & second.words) - KINDS.keys()) / ENOUGH)
    return enough * (SAME_SECTION if len(sections) == 1 else 1.0)


def related_to(
    retriever: Retriever,
    chunk: Chunk,
    limit: int,
    usable: Container[str] | None = None,
    parallels: ParallelPassages = NOTHING_COMPARED,
) -> tuple[Chunk, ...]:
    """Return parallel passages, and those with a similar heading or similar content; best first.

    Only chunks with a `usable` id are returned (`None`: any), and no copy of another one. Each
    document's best `PER_DOCUMENT` chunks precede all others, because authors look for differences
    between documents.
    """
    first: list[Chunk] = []
    last: list[Chunk] = []
    documents: Counter[str] = Counter()
    seen = {_opening(chunk.text)}
    for other in take_turns((parallels.of(chunk), _searched(retriever, chunk, limit))):
        opening = _opening(other.text)
        if opening in seen or (usable is not None and other.id not in usable):
            continue
        seen.add(opening)
        documents[other.document_id] += 1
        (first if documents[other.document_id] <= PER_DOCUMENT else last).append(other)
    return (*first, *last)[:limit]


def _searched(retriever: Retriever, chunk: Chunk, limit: int) -> list[Chunk]:
    heading = chunk.heading.rpartition(" › ")[2] or chunk.title
    phrases = " ".join(key_phrases(chunk.text, KEY_PHRASES))
    texts = [heading, f"{chunk.title} {heading}", phrases or chunk.title, chunk.text]
    searches = [retriever.search(text, max(limit, MIN_HITS)) for text in texts]
    return take_turns([hit.chunk for hit in hits] for hits in searches)


@lru_cache(maxsize=65536)
def _opening(text: str) -> tuple[str, ...]:
    return words(text[: 20 * OPENING])[:OPENING]
