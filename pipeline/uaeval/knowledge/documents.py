"""Read a knowledge base, whatever it is kept in, as documents of clean text."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG

import yaml

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.chroma import parse_place, read_collection
from uaeval.knowledge.convert import CONVERTERS, VERBATIM, convert, title_of
from uaeval.knowledge.reading import Loaded, ReadSettings, Skipped, UnusableFile
from uaeval.knowledge.rows import (
    ROW_FILES,
    NoTextField,
    documents_of,
    is_saved_dataset,
    read_hub_dataset,
    read_row_file,
    read_saved_dataset,
)
from uaeval.types import Document

__all__ = ["Loaded", "ReadSettings", "Skipped", "fingerprint", "load", "write_folder"]

_DEFAULT = ReadSettings()


def load(source: str | Path, *, settings: ReadSettings = _DEFAULT) -> Loaded:
    """Read a folder, a file, `hf:namespace/name[:split]` or `chroma:<where>#<collection>`.

    One document that cannot be used is left out and listed under `skipped`.

    Raises:
        KnowledgeBaseError: the source cannot be read, is malformed, or nothing usable is in it.
    """
    address = str(source)
    if address.startswith("hf:"):
        found = read_hub_dataset(address.removeprefix("hf:"), settings)
    elif address.startswith("chroma:"):
        found = _load_chroma(address, settings)
    else:
        found = _load_path(Path(address), settings)
    if not found.documents:
        raise KnowledgeBaseError(f"{address}: nothing usable is in it{_reasons(found.skipped)}")
    return Loaded(
        documents=tuple(sorted(found.documents, key=lambda document: document.id)),
        skipped=tuple(sorted(found.skipped, key=lambda skipped: skipped.source)),
    )


def fingerprint(source: str | Path) -> str:
    """Hash what identifies a knowledge base, without extracting its text.

    For files: their paths and bytes. For a hub dataset: its revision. For a Chroma collection:
    its ids and texts.

    Raises:
        KnowledgeBaseError: there is nothing at that place.
    """
    address = str(source)
    if address.startswith("hf:"):
        return _digest([address, _hub_revision(address)])
    if address.startswith("chroma:"):
        return _digest(f"{key}\0{text}" for key, text, _ in read_collection(parse_place(address)))
    root = Path(address)
    if not root.exists():
        raise KnowledgeBaseError(f"{root}: there is no such file or folder")
    files = [root] if root.is_file() else [path for path, _ in _files(root) if path.is_file()]
    return _digest(f"{_name(path, root)}\0{_file_hash(path)}" for path in files)


def write_folder(documents: Sequence[Document], folder: Path) -> None:
    """Write documents as Markdown files that `load` reads back with the same id, title and text.

    Raises:
        KnowledgeBaseError: the folder holds something already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise KnowledgeBaseError(f"{folder}: choose an empty folder for the documents")
    for number, document in enumerate(sorted(documents, key=lambda document: document.id)):
        meta = {"id": document.id, "title": document.title, "text": VERBATIM}
        head = yaml.safe_dump(meta, allow_unicode=True, sort_keys=False, width=10**6)
        name = f"{number:06d}-{_slug(document.title)}.md"
        (folder / name).write_bytes(f"---\n{head}---\n{document.text}\n".encode())


# --- folders and files --------------------------------------------------------------------------


def _load_path(root: Path, settings: ReadSettings) -> Loaded:
    if not root.exists():
        raise KnowledgeBaseError(f"{root}: there is no such file or folder")
    if root.is_file():
        return _load_one(root, settings)
    if is_saved_dataset(root):
        return read_saved_dataset(root, settings)
    corpus = root / "corpus.jsonl"
    if corpus.is_file():
        return read_row_file(corpus, corpus.name, settings)
    return _load_folder(root, settings)


def _load_one(path: Path, settings: ReadSettings) -> Loaded:
    try:
        return _read(path, path.name, settings)
    except (UnusableFile, OSError) as error:
        raise KnowledgeBaseError(f"{path}: {_reason(error)}") from error


def _load_folder(root: Path, settings: ReadSettings) -> Loaded:
    documents: dict[str, Document] = {}
    skipped: list[Skipped] = []
    for path, problem in _files(root):
        name = _name(path, root)
        try:
            if problem is not None:
                raise problem
            found = _read(path, name, settings)
        except (UnusableFile, OSError, NoTextField) as error:
            skipped.append(Skipped(source=name, reason=_reason(error)))
            continue
        skipped.extend(found.skipped)
        for document in found.documents:
            _add(
                documents,
                document if path.suffix.lower() not in ROW_FILES else _below(name, document),
            )
    return Loaded(documents=tuple(documents.values()), skipped=tuple(skipped))


