"""From bytes to text, whatever the encoding; binary files are told apart."""

import codecs
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from uaeval.knowledge.reading import UnusableFile

_SAMPLE = 1_000_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes) -> str:
    """Decode a file: by its byte-order mark, as UTF-8, or as the likeliest other encoding.

    Raises:
        UnusableFile: it is not text.
    """
    encoding = _encoding(iter([data]))
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnusableFile(f"it says that it is {encoding}, but is not") from error


def text_of(data: bytes) -> str:
    """Decode a file as `decode` does; its lines end with a newline, and it has no zeros."""
    return with_newlines(decode(data))


def with_newlines(text: str) -> str:
    """Return a text whose lines all end with a newline, without zeros."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def encoding_of(path: Path) -> str:
    """Return the encoding of a file that may be too large to be read at once."""
    with path.open("rb") as file:
        return _encoding(iter(lambda: file.read(_SAMPLE), b""))


def _encoding(blocks: Iterator[bytes]) -> str:
    first = next(blocks, b"")
    marked = next((name for mark, name in _BOMS if first.startswith(mark)), None)
    if marked:
        return marked
    if b"\0" in first:
        raise UnusableFile("it is a binary file, not text")
    try:
        for _ in codecs.iterdecode(chain([first], blocks), "utf-8"):
            pass
    except UnicodeDecodeError:
        return _likeliest(first)
    return "utf-8"


def _likeliest(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    if best is None:
        raise UnusableFile("its text encoding is not recognised; save it as UTF-8")
    return best.encoding
