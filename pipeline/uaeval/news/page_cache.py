"""Store fetched pages on disk, so that no page is fetched twice.

The store is one SQLite file. Unlike an HTTP cache such as hishel, it keeps pages even if the site
says `no-store`, and bodies as our own bounded decompression returns them; and a page is stored
completely before the next step, so that a killed process loses none. Each hop of a redirect is a
page. A page is used without a request if it was fetched since the crawl began; otherwise it is
requested with its `ETag` and `Last-Modified`, and used again after HTTP 304.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, Final

from uaeval.errors import StorageError
from uaeval.news.page import Page
from uaeval.redaction import without_known

_VERSION: Final = "2"
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
        select = f"SELECT {_COLUMNS} FROM pages WHERE url = ?"
        rows = self._execute(select, without_known(url))
        names = _COLUMNS.split(", ")
        return replace(Page(**dict(zip(names, rows[0], strict=True))), url=url) if rows else None

    def put(self, page: Page) -> None:
        """Store a page; it replaces an older one of the same URL."""
        values = astuple(replace(page, url=without_known(page.url)))
        marks = ", ".join("?" * len(values))
        self._execute(f"INSERT OR REPLACE INTO pages VALUES ({marks})", *values)

    def _about(self) -> dict[str, str]:
        return dict(self._execute("SELECT name, value FROM about"))

    def _execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
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
