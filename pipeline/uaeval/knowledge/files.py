"""Find the files of a knowledge base, and read the documents of one."""

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from stat import S_ISREG

from uaeval.knowledge.directives import resolve_includes
from uaeval.knowledge.readers import converters
from uaeval.knowledge.readers.pages import MARKDOWN
from uaeval.knowledge.readers.rows import ROW_FILES, documents_of
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, UnusableFile
from uaeval.records import Document

_LEADS_OUT = "it is a link to a place outside of the folder; set follow_links to follow it"


def read_file(path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
    """Return the documents of one file, in this process; parsers may raise further exceptions.

    Raises:
        UnusableFile: the file cannot be used.
        KnowledgeBaseError: its rows cannot be used.
    """
    suffix = path.suffix.lower()
    if not S_ISREG(path.stat().st_mode):
        raise UnusableFile("it is not a regular file")
    if suffix in ROW_FILES:
        return documents_of(ROW_FILES[suffix](path, name, settings.max_file_bytes), settings)
    converter = settings.converters.get(suffix) or converters().get(suffix)
    if converter is None:
        kinds = " ".join((*converters(), *ROW_FILES))
        raise UnusableFile(f"files of this kind cannot be read (only {kinds})")
    size = path.stat().st_size
    if size > settings.max_file_bytes:
        limit = f"the limit is {settings.max_file_bytes:,}"
        raise UnusableFile(f"it has {size:,} bytes; {limit}: split it into smaller files")
    data = path.read_bytes()
    if suffix in MARKDOWN:
        data = resolve_includes(data, path.parent, path.parents[name.count("/")])
    content = converter(data)
    text = content.text if content.id else content.text.rstrip().lstrip("\n")
    if not text.strip():
        raise UnusableFile("it has no text")
    document = Document(
        id=content.id or name,
        title=content.title or title_of(str(path) if name == path.name else name),
        text=text,
        source=name,
        date=content.date,
        url=content.url,
    )
    return LoadedDocuments(documents=(document,), skipped=())


def title_of(path: str) -> str:
    """Return a title for a path: `Sick leave` for `leave/sick_leave.md`."""
    pure = PurePosixPath(path)
    stem = pure.stem
    if stem.lower() in ("index", "readme", "_index") and pure.parent.name:
        stem = pure.parent.name
    words = " ".join(re.split(r"[\s_\-]+", stem)).strip()
    return words[:1].upper() + words[1:] if words else path


def files_below(root: Path, *, follow_links: bool) -> Iterator[tuple[Path, Exception | None]]:
    """Yield every visible file below `root` once, sorted, with the error that prevents reading it.

    Links to folders that were visited, or that contain `root`, are not followed. Links to other
    places outside of `root` are followed only with `follow_links`.
    """
    top = root.resolve()
    seen = {top, *top.parents}
    entries: list[tuple[Path, Exception | None]] = []

    def report(error: OSError) -> None:
        entries.append((Path(error.filename or root), error))

    for folder, below, names in os.walk(root, followlinks=True, onerror=report):
        visible = [Path(folder, name) for name in (*below, *names) if not name.startswith(".")]
        links = (path for path in visible if path.is_symlink() and not follow_links)
        outside = {path for path in links if not path.resolve().is_relative_to(top)}
        entries += [
            (path, UnusableFile(_LEADS_OUT) if path in outside else None)
            for path in visible
            if path in outside or path.name in names
        ]
        inside = sorted(path for path in visible if path.name in below and path not in outside)
        below[:] = []
        for path in inside:
            if (real := path.resolve()) not in seen:
                seen.add(real)
                below.append(path.name)
    yield from sorted(entries, key=lambda entry: name_of(entry[0], root))


def name_of(path: Path, root: Path) -> str:
    """Return the path relative to `root`; for `root` itself, its name."""
    name = path.name if path == root else path.relative_to(root).as_posix()
    return name.encode("utf-8", "replace").decode()


def reason_of(error: Exception) -> str:
    """Return one line that says why a file cannot be used."""
    if isinstance(error, OSError):
        return f"it cannot be opened ({error.strerror or error})"
    return str(error)
