"""What a run records about its knowledge base and its outside articles."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict


class NewsFacts(BaseModel):
    """How the outside articles were obtained."""

    model_config = ConfigDict(extra="forbid")

    since: str | None = None
    """Day from which on articles were taken; `None`: any."""
    topics: list[str] = []
    """What was searched for."""
    rejected: dict[str, int] = {}
    """Articles that were not taken, by the check that failed."""
    failed: dict[str, int] = {}
    """Pages and feeds that could not be fetched or read, by kind. They count as nothing else."""
    requests: int = 0
    """Requests made in the session that ended the crawl."""
    proxy: str | None = None
    """The proxy to which the resolving of names was left; `None`: every address was checked."""


class KnowledgeBaseFacts(BaseModel):
    """What was read of the knowledge base."""

    model_config = ConfigDict(extra="forbid")

    source: str
    fingerprint: str
    documents: int
    skipped: int
    """Files or rows that could not be read; they are named in `documents.skipped.jsonl`."""
    skipped_kinds: dict[str, int] = {}
    """The same by file name ending; older manifests have none."""
    held_out: int
    chunks: int
    set_aside: int
    """Chunks without enough prose: indexed and searched, but nothing is written from them."""
    articles: int
    """Outside documents that `out_of_database` queries are written from."""
    news_fingerprint: str
    news: NewsFacts = NewsFacts()
    embedding: str
    key_phrases: str
    """How key phrases were found: by which trained spaCy pipeline, or without one."""

    @property
    def unread(self) -> str:
        """How many files or rows were not read, and of which kinds; empty if all were."""
        read = self.documents + self.held_out
        return unread(self.skipped, read, self.skipped_kinds) if self.skipped else ""

    @property
    def omissions(self) -> tuple[str, ...]:
        """What of the knowledge base and of outside articles was not used, by kind."""
        news = self.news
        aside = (
            f"{self.set_aside} of {self.chunks + self.set_aside} passages are searched, but have "
            "too little prose to write from; see chunks.set_aside.jsonl"
        )
        rejected = (
            f"{sum(news.rejected.values())} outside articles were not taken"
            f"{_by_kind(news.rejected)}; see articles.rejected.jsonl"
        )
        failed = (
            f"{sum(news.failed.values())} pages or feeds could not be fetched or read"
            f"{_by_kind(news.failed)}; see articles.failed.jsonl"
        )
        lines = {aside: self.set_aside, rejected: news.rejected, failed: news.failed}
        return (*filter(None, [self.unread]), *(line for line, count in lines.items() if count))


def unread(skipped: int, read: int, kinds: Mapping[str, int]) -> str:
    """Return how many files or rows were not read, and of which kinds."""
    return (
        f"{skipped} of {skipped + read} files or rows were not read{_by_kind(kinds)}; "
        "see documents.skipped.jsonl"
    )


def kinds_of(sources: Iterable[str]) -> dict[str, int]:
    """Count sources by file name ending, the most frequent first; rows count as `.csv row`."""
    return dict(Counter(map(_kind, sources)).most_common())


def _kind(source: str) -> str:
    name, colon, row = source.rpartition(":")
    is_row = bool(colon) and row.isdigit()
    suffix = PurePosixPath(name if is_row else source).suffix.lower()
    return " ".join(filter(None, [suffix, "row" if is_row else ""])) or "without ending"


def _by_kind(counts: Mapping[str, int]) -> str:
    """Return `: 5 .rst, 2 .pptx`; empty if nothing was counted."""
    listed = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in counts.items())
    return f": {listed}" if listed else ""
