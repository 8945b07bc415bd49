"""Turn rows into documents: JSON Lines, CSV, Parquet, Python functions, and other sources of rows.

`python:module:function` names a function or LangChain loader, whose documents are LangChain
documents, mappings with a text field, or texts.
"""

import csv
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias

from uaeval.errors import KnowledgeBaseError, UaevalError
from uaeval.knowledge.decoding import encoding_of, with_newlines
from uaeval.knowledge.reading import (
    ID_FIELDS,
    TEXT_FIELDS,
    TITLE_FIELDS,
    LoadedDocuments,
    ReadSettings,
    SkippedFile,
    SourceReader,
    UnusableFile,
    address_in,
    day_in,
)
from uaeval.records import Document
from uaeval.user_code import CallOutcome, described, imported

Row: TypeAlias = Mapping[str, object]
Placed: TypeAlias = tuple[str, Row | UnusableFile]
"""The position of a row, such as `corpus.jsonl:12`, and the row, or why it cannot be used."""

_LONGEST: Final = 150
"""Most characters of an address or a reason in a message."""


def documents_of(rows: Iterable[Placed], settings: ReadSettings) -> LoadedDocuments:
    """Return the documents of rows, which are read one by one.

    Raises `KnowledgeBaseError` if a row is malformed or has no text field, or an id occurs twice.
    """
    documents: list[Document] = []
    skipped: list[SkippedFile] = []
    seen: dict[str, str] = {}
    for number, (place, row) in enumerate(rows, start=1):
        try:
            document = _document(row, place, number, settings)
        except UnusableFile as error:
            skipped.append(SkippedFile(source=place, reason=str(error)))
            continue
        if document.id in seen:
            first = seen[document.id]
            raise KnowledgeBaseError(
                f"{place}: {first} already has the id {document.id!r}; use another id"
            )
        seen[document.id] = place
        documents.append(document)
    return LoadedDocuments(documents=tuple(documents), skipped=tuple(skipped))


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


def _document(row: Row | UnusableFile, place: str, number: int, settings: ReadSettings) -> Document:
    if isinstance(row, UnusableFile):
        raise row
    value = partial(_value, row, place, settings.max_file_bytes)
    text = value(settings.text_field, TEXT_FIELDS)
    if text is None:
        raise KnowledgeBaseError(
            f"{place}: no text field (tried {', '.join(TEXT_FIELDS)}); "
            f"fields found: {_names(row)}; give its name with text_field"
        )
    if not text:
        raise UnusableFile("it has no text")
    identity = value(settings.id_field, ID_FIELDS) or f"row-{number:06d}"
    title = value(settings.title_field, TITLE_FIELDS) or identity
    return Document(
        id=identity,
        title=" ".join(title.split()),
        text=text,
        source=place,
        date=day_in(row),
        url=address_in(row),
    )


def _value(
    row: Row, place: str, limit: int, field: str | None, usual: tuple[str, ...]
) -> str | None:
    """Return the text of `field`, or else of the first usual field; `None` if there is none."""
    by_lower = {str(name).lower(): str(name) for name in reversed(list(row))}
    first_usual = next((by_lower[name] for name in usual if name in by_lower), None)
    name = first_usual if field is None else field
    if name is None:
        return None
    if name not in row:
        found = _names(row)
        raise KnowledgeBaseError(f"{place}: there is no field {name!r}; fields found: {found}")
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


def _json_lines(path: Path, name: str, limit: int) -> Iterator[Placed]:
    with path.open(encoding=encoding_of(path), errors="replace") as file:
        for number, line in enumerate(file, 1):
            if len(line) > limit + 1:
                yield f"{name}:{number}", _too_long(limit)
            elif line.strip():
                yield f"{name}:{number}", _json_object(line, f"{name}:{number}")


def _json_object(line: str, place: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise KnowledgeBaseError(f"{place}: this line is not JSON ({error})") from error
    if not isinstance(row, dict):
        raise KnowledgeBaseError(f"{place}: this line is not a JSON object with named fields")
    return row


def _csv(path: Path, name: str, limit: int) -> Iterator[Placed]:
    csv.field_size_limit(2**31 - 1)  # the largest; longer rows than `limit` are skipped later
    with path.open(encoding=encoding_of(path), errors="replace", newline="") as file:
        header = file.readline()
        file.seek(0)
        delimiter = max(",;\t|", key=lambda mark: (header.count(mark), mark == ","))
        rows = csv.DictReader(file, delimiter=delimiter, restkey="(further cells)")
        if any(len(field) > limit for field in rows.fieldnames or ()):
            raise UnusableFile(f"its first line, with the fields: {_too_long(limit)}")
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
        raise UnusableFile("it is damaged: not a Parquet file") from error


def _too_long(limit: int) -> UnusableFile:
    return UnusableFile(f"it is longer than {limit:,} characters; split it into several rows")


ROW_FILES: Final[Mapping[str, Callable[[Path, str, int], Iterator[Placed]]]] = {
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    **dict.fromkeys((".csv", ".tsv"), _csv),
    ".parquet": _parquet,
}
"""Readers of files with rows, by suffix. Each takes a path, the name in messages and the limit of
characters, and yields rows; a row beyond the limit is an `UnusableFile`."""


def _read_python(address: str, settings: ReadSettings) -> LoadedDocuments:
    places = (f"{address}/{number}" for number in count(1))
    with reported(address):
        return documents_of(zip(places, _python_rows(address), strict=False), settings)


def _python_print(address: str) -> str:
    with reported(address):
        return fingerprint_of(address, _python_rows(address))


def _python_rows(address: str) -> Iterator[Row]:
    source: Any = imported(address, "python:<module>:<function>")
    source = source() if callable(source) else source
    documents = source.lazy_load() if hasattr(source, "lazy_load") else source
    if isinstance(documents, str | Mapping) or not isinstance(documents, Iterable):
        kind = type(documents).__name__
        raise KnowledgeBaseError(f"{address}: it returns a {kind}; return a list of documents")
    return (_python_row(document, address) for document in documents)


def _python_row(document: object, address: str) -> Row:
    if isinstance(document, str):
        return {"text": document}
    if isinstance(document, Mapping):
        return document
    text, metadata = getattr(document, "page_content", None), getattr(document, "metadata", {})
    if not isinstance(text, str) or not isinstance(metadata, Mapping):
        kind = type(document).__name__
        raise KnowledgeBaseError(
            f"{address}: a document is a {kind}; return LangChain documents, mappings or texts"
        )
    identity = getattr(document, "id", None)
    return {**({"id": identity} if identity else {}), **metadata, "text": text}


PYTHON_READER: Final = SourceReader(prefix="python:", read=_read_python, fingerprint=_python_print)
