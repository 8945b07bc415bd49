"""Turn rows into documents, wherever they come from; read JSON Lines, CSV and Parquet files."""

import csv
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from uaeval.errors import KnowledgeBaseError, UaevalError
from uaeval.knowledge import reading
from uaeval.knowledge.decoding import encoding_of, with_newlines
from uaeval.records import Document
from uaeval.user_code import CallOutcome, described

Row: TypeAlias = Mapping[str, object]
Placed: TypeAlias = tuple[str, Row | UaevalError]
"""The position of a row, such as `corpus.jsonl:12`, and the row, or why it cannot be used."""

_LONGEST: Final = 150
"""Most characters of an address or a reason in a message."""


def documents_of(
    source: str, rows: Iterable[Placed], settings: reading.ReadSettings
) -> reading.LoadedDocuments:
    """Return the documents of the rows of a file or address, which are read one by one.

    Rows that cannot be used are listed under `skipped`.

    Raises:
        KnowledgeBaseError: no row can be used, and one is malformed or has no text field; or an id
            occurs twice.
    """
    documents: dict[str, Document] = {}
    skipped: list[reading.SkippedFile] = []
    unread: dict[str, None] = {}
    malformed: KnowledgeBaseError | None = None
    for number, (place, row) in enumerate(rows, start=1):
        try:
            document = _document(row, place, number, settings, unread)
        except (reading.UnusableFile, KnowledgeBaseError) as error:
            reason = str(error).removeprefix(f"{place}: ")
            skipped.append(reading.SkippedFile(source=place, reason=reason))
            if isinstance(error, KnowledgeBaseError):
                malformed = malformed or error
            continue
        if first := documents.get(document.id):
            raise KnowledgeBaseError(
                f"{place}: {first.source} already has the id {document.id!r}; use another id"
            )
        documents[document.id] = document
    if malformed and not documents:
        raise malformed
    return reading.LoadedDocuments(
        documents=tuple(documents.values()),
        skipped=tuple(skipped),
        unread_fields={source: tuple(unread)} if unread else {},
    )


@contextmanager
def reported(address: str, extra: str | None = None) -> Iterator[None]:
    """Raise an error in the block as `KnowledgeBaseError`; `extra` installs a missing package."""
    with CallOutcome() as outcome:
        yield
    error, shown = outcome.error, address[:_LONGEST]
    if isinstance(error, UaevalError):
        raise error
    if extra and isinstance(error, ModuleNotFoundError):
        needed = f"needs an extra: pip install 'uaeval[{extra}]'"
        raise KnowledgeBaseError(f"{shown}: {needed} ({error})") from error
    if error:
        reason = described(error)[:_LONGEST]
        raise KnowledgeBaseError(f"{shown}: cannot be read ({reason})") from error


def fingerprint_of(address: str, rows: Iterable[Row]) -> str:
    """Return a hash of an address and its rows that does not depend on their order."""
    total = int.from_bytes(hashlib.sha256(address.encode()).digest())
    for row in rows:
        fields = repr(sorted(row.items())).encode("utf-8", "backslashreplace")
        total += int.from_bytes(hashlib.sha256(fields).digest())
    return f"{total % (1 << 256):064x}"


def _document(
    row: Row | UaevalError,
    place: str,
    number: int,
    settings: reading.ReadSettings,
    unread: dict[str, None],
) -> Document:
    """Return the document of a row; add its further fields that have a value to `unread`."""
    if isinstance(row, UaevalError):
        raise row
    day, url = reading.day_in(row), reading.address_in(row)
    used = {*(reading.DATE_FIELDS if day else ()), *(reading.URL_FIELDS if url else ())}
    value = partial(_value, row, place, settings.max_file_bytes, used)
    text = value(settings.text_field, reading.TEXT_FIELDS)
    if text is None:
        raise KnowledgeBaseError(
            f"{place}: no text field (tried {', '.join(reading.TEXT_FIELDS)}); "
            f"fields found: {_names(row)}; give its name with text_field"
        )
    if not text:
        raise reading.UnusableFile("it has no text")
    identity = value(settings.id_field, reading.ID_FIELDS) or f"row-{number:06d}"
    title = value(settings.title_field, reading.TITLE_FIELDS) or identity
    for name, field in row.items():
        if name not in used and (field.strip() if isinstance(field, str) else field is not None):
            unread[str(name)] = None
    return Document(
        id=identity,
        title=" ".join(title.split()),
        text=text,
        source=place,
        date=day,
        url=url,
    )


