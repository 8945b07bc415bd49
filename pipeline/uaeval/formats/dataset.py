"""What is exported: the released queries of a run and the passages that bear on them, streamed."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from uaeval.categories.registry import category
from uaeval.errors import StorageError
from uaeval.labels import current, invalid_ids, read_labels
from uaeval.news.article import Article
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal
from uaeval.types import Category, Check, Chunk, Query

REMEMBERED = 256
"""Passages that are kept at hand; pairs share theirs."""
_CHUNK: TypeAdapter[Chunk] = TypeAdapter(Chunk)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage of the knowledge base behind a query."""

    chunk_id: str
    title: str | None
    heading: str | None
    text: str | None
    """`None` where the export is to leave out the text of the knowledge base."""
    sha256: str
    """Of the passage's text in UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a pass over the dataset counts."""

    counts: dict[tuple[Category | None, bool], int]
    """Queries by category of the pair and whether they are answerable."""
    languages: tuple[str, ...]
    """The commonest first."""
    passages: int
    """Different passages behind the queries."""
    characters: int
    """Of those passages' text."""

    @property
    def queries(self) -> int:
        """Count all queries, twins included."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideArticle:
    """What leads to the article that a query was written from, without its text."""

    url: str | None
    """Where it stood; `None` for one that came from a file."""
    date: str | None
    """Its day, `2026-03-14`; `None` if it is not known."""
    sha256: str
    """Of its text, as UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What the publisher says of the dataset, for its card."""

    name: str
    license: str = "unknown"
    """An identifier of the Hub, such as `cc-by-4.0`; that of the knowledge base matters too."""


class Dataset:
    """The released queries of a run, read anew at each pass, so that few are held at once.

    Left out is what people marked invalid in the run's `labels.jsonl`. Passages are those of the
    indexed knowledge base alone. Of an outside article there is no more than where it stood, its
    day, its hash, and the one sentence that gives the answer.
    """

    def __init__(
        self,
        run: RunFolder,
        *,
        with_passages: bool = True,
        publication: Publication | None = None,
        seen: Callable[[int], None] = lambda _count: None,
    ) -> None:
        """Open the run; `seen` is told of each query as it is read, by how many there were.

        Raises:
            StorageError: there is no finished dataset in the folder, or a file of it has changed.
        """
        self.run = run
        self.with_passages = with_passages
        self.publication = publication or Publication(name=run.path.resolve().name)
        self.manifest = run.finished()
        run.check()
        self.labels = current(read_labels(run.labels_path), stream_journal(run.queries_path, Query))
        self.invalid = invalid_ids(self.labels)
        self._seen = seen
        self._chunk = lru_cache(maxsize=REMEMBERED)(self._read_chunk)

    def __iter__(self) -> Iterator[Query]:
        for query in stream_journal(self.run.queries_path, Query):
            self._seen(1)
            if query.id not in self.invalid:
                yield exported(query, with_passages=self.with_passages)

    def sources(self, query: Query) -> tuple[Source, ...]:
        """Return the passages that answer a twin, or that an unanswerable query bears on."""
        return tuple(self._source(name) for name in self.source_ids(query))

    def source_ids(self, query: Query) -> tuple[str, ...]:
        """Name the passages of `sources`; chunks of outside articles are not among them."""
        proven = [name for evidence in query.evidence for name in evidence.supports]
        names = proven if query.answerable and proven else query.provenance.chunk_ids
        return tuple(name for name in dict.fromkeys(names) if name in self._places)

    def article(self, query: Query) -> OutsideArticle | None:
        """Return what leads to the article of an outside query; `None` for all others."""
        outside = query.category is not None and category(query.category).outside
        if not outside or not query.provenance.chunk_ids:
            return None
        return self._articles.get(query.provenance.chunk_ids[0].rpartition("#")[0])

    def corpus(self) -> Iterator[Chunk]:
        """Yield every indexed passage."""
        return stream_journal(self.run.chunks_path, Chunk)

    def summary(self) -> Summary:
        """Count in one pass what there is."""
        counts: Counter[tuple[Category | None, bool]] = Counter()
        languages: Counter[str] = Counter()
        names: set[str] = set()
        for query in self:
            counts[query.pair_category, query.answerable] += 1
            languages[query.language] += 1
            names.update(self.source_ids(query))
        return Summary(
            counts=dict(counts),
            languages=tuple(name for name, _ in languages.most_common()),
            passages=len(names),
            characters=sum(len(self._chunk(name).text) for name in names),
        )

    def _source(self, name: str) -> Source:
        chunk = self._chunk(name)
        shown = self.with_passages
        return Source(
            chunk_id=name,
            title=chunk.title if shown else None,
            heading=chunk.heading if shown else None,
            text=chunk.text if shown else None,
            sha256=hashlib.sha256(chunk.text.encode()).hexdigest(),
        )

    def _read_chunk(self, name: str) -> Chunk:
        with self.run.chunks_path.open("rb") as file:
            file.seek(self._places[name])
            return _CHUNK.validate_json(file.readline())

    @cached_property
    def _places(self) -> dict[str, int]:
        """The byte of `chunks.jsonl` at which each passage stands; only the ids are held."""
        return dict(_offsets(self.run.chunks_path))

    @cached_property
    def _articles(self) -> dict[str, OutsideArticle]:
        path = self.run.journal("articles")
        return {
            one.id: OutsideArticle(url=one.url, date=one.date, sha256=one.sha256)
            for one in (stream_journal(path, Article) if path.exists() else ())
        }


def _offsets(chunks: Path) -> Iterator[tuple[str, int]]:
    place = 0
    try:
        with chunks.open("rb") as file:
            for line in file:
                yield json.loads(line)["id"], place
                place += len(line)
    except (OSError, ValueError, KeyError) as error:
        raise StorageError(f"cannot read the passages in {chunks}: {error}") from error


def exported(query: Query, *, with_passages: bool = True) -> Query:
    """Leave out, without passages, what quotes them or an article.

    That is the article's sentence, what a verifier said in its own words, and what a RAG answered.
    """
    if with_passages:
        return query
    checks = tuple(Check(name=one.name, passed=one.passed, rationale="") for one in query.checks)
    return replace(query, checks=checks, rag_answer=None, outside_sentence=None)
