"""Read and write the files of a run; a killed process leaves no file half-written."""

import asyncio
import csv
import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, Generic, TextIO, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from uaeval.errors import StorageError

T = TypeVar("T")
UNFINISHED: Final = ".unfinished"
FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
"""The beginning of a formula of a spreadsheet, also after the apostrophe that prevents it."""
_adapter_of: Final[Callable[[type], TypeAdapter[Any]]] = cache(TypeAdapter)
"""To make an adapter takes 12 ms."""


@contextmanager
def storage_errors(action: str, remedy: str = "") -> Iterator[None]:
    """Raise an `OSError` inside as a `StorageError` that names the action and the remedy."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot {action}: {error.strerror or error}{remedy}") from error


def make_folder(path: Path) -> None:
    """Make a folder and those above it; raise `StorageError` if that fails."""
    with storage_errors(f"make the folder {path}", "; choose another"):
        path.mkdir(parents=True, exist_ok=True)


def whole_characters(text: str) -> str:
    """Return `text` with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_formula(text: str) -> str:
    """Return the text of a CSV cell, after an apostrophe if a spreadsheet would compute it."""
    return f"'{text}" if FORMULA.match(text) else text


def csv_text(
    columns: Collection[str], rows: Iterable[Mapping[str, object]], *, header: bool = True
) -> str:
    """Return `rows` as CSV after a header line, with line feeds as line ends also in cells."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows({name: _line_feeds(cell) for name, cell in row.items()} for row in rows)
    return text.getvalue()


def _line_feeds(cell: object) -> object:
    return re.sub(r"\r\n?", "\n", cell) if isinstance(cell, str) else cell


def write_text(path: Path, text: str) -> None:
    """Write the UTF-8 bytes of `text` as `write_pieces` does."""
    write_pieces(path, [text.encode()])


def write_journal(path: Path, kind: type[T], records: Iterable[T]) -> None:
    """Write `records` as JSON lines, as `write_pieces` does."""
    adapter = _adapter_of(kind)
    write_pieces(path, (adapter.dump_json(record) + b"\n" for record in records))


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file under a temporary name and rename it, so that it is complete or unchanged.

    Raises:
        StorageError: the disk is full, the folder cannot be written, or `path` is a folder.
    """
    if path.is_dir():
        raise StorageError(f"{path} is a folder; name a file in it")
    temporary = path.with_name(path.name + ".part")
    with storage_errors(f"write {path}", "; free some space or choose another -o folder"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)


def read_journal(path: Path, kind: type[T]) -> tuple[T, ...]:
    """Return all records that `stream_journal` yields."""
    return tuple(stream_journal(path, kind))


def stream_journal(path: Path, kind: type[T]) -> Iterator[T]:
    """Yield the records of a file of JSON lines, reading one line at a time.

    Raise `StorageError` if the file is missing, or on reaching a line that is not such a record.
    """
    adapter = _adapter_of(kind)
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield adapter.validate_json(line)
                except ValidationError as error:
                    raise StorageError(f"{path}:{number}: {first_problem(error)}") from error
    except FileNotFoundError as error:
        raise StorageError(f"{path} is missing; is this the folder of a run?") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"cannot read {path}: {error}") from error


def first_problem(error: ValidationError) -> str:
    """Return the field of the first invalid value, and the problem with it."""
    problem = error.errors()[0]
    message = problem["msg"].removeprefix("Value error, ")
    return ": ".join(filter(None, [".".join(map(str, problem["loc"])), message]))


class FileFingerprint(BaseModel, extra="forbid", frozen=True):
    """Number of lines and SHA-256 of a finished journal."""

    records: int
    sha256: str


def file_print(path: Path) -> FileFingerprint:
    """Return the fingerprint of a journal; raise `StorageError` if it cannot be read."""
    digest, records = hashlib.sha256(), 0
    with storage_errors(f"read {path}"), path.open("rb") as file:
        for line in file:
            digest.update(line)
            records += 1
    return FileFingerprint(records=records, sha256=digest.hexdigest())


