"""The response store, so that each reply is paid for once.

One SQLite file per run folder holds every reply, and for batch runs every pending request. A run
resumes from this file alone. Each reply and request has a checksum, so that damage is an error and
never another reply. One process at a time can open the file; its lock is the operating system's, so
it ends with a killed process.
"""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, TypeAlias, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ValidationError

from uaeval.errors import StorageError
from uaeval.llm.model import Field, R
from uaeval.llm.replies import Reply
from uaeval.prompts import Prompt, as_text
from uaeval.resources import PACKAGE
from uaeval.storage import SharedSync

M = TypeVar("M", bound=BaseModel)
Value: TypeAlias = str | int | None

_VERSION: Final = 3
"""Version of the file format."""
_RESTORE: Final = (
    "restore it from a copy, or move it away and run the command again (its answers are then asked "
    "for again)"
)
_IN_USE: Final = "is in use by another process; let that run end, or use another folder"
_REMEDIES: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; free some space and run the command "
    "again, no answer is lost",
    sqlite3.SQLITE_IOERR: "cannot be written; check the disk, then run the command again, "
    "no answer is lost",
    sqlite3.SQLITE_READONLY: "is read-only; make it and its folder writable",
    sqlite3.SQLITE_PERM: "must not be opened; make it and its folder writable",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; its folder has to exist and be writable",
    sqlite3.SQLITE_NOTADB: f"is not a response store, or is damaged; {_RESTORE}",
}
"""Problem and remedy by SQLite error code; every other code means that the file is damaged."""


class Request(BaseModel, frozen=True):
    """One request to one model. Equal requests have equal keys."""

    key: str
    model: str
    prompt: str
    reply_type: str
    """The `__name__` of the reply type."""


def make_request(
    model: str,
    prompt: Prompt,
    reply_type: type[Reply],
    fields: Mapping[str, Field],
    temperature: float | None = 0.0,
    sample: int = 0,
) -> Request:
    """Return a request whose key is a hash of everything that the reply depends on.

    The hash does not cover the endpoint's address, so that a model may move to another address.
    """
    prompt.check(fields)
    identity = {
        "model": model,
        "temperature": None if temperature is None else float(temperature),
        "sample": sample,
        "prompt": prompt.name,
        "prompt_sha256": prompt.sha256,
        "reply_type": reply_type.__name__,
        "fields": {name: as_text(value) for name, value in fields.items()},
    }
    canonical = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    key = hashlib.sha256(canonical.encode()).hexdigest()
    return Request(key=key, model=model, prompt=prompt.name, reply_type=reply_type.__name__)


