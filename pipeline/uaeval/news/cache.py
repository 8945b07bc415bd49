"""Store the pages of a crawl on disk, so that no page is fetched twice.

This is not an HTTP cache such as hishel, for three reasons: a resumed crawl uses its pages even if
the site says `no-store`; a page is stored completely before the next step, so that a killed process
loses none; and bodies are stored as our own bounded decompression returns them.

The store is one SQLite file. Each hop of a redirect is a page. A page is used without a request if
it was fetched since the crawl began; otherwise it is requested with its `ETag` and `Last-Modified`,
and used again after HTTP 304.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, replace
from pathlib import Path
from typing import Final, Self

from uaeval.errors import StorageError
from uaeval.news.page import Page
from uaeval.redaction import without_known

_VERSION: Final = 2
_COLUMNS: Final = tuple(Page.__dataclass_fields__)
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages ({", ".join(_COLUMNS)}, PRIMARY KEY (url));
"""


class PageCache:
    """Stores pages by URL; after `put`, a page survives a kill. Use it in a `with` block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._reported():
            self._connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
            with ExitStack() as undo:
                undo.callback(self._connection.close)
                self._connection.execute("PRAGMA journal_mode = WAL")
                # Pages survive a killed process; only a power failure may lose the last ones.
                self._connection.execute("PRAGMA synchronous = NORMAL")
                self._connection.executescript(_SCHEMA)
                self._connection.execute(
                    "INSERT OR IGNORE INTO about VALUES ('version', ?)", (_VERSION,)
                )
                if self._about().get("version") != str(_VERSION):
                    raise StorageError(
                        f"{path} was written by another version of uaeval; move it away"
                    )
                undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close()

    def begin(self, crawl: str, *, anew: bool) -> float:
        """Return when the crawl of this name began; an interrupted crawl continues.

        With `anew`, a complete crawl of the same name begins again.
        """
        about = self._about()
        ended = about.get("ended") == "yes"
        if about.get("crawl") == crawl and not (anew and ended):
            return float(about["began"])
        began = time.time()
        self._note({"crawl": crawl, "began": repr(began), "ended": "no"})
        return began

    def end(self) -> None:
        """Record that the crawl is complete."""
        self._note({"ended": "yes"})

    def get(self, url: str) -> Page | None:
        """Return the stored page of a URL; `None` if there is none."""
        with self._reported():
            row = self._connection.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM pages WHERE url = ?", (without_known(url),)
            ).fetchone()
        return row and replace(Page(**dict(zip(_COLUMNS, row, strict=True))), url=url)

    def put(self, page: Page) -> None:
        """Store a page; it replaces an older one of the same URL."""
        with self._reported():
            self._connection.execute(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                astuple(replace(page, url=without_known(page.url))),
            )

    def _about(self) -> dict[str, str]:
        with self._reported():
            return dict(self._connection.execute("SELECT name, value FROM about").fetchall())

    def _note(self, values: Mapping[str, str]) -> None:
        with self._reported():
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR REPLACE INTO about VALUES (?, ?)", list(values.items())
            )
            self._connection.execute("COMMIT")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            message = f"the pages in {self._path} cannot be read or written ({error})"
            raise StorageError(
                f"{message}; wait for other runs that use it, free some space, or move it away"
            ) from error
