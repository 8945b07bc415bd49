"""Stream the queries of a run and their passages for an export."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from pydantic import TypeAdapter

from uaeval.categories.registry import category as category_of
from uaeval.errors import ConfigError, StorageError
from uaeval.formats.query_fields import expected_behaviour, rubric
from uaeval.labels import Label, current, invalid_ids, read_label_rows
from uaeval.news.article import Article
from uaeval.records import Category, Chunk, Query
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal

_CHUNK: TypeAdapter[Chunk] = TypeAdapter(Chunk)
_LICENSE = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_QUERY: TypeAdapter[Query] = TypeAdapter(Query)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of the dataset."""

    counts: Counter[tuple[Category | None, bool]]
    """Number of queries by category of the pair and whether they are answerable."""
    languages: tuple[str, ...]
    """Languages of the queries, most frequent first."""
    passages: int
    """Number of distinct passages of the queries."""
    characters: int
    """Number of characters of these passages."""
    samples: Mapping[Category, Sequence[Query]]
    """The first query of each category, and its twin unless it is left out."""


class Dataset:
    """The released queries of a run, read from disk on each iteration.

    Queries that annotators labelled invalid are left out. The passages are those of the indexed
    knowledge base; of an outside article only URL, date, hash and one sentence are exported.
    """

    def __init__(
        self,
        run: RunFolder,
        *,
        with_passages: bool = True,
        name: str | None = None,
        license: str | None = None,
        seen: Callable[[int], None] = lambda _count: None,
    ) -> None:
        """Open a finished run; raise `StorageError` if it is not finished or a file has changed.

        `name` on the card is by default that of the folder, `license` an identifier of the Hub,
        such as `cc-by-4.0`. `seen` is called with 1 for each query read.
        """
        self.run = run
        self.with_passages = with_passages
        """Whether the text of the knowledge base is exported."""
        self.name = name or run.path.resolve().name
        self.license = license
        self.repository: str | None = None
        """`namespace/name` on the Hub, if the dataset is published."""
        self.leaderboard = False
        """Whether the repository on the Hub has scores of evaluations."""
        self.manifest = run.finished()
        run.check()
        self.labels = current(
            read_label_rows(run.labels_path, Label), stream_journal(run.queries_path, Query)
        )
        self.invalid = invalid_ids(self.labels)
        self._seen = seen
        # The two queries of a pair share passages.
        self._chunk = lru_cache(maxsize=256)(self._read_chunk)

    def __iter__(self) -> Iterator[Query]:
        for query in stream_journal(self.run.queries_path, Query):
            self._seen(1)
            if query.id not in self.invalid:
                yield query if self.with_passages else _without_quotes(query)

    def required_license(self) -> str:
        """Return the license; raise `ConfigError` if it is missing or not a license identifier."""
        name = self.license
        if name is None or name == "unknown" or not _LICENSE.fullmatch(name):
            problem = "the card needs a license" if name is None else f"{name!r} is not a license"
            raise ConfigError(
                f"{problem}; give --license as the Hub names it (`cc-by-4.0`, `mit`, `other`), and "
                "respect that of the knowledge base"
            )
        return name

    def sources(self, query: Query) -> list[dict[str, str | None]]:
        """Return the passages that answer a twin, or the source passages of a query, JSON-ready.

        `sha256` is the hash of the text in UTF-8. Without passages, `title`, `heading` and `text`
        are `None`.
        """
        hidden = {} if self.with_passages else dict.fromkeys(("title", "heading", "text"))
        return [
            {
                "chunk_id": chunk.id,
                "title": chunk.title,
                "heading": chunk.heading,
                "text": chunk.text,
                "sha256": hashlib.sha256(chunk.text.encode()).hexdigest(),
                **hidden,
            }
            for chunk in map(self._chunk, self.source_ids(query))
        ]

    def source_ids(self, query: Query) -> tuple[str, ...]:
        """Return the ids of the passages of `sources`, without chunks of outside articles."""
        proven = [name for evidence in query.evidence for name in evidence.supports]
        names = proven if query.answerable and proven else query.provenance.chunk_ids
        return tuple(name for name in dict.fromkeys(names) if name in self._byte_offsets)

    def article(self, query: Query) -> Mapping[str, str | None] | None:
        """Return URL, date and hash of the article of an outside query; `None` for others."""
        outside = query.category is not None and category_of(query.category).outside
        if not outside or not query.provenance.chunk_ids:
            return None
        return self._articles.get(query.provenance.chunk_ids[0].rpartition("#")[0])

    def corpus(self) -> Iterator[Chunk]:
        """Yield every indexed passage."""
        return stream_journal(self.run.chunks_path, Chunk)

    def summary(self) -> Summary:
        """Return the counts of the dataset, read in one pass."""
        counts: Counter[tuple[Category | None, bool]] = Counter()
        languages: Counter[str] = Counter()
        names: set[str] = set()
        samples: dict[Category, list[Query]] = {}
        for query in self:
            if query.category is not None:
                samples.setdefault(query.category, [query])
            elif query.pair_category in samples:
                sample = samples[query.pair_category]
                sample += [query] if sample[-1].pair_id == query.id else []
            counts[query.pair_category, query.answerable] += 1
            languages[query.language] += 1
            names.update(self.source_ids(query))
        return Summary(
            counts=counts,
            languages=tuple(name for name, _ in languages.most_common()),
            passages=len(names),
            characters=sum(len(self._chunk(name).text) for name in names),
            samples=samples,
        )

    def _read_chunk(self, name: str) -> Chunk:
        with self.run.chunks_path.open("rb") as file:
            file.seek(self._byte_offsets[name])
            return _CHUNK.validate_json(file.readline())

    @cached_property
    def _byte_offsets(self) -> dict[str, int]:
        """The byte offset of each passage in `chunks.jsonl`, by id."""
        chunks, offsets, offset = self.run.chunks_path, dict[str, int](), 0
        try:
            with chunks.open("rb") as file:
                for line in file:
                    offsets[_CHUNK.validate_json(line).id] = offset
                    offset += len(line)
        except (OSError, ValueError) as error:
            raise StorageError(f"cannot read the passages in {chunks}: {error}") from error
        return offsets

    @cached_property
    def _articles(self) -> dict[str, Mapping[str, str | None]]:
        path = self.run.journal("articles")
        return {
            article.id: {"url": article.url, "date": article.date, "sha256": article.sha256}
            for article in (stream_journal(path, Article) if path.exists() else ())
        }


def _without_quotes(query: Query) -> Query:
    """Return the query without rationales, RAG answer and article sentence, which quote texts."""
    checks = tuple(replace(check, rationale="") for check in query.checks)
    return replace(query, checks=checks, rag_answer=None, outside_sentence=None)


def row(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return the whole query, JSON-ready, with expected behaviour, rubric and passages."""
    record: dict[str, object] = _QUERY.dump_python(query, mode="json")
    return {
        **record,
        "outside_article": dataset.article(query),
        "expected_behaviour": expected_behaviour(query),
        "rubric": rubric(query),
        "passages": dataset.sources(query),
    }
