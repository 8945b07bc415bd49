"""The readers of knowledge bases: of files by their suffix, of other sources by a prefix.

Other packages add readers through the entry-point group `uaeval.readers`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from uaeval.errors import ConfigError
from uaeval.knowledge.readers import (
    adoc,
    docx,
    epub,
    html,
    ipynb,
    markdown,
    pdf,
    pptx,
    rst,
    tex,
    text,
    xlsx,
)
from uaeval.knowledge.readers.rows import ROW_FILES
from uaeval.knowledge.reading import Content, FileReader, SourceReader
from uaeval.plugins import plugins

__all__ = ["GROUP", "FileReader", "SourceReader", "converters", "installed_source"]

GROUP: Final = "uaeval.readers"
_MODULES: Final = (markdown, text, rst, adoc, tex, html, epub, ipynb, pdf, docx, pptx, xlsx)


@cache
def converters() -> Mapping[str, Callable[[bytes], Content]]:
    """Return how files are converted, by suffix.

    Raises:
        ConfigError: two readers claim one suffix, or a plugin registers something else.
    """
    known: dict[str, Callable[[bytes], Content]] = {}
    for module in _MODULES:
        known |= dict.fromkeys(module.READER.suffixes, module.READER.convert)
    for name, reader in _installed().items():
        if isinstance(reader, FileReader):
            taken = sorted({*reader.suffixes} & {*known, *ROW_FILES})
            if taken:
                raise ConfigError(f"{GROUP}: {name!r} reads {', '.join(taken)}, as another does")
            known |= dict.fromkeys(reader.suffixes, reader.convert)
    return MappingProxyType(known)


def installed_source(address: str) -> SourceReader | None:
    """Return the installed reader of an address, `None` if it is one of ours or a path."""
    sources = (reader for reader in _installed().values() if isinstance(reader, SourceReader))
    return next((reader for reader in sources if address.startswith(reader.prefix)), None)


def _installed() -> Mapping[str, FileReader | SourceReader]:
    readers: dict[str, FileReader | SourceReader] = {}
    for name, reader in plugins(GROUP).items():
        if not isinstance(reader, FileReader | SourceReader):
            raise ConfigError(f"{GROUP}: {name!r} should be a FileReader or a SourceReader")
        readers[name] = reader
    return readers
