"""The durable response store: a paid answer is never paid for twice.

One SQLite file per run folder holds every reply, and for batch runs every request that waits.
It is the only state from which a run resumes. The process that opens it holds it alone; the lock
is the operating system's, so it vanishes with a killed process.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeAlias, cast
from uuid import uuid4

from pydantic import ValidationError

from uaeval.errors import StorageError
from uaeval.llm.model import Model, R, T
from uaeval.llm.parameters import Parameters
from uaeval.llm.replies import Reply
from uaeval.llm.request import Request, make_request
from uaeval.llm.syncing import SharedSync
from uaeval.prompts import Field, PromptLibrary

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
_ADDED = """
CREATE TABLE IF NOT EXISTS sent_batches (
    number INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    url TEXT NOT NULL,
    file_id TEXT NOT NULL,
    requests INTEGER NOT NULL,
    id TEXT,
    status TEXT NOT NULL DEFAULT 'unconfirmed',
    completed INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    settled INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS sent_requests (key TEXT PRIMARY KEY, batch INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS usage (
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    batch INTEGER NOT NULL,
    counted TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (model, prompt, batch, counted)
)
"""
"""Tables that stores of this format may lack. A request is in one batch at most; of `usage`, a row
holds one field of `Usage`."""
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


class ResponseStore:
    """Replies on disk, written durably before `put` and `keep` return. Close it, or use `with`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = SharedSync(path.with_name(f"{path.name}-wal"))
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

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file free for others."""
        with self._errors():
            self._connection.close()
        self._log.close()

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

    async def keep(self, request: Request, reply: Reply) -> None:
        """Put a reply while other work goes on; replies that come together share one sync.

        What SQLite does at each commit with `synchronous = FULL` is done here: syncing its log.
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
        """Run one SQL statement, durable at once unless inside `transaction`."""
        with self._errors():
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def unsynced(self) -> Iterator[None]:
        """Let the statements inside not wait for the disk; the next one outside takes them along.

        A kill loses none of them, a power cut may.
        """
        self.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the statements inside take effect together, or not at all."""
        with ExitStack() as undo:
            undo.callback(self._roll_back)
            self.execute("BEGIN")
            yield
            self.execute("COMMIT")
            undo.pop_all()

    def _roll_back(self) -> None:
        """Undo what is not committed; some errors have done so already."""
        if self._connection.in_transaction:
            self.execute("ROLLBACK")

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
        for statement in _ADDED.split(";"):
            self.execute(statement)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            remedy = _REMEDIES.get(code, "cannot be used")
            raise StorageError(f"{self.path} {remedy} ({error})") from error


class KeptModel:
    """A model whose replies are in a store, under what they depend on."""

    def __init__(
        self,
        name: str,
        store: ResponseStore,
        prompts: PromptLibrary,
        parameters: Parameters | None,
    ) -> None:
        self._name = name
        self._store = store
        self._prompts = prompts
        self._parameters = parameters or Parameters()

    @property
    def name(self) -> str:
        """The same name whether the model is asked at once or in batches; both share replies."""
        return self._name

    def sample(self, number: int) -> Self:
        """Return a model that answers the same questions anew, and remembers that apart."""
        other = copy(self)
        other._parameters = replace(self._parameters, sample=number)
        return other


class StoredModel(KeptModel):
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
        super().__init__(inner.name, store, prompts, parameters)
        self.inner = inner
        self._underway: dict[str, asyncio.Task[tuple[Reply, object]]] = {}

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        """Return the stored reply, or ask the inner model and store its reply."""
        prompt = self._prompts.get(prompt_name)
        request = make_request(self.name, self._parameters, prompt, reply_type, fields)
        stored = self._store.get(request.key, reply_type)
        if stored is not None:
            return parse(stored)
        task = self._underway.get(request.key)
        if task is None:
            task = asyncio.create_task(self._ask_inner(request, parse, fields))
            self._underway[request.key] = task
            task.add_done_callback(partial(self._forget, request.key))
            # Shielded: one asker that is cancelled takes no answer from the others.
            return cast(T, (await asyncio.shield(task))[1])
        reply, _ = await asyncio.shield(task)
        return parse(cast(R, reply))

    async def settle(self) -> None:
        """Let the calls under way end, so that what they answer is kept.

        Those that fail are asked again by the next run; a store that cannot be written is told.
        """
        ended = await asyncio.gather(*self._underway.values(), return_exceptions=True)
        for outcome in ended:
            if isinstance(outcome, StorageError):
                raise outcome

    def _forget(self, key: str, ended: asyncio.Task[tuple[Reply, object]]) -> None:
        """Forget a call that has ended; if it failed, and all who waited have left, so be it."""
        self._underway.pop(key, None)
        if not ended.cancelled():
            ended.exception()

    async def _ask_inner(
        self,
        request: Request,
        parse: Callable[[R], object],
        fields: Mapping[str, Field],
    ) -> tuple[Reply, object]:
        """Return the inner model's reply, once it is stored, and what `parse` made of it."""
        kind = cast(type[R], request.reply_type)
        reply, parsed = await self.inner.ask(
            request.prompt, kind, lambda reply: (reply, parse(reply)), **fields
        )
        await self._store.keep(request, reply)
        return reply, parsed
