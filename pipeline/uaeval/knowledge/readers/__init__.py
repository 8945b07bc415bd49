"""Read one file; the readers for files are found by suffix, those for other sources by prefix.

Other packages add readers through the entry-point group `uaeval.readers`.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path, PurePath, PurePosixPath
from stat import S_ISREG
from typing import Final, TypeAlias

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.directives import resolve_includes
from uaeval.knowledge.markdown import plain, read_markdown, top_heading
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.readers import archives
from uaeval.knowledge.readers.adoc import read_adoc
from uaeval.knowledge.readers.html import read_html
from uaeval.knowledge.readers.pdf import read_pdf
from uaeval.knowledge.readers.rows import ROW_FILES, documents_of
from uaeval.knowledge.readers.tex import read_tex
from uaeval.knowledge.reading import (
    Content,
    FileReader,
    LoadedDocuments,
    ReadSettings,
    SourceReader,
    UnusableFile,
)
from uaeval.plugins import package_of, plugins, refused
from uaeval.records import Document

__all__ = ["FileReader", "SourceReader", "installed_readers", "read_file"]

_GROUP: Final = "uaeval.readers"
_MARKDOWN: Final = (".md", ".markdown", ".mdx")


def _read_notebook(data: bytes) -> Content:
    """Return the Markdown and code of a notebook, without outputs."""
    notebook = json.loads(text_of(data))
    sheets = notebook.get("worksheets", [notebook])  # version 3 has its cells in worksheets
    blocks = Blocks()
    for cell in chain.from_iterable(sheet["cells"] for sheet in sheets):
        source = cell.get("source", cell.get("input", ""))
        source = source if isinstance(source, str) else "".join(source)
        if cell.get("cell_type") == "code":
            blocks.code(source)
        elif cell.get("cell_type") == "heading":
            blocks.heading(cell.get("level", 1), source)
        elif cell.get("cell_type") == "markdown":
            blocks.add(plain(source))
    return Content(top_heading(blocks.text()), blocks.text())


def _read_rst(data: bytes) -> Content:
    from uaeval.knowledge.readers.rst import read_rst  # imports docutils

    return read_rst(data)


_Converters: TypeAlias = Mapping[str, Callable[[bytes], Content]]
_BUILT_IN: Final[_Converters] = {
    **dict.fromkeys(_MARKDOWN, lambda data: read_markdown(text_of(data))),
    **dict.fromkeys((".txt", ".text"), lambda data: Content(None, structured(text_of(data)))),
    **dict.fromkeys((".rst", ".rest"), _read_rst),
    **dict.fromkeys((".adoc", ".asciidoc"), read_adoc),
    ".tex": read_tex,
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    ".epub": archives.read_epub,
    ".ipynb": _read_notebook,
    ".pdf": read_pdf,
    ".docx": archives.read_docx,
    ".pptx": archives.read_pptx,
    ".xlsx": archives.read_xlsx,
}


@cache
def installed_readers() -> tuple[_Converters, tuple[SourceReader, ...]]:
    """Return the functions that read files, by suffix, and the readers of plugins for sources.

    Raises:
        ConfigError: two readers have the same suffix, or a plugin is not a usable reader.
    """
    converters, sources = dict(_BUILT_IN), list[SourceReader]()
    owners = dict.fromkeys((*_BUILT_IN, *ROW_FILES), "the built-in reader")
    for name, reader in plugins(_GROUP).items():
        if isinstance(reader, SourceReader):
            sources.append(reader)
        elif not isinstance(reader, FileReader):
            raise refused(_GROUP, name, "should be a FileReader or a SourceReader")
        elif any(PurePath(f"x{end}").suffix.lower() != end for end in reader.suffixes):
            problem = f"has suffixes={reader.suffixes!r}; write lower-case endings: ('.org',)"
            raise refused(_GROUP, name, problem)
        elif taken := sorted(owners.keys() & {*reader.suffixes}):
            raise refused(_GROUP, name, f"reads {taken[0]}, like {owners[taken[0]]}")
        else:
            converters |= dict.fromkeys(reader.suffixes, reader.convert)
            owners |= dict.fromkeys(reader.suffixes, f"{name!r} of {package_of(_GROUP, name)}")
    return converters, tuple(sources)


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
        rows = ROW_FILES[suffix](path, name, settings.max_file_bytes)
        return documents_of(name, rows, settings)
    converters = {**installed_readers()[0], **settings.converters}
    if (converter := converters.get(suffix)) is None:
        kinds = " ".join((*installed_readers()[0], *ROW_FILES))
        raise UnusableFile(f"files of this kind cannot be read (only {kinds})")
    size = path.stat().st_size
    if size > settings.max_file_bytes:
        limit = f"the limit is {settings.max_file_bytes:,}"
        raise UnusableFile(f"it has {size:,} bytes; {limit}: split it into smaller files")
    data = path.read_bytes()
    if suffix in _MARKDOWN:
        data = resolve_includes(data, path.parent, path.parents[name.count("/")])
    content = converter(data)
    if not isinstance(content, Content):
        raise UnusableFile(f"its reader should return Content, got {type(content).__name__}")
    text = content.text if content.id else content.text.rstrip().lstrip("\n")
    if not text.strip():
        raise UnusableFile("it has no text")
    document = Document(
        id=content.id or name,
        title=content.title or _title_of(str(path) if name == path.name else name),
        text=text,
        source=name,
        date=content.date,
        url=content.url,
    )
    return LoadedDocuments(documents=(document,), skipped=())


def _title_of(path: str) -> str:
    """Return a title for a path: `Sick leave` for `leave/sick_leave.md`."""
    pure = PurePosixPath(path)
    stem = pure.stem
    if stem.lower() in ("index", "readme", "_index") and pure.parent.name:
        stem = pure.parent.name
    words = " ".join(re.split(r"[\s_\-]+", stem)).strip()
    return words[:1].upper() + words[1:] if words else path
