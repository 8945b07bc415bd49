"""The readers of knowledge bases: of files by their suffix, of other sources by a prefix.

Other packages add readers through the entry-point group `uaeval.readers`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from uaeval.errors import ConfigError
from uaeval.knowledge.convert import CONVERTERS
from uaeval.knowledge.reading import Content, LoadedDocuments, ReadSettings
from uaeval.knowledge.rows import ROW_FILES
from uaeval.plugins import plugins

GROUP: Final = "uaeval.readers"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Reads one kind of file. It runs in a process of its own, with limits of time and memory."""

    suffixes: tuple[str, ...]
    """Endings of file names in lower case, for example `(".org",)`."""
    convert: Callable[[bytes], Content]
    """Returns title and text of a file. Raises `UnusableFile` with the reason why it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReader:
    """Reads documents from an address such as `notes:work`."""

    prefix: str
    """What addresses begin with, for example `notes:`."""
    read: Callable[[str, ReadSettings], LoadedDocuments]
    """Returns the documents of an address. Raises `KnowledgeBaseError` if it cannot be read."""
    fingerprint: Callable[[str], str]
    """Returns a hash that changes if the documents do; it may cost less than reading them."""


@cache
def converters() -> Mapping[str, Callable[[bytes], Content]]:
    """Return how files are converted, by suffix.

    Raises:
        ConfigError: two readers claim one suffix, or a plugin registers something else.
    """
    known = dict(CONVERTERS)
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
