"""The durable response store: a paid answer is never paid for twice.

One SQLite file per run folder holds every reply, and for batch runs every request that waits.
It is the only state from which a run resumes. The process that opens it holds it alone; the lock
is the operating system's, so it vanishes with a killed process.
"""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias, TypeVar, cast
from uuid import uuid4

from pydantic import ValidationError

from uaeval.errors import StorageError
from uaeval.llm.model import Model
from uaeval.llm.parameters import Parameters
from uaeval.llm.replies import Reply
from uaeval.prompts import Field, Prompt, PromptLibrary, as_text

R = TypeVar("R", bound=Reply)
Value: TypeAlias = str | int | None

_VERSION: Final = 1
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE replies (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    reply_type TEXT NOT NULL,
    reply TEXT NOT NULL
);
CREATE TABLE requests (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    reply_type TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'failed')),
    round INTEGER NOT NULL DEFAULT 1,
    raw TEXT,
    kind TEXT,
    problem TEXT
);
CREATE VIEW unanswered AS SELECT * FROM requests WHERE key NOT IN (SELECT key FROM replies);
"""
_REMEDIES: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_BUSY: "is in use by another process; let that run end, or use another folder",
    sqlite3.SQLITE_LOCKED: "is in use by another process; let that run end, or use another folder",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; free some space and run the command "
    "again, no answer is lost",
    sqlite3.SQLITE_IOERR: "cannot be written; check the disk, then run the command again, "
    "no answer is lost",
    sqlite3.SQLITE_READONLY: "is read-only; make it and its folder writable",
    sqlite3.SQLITE_PERM: "must not be opened; make it and its folder writable",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; its folder has to exist and be writable",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a copy, or move it away and run the "
    "command again (its answers are then asked for again)",
    sqlite3.SQLITE_NOTADB: "is no response store, or is damaged; restore it from a copy, or move "
    "it away and run the command again (its answers are then asked for again)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to one model. Equal questions have equal keys."""

    key: str
    model: str
    prompt: str
    reply_type: type[Reply]
    system: str
    user: str


def make_request(
    model: str,
    parameters: Parameters,
    prompt: Prompt,
    reply_type: type[Reply],
    fields: Mapping[str, Field],
) -> Request:
    """Render the prompt and name the question by everything that its answer depends on."""
    system, user = prompt.render(fields)
    identity = {
        "model": model,
        "parameters": parameters.as_record(),
        "prompt": prompt.name,
        "prompt_sha256": prompt.sha256,
        "reply_type": reply_type.__name__,
        "fields": {name: as_text(value) for name, value in fields.items()},
    }
    canonical = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return Request(
        key=hashlib.sha256(canonical.encode()).hexdigest(),
        model=model,
        prompt=prompt.name,
        reply_type=reply_type,
        system=system,
        user=user,
    )


class ResponseStore:
    """Replies on disk, written durably before `put` returns. Close it, or use `with`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._errors():
            self._connection = sqlite3.connect(
                path, timeout=0.2, isolation_level=None, check_same_thread=False
            )
        try:
            with self._errors():
                self._open()
            self._check()
        except StorageError:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file free for others."""
        with self._errors():
            self._connection.close()

    @property
    def run_id(self) -> str:
        """A name that no other store has; it stands in the ids of exported requests."""
        return str(self.execute("SELECT value FROM about WHERE name = 'run_id'")[0][0])

    def get(self, key: str, reply_type: type[R]) -> R | None:
        """Return the stored reply, or `None`."""
        rows = self.execute("SELECT reply FROM replies WHERE key = ?", key)
        if not rows:
            return None
        try:
            return reply_type.model_validate_json(str(rows[0][0]), strict=True)
        except ValidationError as error:
            raise StorageError(
                f"{self.path} holds a {reply_type.__name__} of another version of uaeval; "
                "go on with that version, or start a new run"
            ) from error

    def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; on return it is on the disk. A reply that is there already stays."""
        self.execute(
            "INSERT OR IGNORE INTO replies (key, model, prompt, reply_type, reply) "
            "VALUES (?, ?, ?, ?, ?)",
            request.key,
            request.model,
            request.prompt,
            request.reply_type.__name__,
            reply.model_dump_json(),
        )

    def __len__(self) -> int:
        return int(self.execute("SELECT count(*) FROM replies")[0][0] or 0)

    def execute(self, statement: str, *values: Value) -> list[tuple[Value, ...]]:
        """Run one SQL statement, durable at once unless inside `transaction`."""
        with self._errors():
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the statements inside take effect together, or not at all."""
        self.execute("BEGIN")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def _open(self) -> None:
        for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.execute("BEGIN EXCLUSIVE")
        if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)
            self._connection.execute("INSERT INTO about VALUES ('run_id', ?)", (uuid4().hex[:12],))
            self._connection.execute(f"PRAGMA user_version = {_VERSION}")
        self._connection.execute("COMMIT")

    def _check(self) -> None:
        version = self.execute("PRAGMA user_version")[0][0]
        if version != _VERSION:
            raise StorageError(
                f"{self.path} has format {version}, this version of uaeval reads {_VERSION}; "
                "go on with the version that wrote it, or start a new run"
            )
        if self.execute("PRAGMA quick_check(1)")[0][0] != "ok":
            raise StorageError(f"{self.path} {_REMEDIES[sqlite3.SQLITE_CORRUPT]}")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            remedy = _REMEDIES.get(code, "cannot be used")
            raise StorageError(f"{self.path} {remedy} ({error})") from error


class StoredModel:
    """Any model, remembering its replies; equal questions asked at once are asked once.

    Failures are not remembered: what failed is asked again when the run goes on.
    """

    def __init__(
        self,
        inner: Model,
        store: ResponseStore,
        prompts: PromptLibrary,
        *,
        parameters: Parameters | None = None,
    ) -> None:
        self.inner = inner
        self._store = store
        self._prompts = prompts
        self._parameters = parameters or Parameters()
        self._underway: dict[str, asyncio.Task[Reply]] = {}

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self.inner.name

    async def ask(self, prompt_name: str, reply_type: type[R], /, **fields: Field) -> R:
        """Return the stored reply, or ask the inner model and store what it says."""
        prompt = self._prompts.get(prompt_name)
        request = make_request(self.name, self._parameters, prompt, reply_type, fields)
        stored = self._store.get(request.key, reply_type)
        if stored is not None:
            return stored
        task = self._underway.get(request.key)
        if task is None:
            task = asyncio.create_task(self._ask_inner(request, fields))
            self._underway[request.key] = task
            task.add_done_callback(partial(self._ended, request.key))
        # Shielded: one asker that is cancelled takes no answer from the others.
        return cast(R, await asyncio.shield(task))

    def _ended(self, key: str, task: asyncio.Task[Reply]) -> None:
        self._underway.pop(key, None)
        if not task.cancelled():
            # Whoever still waits is given the error; asyncio would also print one nobody waits for.
            task.exception()

    async def _ask_inner(self, request: Request, fields: Mapping[str, Field]) -> Reply:
        reply = await self.inner.ask(request.prompt, request.reply_type, **fields)
        self._store.put(request, reply)
        return reply
