"""A reader of notes in an SQLite database: `notes:work.sqlite`."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers import SourceReader
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings
from uaeval.records import Document


def path_of(address: str) -> Path:
    path = Path(address.removeprefix("notes:"))
    if not path.is_file():
        raise KnowledgeBaseError(f"{address}: there is no file {path}")
    return path


def read(address: str, _settings: ReadSettings) -> LoadedDocuments:
    try:
        with closing(sqlite3.connect(path_of(address))) as database:
            rows = database.execute("SELECT id, title, body FROM notes").fetchall()
    except sqlite3.Error as error:
        raise KnowledgeBaseError(f"{address}: {error}") from error
    documents = (
        Document(id=str(row), title=title, text=body, source=f"{address}/{row}")
        for row, title, body in rows
    )
    return LoadedDocuments(documents=tuple(documents), skipped=())


def fingerprint(address: str) -> str:
    return hashlib.sha256(path_of(address).read_bytes()).hexdigest()


READER = SourceReader(prefix="notes:", read=read, fingerprint=fingerprint)
