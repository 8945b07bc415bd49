"""From bytes to text, whatever the encoding; binary files are told apart."""

import codecs
from contextlib import suppress
from pathlib import Path

from uaeval.knowledge.reading import UnusableFile

_SAMPLE = 1_000_000
_BLOCK = 1 << 20
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
    encoding = _marked(data)
    if encoding is None:
        if b"\0" in data:
            raise UnusableFile("it is a binary file, not text")
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8")
        encoding = _likeliest(data)
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
    """Name the encoding of a file that may be too large to be read at once."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        sample = file.read(_SAMPLE)
        if marked := _marked(sample):
            return marked
        if b"\0" in sample:
            raise UnusableFile("it is a binary file, not text")
        block = sample
        try:
            while block:
                decoder.decode(block)
                block = file.read(_BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return _likeliest(sample)
    return "utf-8"


def _marked(data: bytes) -> str | None:
    return next((name for mark, name in _BOMS if data.startswith(mark)), None)


def _likeliest(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    if best is None:
        raise UnusableFile("its text encoding is not recognised; save it as UTF-8")
    return best.encoding