class ResponseStore(AbstractContextManager["ResponseStore"]):
    """Replies on disk; `put` and `keep` return after the reply is synced. Use it with `with`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.accepts_requests = True
        """Whether `queue` stores requests; after a run is complete it ignores them."""
        self._log = SharedSync(path.with_name(f"{path.name}-wal"))
        if path.is_file() and not path.stat().st_size:
            raise self.damaged("the file is empty")
        with self._errors():
            self._connection = sqlite3.connect(
                path, timeout=0.2, isolation_level=None, check_same_thread=False
            )
        try:
            self._open()
        except StorageError:
            self._connection.close()
            raise

    def __exit__(self, *raised: object) -> None:
        with self._errors():
            self._connection.close()

    @property
    def run_id(self) -> str:
        """A unique id of the store, part of the ids of exported requests."""
        return str(self.execute("SELECT value FROM about WHERE name = 'run_id'")[0][0])

    def get(self, key: str, reply_type: type[R]) -> R | None:
        """Return the stored reply or `None`; raise `StorageError` if it is damaged or outdated."""
        rows = self.execute(
            "SELECT key, model, prompt, reply_type, reply, crc FROM replies WHERE key = ?", key
        )
        if not rows:
            return None
        *content, crc = rows[0]
        self.verify(crc, *content)
        try:
            return reply_type.model_validate_json(str(content[-1]), strict=True)
        except ValidationError as error:
            raise StorageError(
                f"{self.path} holds a {reply_type.__name__} of another version of uaeval; "
                "continue with that version, or start a new run"
            ) from error

    def put(self, request: Request, reply: Reply) -> None:
        """Store and sync a reply, unless the request has one already."""
        self._insert("replies", "reply", request, reply.model_dump_json())

    def queue(self, request: Request, body: str) -> None:
        """Store a request for a later batch, unless it is stored already."""
        if self.accepts_requests:
            self._insert("requests", "body", request, body)

    async def keep(self, request: Request, reply: Reply) -> None:
        """Store a reply and wait for the sync of SQLite's log, which concurrent callers share.

        It is as durable as a commit with `synchronous = FULL`.
        """
        with self.unsynced():
            self.put(request, reply)
        try:
            await self._log.wait()
        except OSError as error:
            remedy = _REMEDIES[sqlite3.SQLITE_IOERR]
            raise StorageError(f"{self.path} {remedy} ({error})") from error

    def __len__(self) -> int:
        return int(self.execute("SELECT count(*) FROM replies")[0][0] or 0)

    def execute(self, statement: str, *values: Value) -> list[tuple[Value, ...]]:
        """Run one SQL statement; it is synced at once, except inside `transaction`."""
        with self._errors():
            return self._connection.execute(statement, values).fetchall()

    def select(self, kind: type[M], source: str, *values: Value) -> tuple[M, ...]:
        """Return the rows of `SELECT … FROM source` as `kind`, whose fields are the columns."""
        names = kind.model_fields
        rows = self.execute(f"SELECT {', '.join(names)} FROM {source}", *values)
        try:
            return tuple(kind.model_validate(dict(zip(names, row, strict=True))) for row in rows)
        except ValidationError as error:
            raise self.damaged(error) from error

    def verify(self, crc: Value, *content: Value) -> None:
        """Raise `StorageError` unless `crc` is the checksum of `content`."""
        if crc != checksum(*content):
            raise self.damaged(f"the checksum of {str(content[0])[:12]}… is wrong")

    def damaged(self, detail: object) -> StorageError:
        """Return the error for a store whose content cannot be trusted."""
        return StorageError(f"{self.path} is damaged; {_RESTORE} ({str(detail)[:200]!r})")

    @contextmanager
    def unsynced(self) -> Iterator[None]:
        """Run the statements inside without a sync; the next sync covers them.

        A killed process loses none of them; a power cut may.
        """
        self.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the statements inside together, or none of them after an error."""
        self.execute("BEGIN")
        try:
            yield
            self.execute("COMMIT")
        finally:  # after some errors SQLite has rolled back already
            if self._connection.in_transaction:
                self.execute("ROLLBACK")

    def _insert(self, table: str, column: str, request: Request, text: str) -> None:
        content = (request.key, request.model, request.prompt, request.reply_type, text)
        self.execute(
            f"INSERT OR IGNORE INTO {table} (key, model, prompt, reply_type, {column}, crc) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            *(*content, checksum(*content)),
        )

    def _open(self) -> None:
        for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
            self.execute(f"PRAGMA {setting}")
        self.execute("BEGIN EXCLUSIVE")
        if not self.execute("SELECT 1 FROM sqlite_master"):
            tables = (PACKAGE / "llm" / "store.sql").read_text(encoding="utf-8")
            for statement in tables.split(";\n"):
                self.execute(statement)
            self.execute("INSERT INTO about VALUES ('run_id', ?)", uuid4().hex[:12])
            self.execute(f"PRAGMA user_version = {_VERSION}")
        version = self.execute("PRAGMA user_version")[0][0]
        if version != _VERSION:
            raise StorageError(
                f"{self.path} has format {version}, this version of uaeval reads {_VERSION}; "
                "continue with the version that wrote it, or start a new run"
            )
        if (problem := self.execute("PRAGMA integrity_check(1)")[0][0]) != "ok":
            raise self.damaged(problem)
        self.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # damaged bytes cannot be decoded
            remedy = _REMEDIES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
            if remedy is None:
                raise self.damaged(error) from error
            raise StorageError(f"{self.path} {remedy} ({error})") from error


def checksum(*content: object) -> int:
    """Return the CRC-32 of the columns of a row."""
    return zlib.crc32("\0".join(map(str, content)).encode())