def write_json(path: Path, value: object) -> None:
    """Write one indented JSON document, with the keys in their order."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Path) -> dict[str, object]:
    """Read one JSON object; raise `StorageError` if the file cannot be read or holds none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise StorageError(f"cannot read {path}: {error}") from error
    if not isinstance(value, dict):
        raise StorageError(f"{path} should hold a JSON object")
    return value


class SharedSync:
    """Syncs a file that other code writes to; concurrent callers share one sync."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._current: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Return once everything written to the file so far is on the disk."""
        if self._next is None or self._next.done():
            self._next = asyncio.create_task(self._after(self._current))
        await asyncio.shield(self._next)

    async def _after(self, previous: asyncio.Task[None] | None) -> None:
        """Sync after `previous` has ended, which may miss what was written since it began."""
        if previous is not None and not previous.done():
            await asyncio.wait([previous])
        self._current, self._next = self._next, None
        await asyncio.to_thread(self._sync)

    def _sync(self) -> None:
        with self._path.open("rb+") as file:
            os.fsync(file.fileno())


class GrowingJournal(Generic[T]):
    """A journal to which records are appended; reading drops an incomplete last line."""

    def __init__(self, path: Path, kind: type[T]) -> None:
        self._path = path
        self._kind = kind
        self._adapter: TypeAdapter[T] = _adapter_of(kind)

    def read(self) -> tuple[T, ...]:
        """Return the records; remove an incomplete last line from the file."""
        if not self._path.exists():
            return ()
        data = self._path.read_bytes()
        if data[-1:] not in (b"", b"\n"):
            write_pieces(self._path, [data[: data.rfind(b"\n") + 1]])
        return read_journal(self._path, self._kind)

    def append(self, record: T) -> None:
        """Append a record and sync it to the disk; raise `StorageError` if that fails."""
        append(self._path, self._adapter.dump_json(record) + b"\n")


class KeyedJournal(GrowingJournal[T]):
    """A growing journal with one record per key: a later record replaces an earlier one."""

    def __init__(self, path: Path, kind: type[T], key: Callable[[T], str]) -> None:
        super().__init__(path, kind)
        self._key = key
        self._on_disk = SharedSync(path)
        self.known = {key(record): record for record in self.read()}

    async def keep(self, record: T) -> None:
        """Do as `append`, and return once the record is on the disk; callers share one sync."""
        with storage_errors(f"write {self._path}", "; free some space"):
            with self._path.open("ab") as file:
                file.write(self._adapter.dump_json(record) + b"\n")
            self.known[self._key(record)] = record
            await self._on_disk.wait()

    def put_in_order(self, keys: Iterable[str]) -> tuple[T, ...]:
        """Rewrite the file with the records of `keys` in that order; return these records."""
        ordered = tuple(self.known[key] for key in keys if key in self.known)
        write_journal(self._path, self._kind, ordered)
        return ordered


def append(path: Path, data: bytes) -> None:
    """Append to a file and sync it to the disk; raise `StorageError` if that fails."""
    with storage_errors(f"write {path}", "; free some space"), path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def renamed_when_complete(place: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; rename it to `place` on success.

    Raises `StorageError` if `place` exists, or cannot be written.
    """
    temporary = place.with_name(place.name + UNFINISHED)
    with storage_errors(f"write {place}", "; free some space, or choose another place"):
        if place.exists():
            raise StorageError(f"{place} exists already; remove it, or choose another place")
        make_folder(place.parent)
        try:
            _remove(temporary)
            yield temporary
            temporary.replace(place)
        finally:
            _remove(temporary)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    """Open a new UTF-8 file without newline translation; sync it to the disk at the end."""
    with path.open("w", encoding="utf-8", newline="") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def line(value: object) -> str:
    """Return `value` as one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write each row as one line of JSON."""
    with text_file(path) as file:
        file.writelines(line(row) + "\n" for row in rows)


def write_array(path: Path, rows: Iterable[object], before: str = "", after: str = "") -> None:
    """Write a JSON array with one element per line, between the texts `before` and `after`."""
    with text_file(path) as file:
        file.write(before + "[")
        file.writelines((",\n" if n else "\n") + line(row) for n, row in enumerate(rows))
        file.write("\n]" + after + "\n")