def _below(name: str, document: Document) -> Document:
    return replace(document, id=f"{name}/{document.id}")


def _add(documents: dict[str, Document], document: Document) -> None:
    if document.id in documents:
        first = documents[document.id].source
        raise KnowledgeBaseError(
            f"{document.source}: the id {document.id!r} was already used by {first}"
        )
    documents[document.id] = document


def _read(path: Path, name: str, settings: ReadSettings) -> Loaded:
    suffix = path.suffix.lower()
    if not S_ISREG(path.stat().st_mode):
        raise UnusableFile("it is not a regular file")
    if suffix in ROW_FILES:
        return read_row_file(path, name, settings)
    if suffix not in CONVERTERS:
        kinds = " ".join((*CONVERTERS, *ROW_FILES))
        raise UnusableFile(f"files of this kind are not read (only {kinds})")
    size = path.stat().st_size
    if size > settings.max_file_bytes:
        raise UnusableFile(f"it has {size:,} bytes; the limit is {settings.max_file_bytes:,}")
    content = convert(path)
    text = content.text if "id" in content.meta else content.text.strip()
    if not text.strip():
        raise UnusableFile("it has no text")
    identity = content.meta.get("id", name)
    title = content.title or title_of(str(path) if name == path.name else name)
    document = Document(id=identity, title=title, text=text, source=name)
    return Loaded(documents=(document,), skipped=())


def _files(root: Path) -> Iterator[tuple[Path, OSError | None]]:
    """Yield every visible file below `root` once, sorted; links that loop are not followed."""
    seen = {root.resolve()}
    problems: list[OSError] = []
    found: list[tuple[Path, OSError | None]] = []
    for folder, below, names in os.walk(root, followlinks=True, onerror=problems.append):
        here = Path(folder)
        below[:] = [name for name in sorted(below) if _first_visit(here / name, seen)]
        found += [(here / name, None) for name in names if not name.startswith(".")]
    found += [(Path(problem.filename or root), problem) for problem in problems]
    yield from sorted(found, key=lambda entry: _name(entry[0], root))


def _first_visit(folder: Path, seen: set[Path]) -> bool:
    if folder.name.startswith("."):
        return False
    real = folder.resolve()
    if real in seen:
        return False
    seen.add(real)
    return True


def _name(path: Path, root: Path) -> str:
    return path.name if path == root else path.relative_to(root).as_posix()


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"it cannot be opened ({error.strerror or error})"
    return str(error)


def _reasons(skipped: Sequence[Skipped]) -> str:
    if not skipped:
        return " (no files)"
    first = "; ".join(f"{entry.source}: {entry.reason}" for entry in skipped[:3])
    return f" ({len(skipped):,} left out: {first}{'; …' if len(skipped) > 3 else ''})"


# --- the rest -----------------------------------------------------------------------------------


def _load_chroma(address: str, settings: ReadSettings) -> Loaded:
    place = parse_place(address)
    rows = (
        (f"{place.collection}/{key}", {**metadata, "_id": key, "_text": text})
        for key, text, metadata in read_collection(place)
    )
    fields = replace(settings, id_field="_id", text_field=settings.text_field or "_text")
    return documents_of(rows, address, fields)


def _hub_revision(address: str) -> str:
    import httpx
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    from uaeval.knowledge.rows import parse_hub_address

    name, _, _ = parse_hub_address(address.removeprefix("hf:"))
    try:
        return HfApi().dataset_info(name, timeout=20).sha or ""
    except (OSError, httpx.HTTPError, HfHubHTTPError) as error:
        raise KnowledgeBaseError(
            f"{address}: its revision cannot be looked up ({error})"
        ) from error


def _digest(parts: Sequence[str] | Iterator[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogateescape") + b"\n")
    return digest.hexdigest()


def _file_hash(path: Path) -> str:
    """Hash a file's bytes; one that cannot be opened counts by its problem, `load` skips it."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return _reason(error)


def _slug(title: str) -> str:
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in title)
    return "-".join(kept.lower().split("-")[:8]).strip("-")[:60] or "document"
