"""Facts about the knowledge base and the outside articles in the manifest of a run."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from pydantic import BaseModel

_LONGEST_NAME, _MOST_NAMES = 40, 12
"""Most characters of the name of a field, and most names, in a sentence."""


class NewsFacts(BaseModel, extra="forbid"):
    """How the outside articles were obtained."""

    since: str | None = None
    """The earliest day of articles that were accepted; `None`: any day."""
    topics: list[str] = []
    """The phrases that were searched."""
    rejected: dict[str, int] = {}
    """Number of articles that were rejected, by the check that they failed."""
    failed: dict[str, int] = {}
    """Number of pages and feeds that could not be fetched or read, by kind of failure."""
    requests: int = 0
    """Number of requests in the session that completed the crawl."""
    proxy: str | None = None
    """The proxy that resolved names, so that addresses were not checked; `None`: all were."""


class KnowledgeBaseFacts(BaseModel, extra="forbid"):
    """Facts about the knowledge base and what was read of it."""

    source: str
    fingerprint: str
    documents: int
    skipped: int
    """Files or rows that could not be read; they are named in `documents.skipped.jsonl`."""
    skipped_kinds: dict[str, int] = {}
    """The same number by file name ending; older manifests have none."""
    unread_fields: list[str] = []
    """Names of fields of rows that were not read; `documents.skipped.jsonl` has them by file."""
    held_out: int
    chunks: int
    set_aside: int
    """Chunks without enough prose: they are searched, but no query is written from them."""
    articles: int
    """Number of outside articles that queries are written from."""
    news_fingerprint: str
    news: NewsFacts = NewsFacts()
    embedding: str
    key_phrases: str
    """The trained spaCy pipelines that found key phrases, or that there were none."""

    @property
    def unread(self) -> str:
        """A sentence about the files or rows that were not read; empty if all were."""
        read = self.documents + self.held_out
        return unread(self.skipped, read, self.skipped_kinds) if self.skipped else ""

    @property
    def omissions(self) -> tuple[str, ...]:
        """Sentences about the parts of the knowledge base and the articles that were not used."""
        rejected, failed = self.news.rejected, self.news.failed
        lines = {
            f"fields of rows were not read: {_listed(self.unread_fields)}; "
            "see documents.skipped.jsonl": self.unread_fields,
            f"{self.held_out} of {self.documents + self.held_out} documents are held out: "
            "queries are written about what only they say, and the system under test must not "
            "have them. Its knowledge base is the run's folder knowledge_base": self.held_out,
            f"{self.set_aside} of {self.chunks + self.set_aside} passages are searched, but have "
            "too little prose to write from; see chunks.set_aside.jsonl": self.set_aside,
            f"{sum(rejected.values())} outside articles were not taken{_by_kind(rejected)}; "
            "see articles.rejected.jsonl": rejected,
            f"{sum(failed.values())} pages or feeds could not be fetched or read{_by_kind(failed)}"
            "; see articles.failed.jsonl": failed,
        }
        return (*filter(None, [self.unread]), *(line for line, count in lines.items() if count))


def unread(skipped: int, read: int, kinds: Mapping[str, int]) -> str:
    """Return a sentence about the files or rows that were not read."""
    return (
        f"{skipped} of {skipped + read} files or rows were not read{_by_kind(kinds)}; "
        "see documents.skipped.jsonl"
    )


def kinds_of(sources: Iterable[str]) -> dict[str, int]:
    """Count sources by file name ending, most frequent first; the kind of a row is `.csv row`."""
    return dict(Counter(map(_kind, sources)).most_common())


def _kind(source: str) -> str:
    name, colon, row = source.rpartition(":")
    is_row = bool(colon) and row.isdigit()
    suffix = PurePosixPath(name if is_row else source).suffix.lower()
    return " ".join(filter(None, [suffix, "row" if is_row else ""])) or "without ending"


def _listed(names: Sequence[str]) -> str:
    """Return the first of the names, which the knowledge base chose, in quotes."""
    shown = [f"“{name[:_LONGEST_NAME]}”" for name in names[:_MOST_NAMES]]
    return ", ".join([*shown, "…"] if names[_MOST_NAMES:] else shown)


def _by_kind(counts: Mapping[str, int]) -> str:
    listed = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in counts.items())
    return f": {listed}" if listed else ""