def _value(
    row: Row, place: str, limit: int, used: set[str], field: str | None, usual: tuple[str, ...]
) -> str | None:
    """Return the text of `field`, or of the first usual one, if any; add its name to `used`."""
    by_lower = {str(name).lower(): str(name) for name in reversed(list(row))}
    first_usual = next((by_lower[name] for name in usual if name in by_lower), None)
    name = first_usual if field is None else field
    if name is None:
        return None
    if name not in row:
        found = _names(row)
        raise KnowledgeBaseError(f"{place}: there is no field {name!r}; fields found: {found}")
    used.add(name)
    value = row[name]
    if isinstance(value, str) and len(value) > limit:
        raise _too_long(limit)
    if not isinstance(value, str | int | float | None):
        kind = type(value).__name__
        raise KnowledgeBaseError(f"{place}: the field {name!r} has a {kind}, not text")
    text = with_newlines("" if value is None else str(value))
    return text.encode("utf-8", "replace").decode().strip()


def _names(row: Row) -> str:
    return ", ".join(map(str, row)) or "none"


def _too_long(limit: int) -> reading.UnusableFile:
    """Return why a row or a field of more than `limit` characters is skipped."""
    return reading.UnusableFile(
        f"it is longer than {limit:,} characters; split it into several rows"
    )


def _json_lines(path: Path, name: str, limit: int) -> Iterator[Placed]:
    with path.open(encoding=encoding_of(path), errors="replace") as file:
        for number, line in enumerate(file, 1):
            if len(line) > limit + 1:
                yield f"{name}:{number}", _too_long(limit)
            elif line.strip():
                yield f"{name}:{number}", _json_object(line, f"{name}:{number}")


def _json_object(line: str, place: str) -> Row | KnowledgeBaseError:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return KnowledgeBaseError(f"{place}: this line is not JSON ({error})")
    if isinstance(row, dict):
        return row
    return KnowledgeBaseError(f"{place}: this line is not a JSON object with named fields")


def _csv(path: Path, name: str, limit: int) -> Iterator[Placed]:
    csv.field_size_limit(2**31 - 1)  # the largest; longer rows than `limit` are skipped later
    with path.open(encoding=encoding_of(path), errors="replace", newline="") as file:
        header = file.readline()
        file.seek(0)
        delimiter = max(",;\t|", key=lambda mark: (header.count(mark), mark == ","))
        rows = csv.DictReader(file, delimiter=delimiter, restkey="(further cells)")
        if any(len(field) > limit for field in rows.fieldnames or ()):
            raise reading.UnusableFile(f"its first line, with the fields: {_too_long(limit)}")
        for row in rows:
            yield f"{name}:{rows.line_num}", row


def _parquet(path: Path, name: str, limit: int) -> Iterator[Placed]:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                step = max(1, batch.num_rows) if batch.nbytes <= limit else 1
                for start in range(0, batch.num_rows, step):
                    for row in batch.slice(start, step).to_pylist():
                        number += 1
                        yield f"{name}:{number}", row
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        raise reading.UnusableFile("it is damaged: not a Parquet file") from error


ROW_FILES: Final[Mapping[str, Callable[[Path, str, int], Iterator[Placed]]]] = {
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    **dict.fromkeys((".csv", ".tsv"), _csv),
    ".parquet": _parquet,
}
"""Readers of files with rows, by suffix. Each takes a path, the name in messages and the limit of
characters, and yields rows; a row that cannot be used is an error."""
