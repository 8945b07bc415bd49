"""Read a knowledge base from any source as documents of clean text.

fsspec reads remote stores such as `s3://bucket/docs`. Each store needs a package, such as s3fs or
gcsfs, which also finds the credentials.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.markdown import VERBATIM
from uaeval.knowledge.readers import installed_readers, read_file
from uaeval.knowledge.readers.databases import INDEX_READERS
from uaeval.knowledge.readers.hf_datasets import HUB_READER, is_saved_dataset, read_saved_dataset
from uaeval.knowledge.readers.python_source import PYTHON_READER
from uaeval.knowledge.readers.rows import ROW_FILES, reported
from uaeval.knowledge.reading import (
    LoadedDocuments,
    ReadSettings,
    SkippedFile,
    SourceReader,
    UnusableFile,
)
from uaeval.knowledge.worker import FileWorker, reason_of
from uaeval.records import Document
from uaeval.run.ray_cluster import map_parts
from uaeval.storage import make_folder, storage_errors

__all__ = ["LoadedDocuments", "ReadSettings", "SkippedFile", "fingerprint", "load", "write_folder"]

_BUILT_IN: Final = (PYTHON_READER, HUB_READER, *INDEX_READERS)
_DEFAULT = ReadSettings()
_SHOWN = 200
"""Most characters of an address in a message."""
_VERSIONS: Final = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created")
"""Facts of a store that change with a file; the first one that a store reports is used."""
_LEADS_OUT = "it is a link to a place outside of the folder; set follow_links to follow it"


def load(source: str | Path, *, settings: ReadSettings = _DEFAULT) -> LoadedDocuments:
    """Read the documents of a knowledge base.

    A source is a folder, a file, `hf:namespace/name[/config][:split]`, an index
    (`qdrant:<folder or URL>/<collection>`), `python:<module>:<function>`, or an address that fsspec
    opens (`s3://bucket/docs`). Documents that cannot be used are listed under `skipped`.

    Raises:
        KnowledgeBaseError: the source cannot be read, is malformed, or has nothing usable.
    """
    address = str(source)
    with _file_errors(address):
        loaded = _source(address).read(address, settings)
    if not loaded.documents:
        count = len(loaded.skipped)
        by_reason = {entry.reason: entry.source for entry in reversed(loaded.skipped)}
        shown = [f"{name}: {reason}" for reason, name in [*by_reason.items()][::-1][:3]]
        why = f"{count:,} left out, such as {'; '.join(shown)}" if count else "no files"
        raise KnowledgeBaseError(f"{address}: it contains nothing usable ({why})")
    return replace(
        loaded,
        documents=tuple(sorted(loaded.documents, key=lambda document: document.id)),
        skipped=tuple(sorted(loaded.skipped, key=lambda skipped: skipped.source)),
    )


def _source(address: str) -> SourceReader:
    for reader in _BUILT_IN:
        if address.startswith(reader.prefix):
            return reader
    for reader in installed_readers()[1]:
        if address.startswith(reader.prefix):
            return reader
    if _is_remote(address):
        return SourceReader(prefix="", read=_load_remote, fingerprint=_remote_fingerprint)
    if "://" in address:
        raise KnowledgeBaseError(
            f"{address[:_SHOWN]}: addresses of this kind cannot be read; give https://<site>, "
            "s3://… or another store that fsspec supports, hf:<dataset>, an index such as "
            "qdrant:<folder or URL>/<collection>, or download the files and give their folder"
        )
    if not Path(address).exists():
        known = ", ".join(each.prefix for each in (*_BUILT_IN, *installed_readers()[1]))
        hint = f"; known prefixes of other sources: {known}" if ":" in address else ""
        raise KnowledgeBaseError(f"{address}: there is no such file or folder{hint}")
    return SourceReader(prefix="", read=_load_path, fingerprint=_files_fingerprint)


def fingerprint(source: str | Path) -> str:
    """Return a hash that changes with the knowledge base, without extracting its text.

    It covers the paths and bytes of files, the revision of a hub dataset, or the records of an
    index.

    Raises:
        KnowledgeBaseError: the source does not exist.
    """
    address = str(source)
    with _file_errors(address):
        return _source(address).fingerprint(address)


@contextmanager
def _file_errors(address: str) -> Iterator[None]:
    """Raise errors of the file system as one error that names the knowledge base."""
    if not address.strip():
        raise KnowledgeBaseError("give a knowledge base: a folder, a file, hf:… or qdrant:…")
    try:
        yield
    except OSError as error:
        shown = address if len(address) <= _SHOWN else f"{address[:_SHOWN]}…"
        raise KnowledgeBaseError(f"{shown}: {reason_of(error)}; give another path") from error


def write_folder(documents: Sequence[Document], folder: Path) -> None:
    """Write documents as Markdown files that `load` reads back with the same id, title and text.

    Raises:
        KnowledgeBaseError: the folder is not empty.
        StorageError: the folder cannot be created, or a document cannot be written.
    """
    make_folder(folder)
    remedy = "; free some space or choose another folder"
    with storage_errors(f"write the documents to {folder}", remedy):
        if any(folder.iterdir()):
            raise KnowledgeBaseError(f"{folder}: choose an empty folder for the documents")
        for number, document in enumerate(sorted(documents, key=lambda document: document.id)):
            name = re.sub(r"[^a-zA-Z0-9]", "-", document.title).lower()
            slug = "-".join(name.split("-")[:8]).strip("-")[:60] or "document"
            meta = {"id": document.id, "title": document.title, "text": VERBATIM}
            known = {"date": document.date, "url": document.url}
            meta |= {key: value for key, value in known.items() if value}
            head = yaml.safe_dump(meta, allow_unicode=True, sort_keys=False, width=10**6)
            text = f"---\n{head}---\n{document.text}\n"
            Path(folder, f"{number:06d}-{slug}.md").write_bytes(text.encode())


def _load_path(address: str, settings: ReadSettings) -> LoadedDocuments:
    root = Path(address)
    if is_saved_dataset(root):
        return read_saved_dataset(root, settings)
    path = root if root.is_file() else root / "corpus.jsonl"
    if not path.is_file():
        return _load_folder(root, settings)
    try:
        with FileWorker(read_file) as worker:
            return worker.read(path, path.name, settings)
    except (UnusableFile, OSError) as error:
        raise KnowledgeBaseError(f"{path}: {reason_of(error)}") from error


def _load_folder(root: Path, settings: ReadSettings) -> LoadedDocuments:
    documents: dict[str, Document] = {}
    skipped: list[SkippedFile] = []
    unread_fields: dict[str, tuple[str, ...]] = {}
    files = list(_files_below(root, follow_links=settings.follow_links))
    contents = map_parts(partial(_read_files, root, settings), files, settings.engine)
    for (path, _), content in zip(files, contents, strict=True):
        skipped.extend(content.skipped)
        unread_fields |= content.unread_fields
        prefix = f"{_name_of(path, root)}/" if path.suffix.lower() in ROW_FILES else ""
        for document in content.documents:
            prefixed = replace(document, id=prefix + document.id)
            first = documents.setdefault(prefixed.id, prefixed)
            if first is not prefixed:
                reason = f"{first.source} already has the id {prefixed.id!r}; use another id"
                skipped.append(SkippedFile(source=prefixed.source, reason=reason))
    kept = tuple(documents.values())
    return LoadedDocuments(documents=kept, skipped=tuple(skipped), unread_fields=unread_fields)


def _read_files(
    root: Path, settings: ReadSettings, files: Sequence[tuple[Path, str | None]]
) -> list[LoadedDocuments]:
    """Return the content of each file; that of an unusable file is an entry under `skipped`."""
    contents: list[LoadedDocuments] = []
    with FileWorker(read_file) as worker:
        for path, problem in files:
            name = _name_of(path, root)
            try:
                if problem:
                    raise UnusableFile(problem)
                contents.append(worker.read(path, name, settings))
            except (UnusableFile, OSError, KnowledgeBaseError) as error:
                all_rows = isinstance(error, KnowledgeBaseError) and "; no row of the file is used"
                skipped = SkippedFile(source=name, reason=reason_of(error) + (all_rows or ""))
                contents.append(LoadedDocuments(documents=(), skipped=(skipped,)))
    return contents


def _files_fingerprint(address: str) -> str:
    root, digest = Path(address), hashlib.sha256()
    for path, _ in [(root, None)] if root.is_file() else _files_below(root, follow_links=True):
        if os.path.isfile(path):  # noqa: PTH113 - `Path.is_file` raises without permission
            try:
                with path.open("rb") as file:
                    content = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:  # `load` skips this file
                content = reason_of(error)
            digest.update(f"{_name_of(path, root)}\0{content}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _files_below(root: Path, *, follow_links: bool) -> Iterator[tuple[Path, str | None]]:
    """Yield every visible file below `root` once, sorted, with what prevents reading it.

    Links to folders that were visited, or that contain `root`, are not followed. Links to other
    places outside of `root` are followed only with `follow_links`.
    """
    top = root.resolve()
    seen = {top, *top.parents}
    entries: list[tuple[Path, str | None]] = []

    def report(error: OSError) -> None:
        entries.append((Path(error.filename or root), reason_of(error)))

    for folder, below, names in os.walk(root, followlinks=True, onerror=report):
        visible = (name for name in (*below, *names) if not name.startswith("."))
        folders, below[:] = {*below}, []
        for path in sorted(Path(folder, name) for name in visible):
            if not follow_links and path.is_symlink() and not path.resolve().is_relative_to(top):
                entries.append((path, _LEADS_OUT))
            elif path.name not in folders:
                entries.append((path, None))
            elif (real := path.resolve()) not in seen:
                seen.add(real)
                below.append(path.name)
    yield from sorted(entries, key=lambda entry: _name_of(entry[0], root))


def _name_of(path: Path, root: Path) -> str:
    name = path.name if path == root else path.relative_to(root).as_posix()
    return name.encode("utf-8", "replace").decode()


def _load_remote(address: str, settings: ReadSettings) -> LoadedDocuments:
    with TemporaryDirectory(prefix="uaeval-", ignore_cleanup_errors=True) as folder:
        with reported(address):
            store, path = _opened(address)
            local = Path(folder, path.rstrip("/").rpartition("/")[2] or "files")
            store.get(path, str(local), recursive=store.isdir(path))
        return _load_path(str(local), settings)


def _is_remote(address: str) -> bool:
    """Return whether fsspec knows a file system for the address; sites are read otherwise."""
    scheme, mark, _ = address.partition("://")
    if not mark or scheme in ("http", "https"):
        return False
    from fsspec import available_protocols

    return scheme.partition("::")[0] in available_protocols()


def _remote_fingerprint(address: str) -> str:
    """Return a hash of the names, sizes and versions of the files, without downloading them."""
    with reported(address):
        store, path = _opened(address)
        files = store.find(path, detail=True)
    digest = hashlib.sha256(address.encode())
    for name, facts in sorted(files.items()):
        version = next((facts[key] for key in _VERSIONS if facts.get(key) is not None), "")
        digest.update(f"\n{name}\0{facts.get('size')}\0{version}".encode())
    return digest.hexdigest()


def _opened(address: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    store, path = url_to_fs(address)
    if not store.exists(path):
        raise KnowledgeBaseError(f"{address}: there is no such file or folder")
    return store, path
