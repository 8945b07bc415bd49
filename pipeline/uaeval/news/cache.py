"""The pages of a crawl, on disk: what was fetched is not fetched again.

A store of our own and not an HTTP cache such as hishel, for three reasons: what a crawl fetched has
to serve when it continues, also where the site says `no-store`; a page must be kept, whole, before
the next step, so that no kill takes it; and bodies are kept as they came out of our own bounded
decompression.

One SQLite file. Each hop of a redirect is a page. A page serves as it is if it was fetched since
the crawl began; else it is asked for again under its `ETag` and `Last-Modified`, and a 304 makes it
serve once more.
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
    """Pages by URL; a kill takes none that `put` has returned for. Use it in a `with`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._reported():
            self._connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
            with ExitStack() as undo:
                undo.callback(self._connection.close)
                self._connection.execute("PRAGMA journal_mode = WAL")
                # What a killed program wrote stays; only a power cut may take the last pages.
                self._connection.execute("PRAGMA synchronous = NORMAL")
                self._connection.executescript(_SCHEMA)
                self._connection.execute(
                    "INSERT OR IGNORE INTO about VALUES ('version', ?)", (_VERSION,)
                )
                if self._about().get("version") != str(_VERSION):
                    raise StorageError(f"{path} is of another version of uaeval; move it away")
                undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close()

    def begin(self, crawl: str, *, anew: bool) -> float:
        """Return when the crawl of this name began; it continues if it was cut off.

        With `anew` a crawl of the same name that came to its end is done again.
        """
        about = self._about()
        ended = about.get("ended") == "yes"
        if about.get("crawl") == crawl and not (anew and ended):
            return float(about["began"])
        began = time.time()
        self._note({"crawl": crawl, "began": repr(began), "ended": "no"})
        return began

    def end(self) -> None:
        """Note that the crawl came to its end."""
        self._note({"ended": "yes"})

    def get(self, url: str) -> Page | None:
        """Return what a URL gave when it was last asked."""
        with self._reported():
            row = self._connection.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM pages WHERE url = ?", (without_known(url),)
            ).fetchone()
        return row and replace(Page(**dict(zip(_COLUMNS, row, strict=True))), url=url)

    def put(self, page: Page) -> None:
        """Keep a page in place of an older one."""
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
            message = f"the pages kept in {self._path} cannot be read or written ({error})"
            raise StorageError(
                f"{message}; let another run on it end, free some space, or move the file away"
            ) from error
