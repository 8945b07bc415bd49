"""Fetched pages, and a store of them on disk, so that no page is fetched twice.

The store is one SQLite file. A page is stored completely before the next step, so that a killed
process loses none. Each hop of a redirect is a page. A page is used without a request if it was
fetched since the crawl began; otherwise it is requested with its `ETag` and `Last-Modified`, and
used again after HTTP 304.
"""

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Final

from uaeval.errors import FetchError, StorageError
from uaeval.knowledge.decoding import decode_page
from uaeval.knowledge.reading import UnusableFile
from uaeval.redaction import without_known
from uaeval.resources import shipped_table

_MEDIA_TYPES: Final = shipped_table("news/media_types.yaml")
PAGES: Final[tuple[str, ...]] = tuple(_MEDIA_TYPES["pages"])
"""Content types of articles."""
FEEDS: Final[tuple[str, ...]] = tuple(_MEDIA_TYPES["feeds"])
"""Content types of feeds."""
SUFFIXES: Final[Mapping[str, str]] = _MEDIA_TYPES["suffixes"]
"""The suffix of a file by its media type; other media types are not read."""
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The response of one URL: a body, a redirect, or only a status."""

    url: str
    status: int = 200
    content_type: str = ""
    """The header `Content-Type`, with its parameters."""
    location: str = ""
    """The header `Location`, the target of a redirect."""
    etag: str = ""
    last_modified: str = ""
    checked_at: float = 0.0
    """Time of the response, in seconds since 1970."""
    body: bytes = b""

    @property
    def media_type(self) -> str:
        """The content type in lower case, without its parameters; `""` if there is none."""
        return self.content_type.partition(";")[0].strip().lower()

    def check_type(self, types: tuple[str, ...] | None) -> None:
        """Raise `FetchError` unless its media type is one of `types` (`None`: any)."""
        if types is not None and self.media_type not in types:
            message = f"{self.url[:200]}: it is {self.media_type[:80]!r}, which is not read"
            raise FetchError("type", message)

    def text(self) -> str:
        """Return the text of the page; raise `FetchError` if it is not text."""
        charset = _CHARSET.search(self.content_type)
        try:
            return decode_page(self.body, charset[1] if charset else None)
        except UnusableFile as error:
            raise FetchError("charset", str(error)) from error


_VERSION: Final = "3"
_COLUMNS: Final = ", ".join(Page.__dataclass_fields__)
# Pages survive a killed process; only a power failure may lose the last ones.
_SCHEMA: Final = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages ({_COLUMNS}, PRIMARY KEY (url));
INSERT OR IGNORE INTO about VALUES ('version', '{_VERSION}');
"""


class PageCache(AbstractContextManager["PageCache"]):
    """Stores pages by URL; after `put`, a page survives a kill. Use it in a `with` block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._reported(), ExitStack() as undo:
            self._connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
            undo.callback(self._connection.close)
            self._connection.row_factory = sqlite3.Row
            self._connection.executescript(_SCHEMA)
            if self._about().get("version") != _VERSION:
                raise StorageError(f"{path} was written by another version of uaeval; move it away")
            undo.pop_all()

    def __exit__(self, *raised: object) -> None:
        self._connection.close()

    def begin(self, crawl: str, *, anew: bool) -> float:
        """Return when the crawl of this name began; an interrupted crawl continues.

        With `anew`, a complete crawl of the same name begins again.
        """
        about = self._about()
        if about.get("crawl") == crawl and not (anew and about.get("ended") == "yes"):
            return float(about["began"])
        began = time.time()
        self._execute(
            "INSERT OR REPLACE INTO about VALUES ('crawl', ?), ('began', ?), ('ended', 'no')",
            crawl,
            repr(began),
        )
        return began

    def end(self) -> None:
        """Record that the crawl is complete."""
        self._execute("INSERT OR REPLACE INTO about VALUES ('ended', 'yes')")

    def get(self, url: str) -> Page | None:
        """Return the stored page of a URL; `None` if there is none."""
        rows = self._execute(f"SELECT {_COLUMNS} FROM pages WHERE url = ?", without_known(url))
        return replace(Page(**rows[0]), url=url) if rows else None

    def put(self, page: Page) -> None:
        """Store a page; it replaces an older one of the same URL."""
        values = astuple(replace(page, url=without_known(page.url)))
        marks = ", ".join("?" * len(values))
        self._execute(f"INSERT OR REPLACE INTO pages VALUES ({marks})", *values)

    def _about(self) -> dict[str, str]:
        return dict(self._execute("SELECT name, value FROM about"))

    def _execute(self, statement: str, *values: object) -> list[Any]:
        with self._reported():
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StorageError(
                f"the pages in {self._path} cannot be read or written ({error}); wait for other "
                "runs that use it, free some space, or move it away"
            ) from error
