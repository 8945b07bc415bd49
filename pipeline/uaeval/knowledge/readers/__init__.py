"""The readers of knowledge bases: for files by suffix, for other sources by prefix.

Other packages add readers through the entry-point group `uaeval.readers`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from uaeval.errors import ConfigError
from uaeval.knowledge.readers.adoc import read_adoc
from uaeval.knowledge.readers.archives import read_docx, read_epub, read_pptx, read_xlsx
from uaeval.knowledge.readers.converted import read_pdf
from uaeval.knowledge.readers.pages import (
    MARKDOWN,
    read_html,
    read_markdown_file,
    read_notebook,
    read_text,
)
from uaeval.knowledge.readers.rows import ROW_FILES
from uaeval.knowledge.readers.rst import read_rst
from uaeval.knowledge.readers.tex import read_tex
from uaeval.knowledge.reading import Content, FileReader, SourceReader
from uaeval.plugins import plugins

__all__ = ["GROUP", "FileReader", "SourceReader", "converters", "installed_source"]

GROUP: Final = "uaeval.readers"
_BUILT_IN: Final[Mapping[str, Callable[[bytes], Content]]] = {
    **dict.fromkeys(MARKDOWN, read_markdown_file),
    **dict.fromkeys((".txt", ".text"), read_text),
    **dict.fromkeys((".rst", ".rest"), read_rst),
    **dict.fromkeys((".adoc", ".asciidoc"), read_adoc),
    ".tex": read_tex,
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    ".epub": read_epub,
    ".ipynb": read_notebook,
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".pptx": read_pptx,
    ".xlsx": read_xlsx,
}


@cache
def converters() -> Mapping[str, Callable[[bytes], Content]]:
    """Return the functions that read files, by suffix.

    Raises:
        ConfigError: two readers have the same suffix, or a plugin is not a reader.
    """
    known = dict(_BUILT_IN)
    for name, reader in _installed().items():
        if isinstance(reader, FileReader):
            taken = sorted({*reader.suffixes} & {*known, *ROW_FILES})
            if taken:
                raise ConfigError(
                    f"{GROUP}: {name!r} reads {', '.join(taken)}, like another reader"
                )
            known |= dict.fromkeys(reader.suffixes, reader.convert)
    return MappingProxyType(known)


def installed_source(address: str) -> SourceReader | None:
    """Return the plugin that reads an address; `None` if no plugin does."""
    sources = (reader for reader in _installed().values() if isinstance(reader, SourceReader))
    return next((reader for reader in sources if address.startswith(reader.prefix)), None)


def _installed() -> Mapping[str, FileReader | SourceReader]:
    readers: dict[str, FileReader | SourceReader] = {}
    for name, reader in plugins(GROUP).items():
        if not isinstance(reader, FileReader | SourceReader):
            raise ConfigError(f"{GROUP}: {name!r} should be a FileReader or a SourceReader")
        readers[name] = reader
    return readers
