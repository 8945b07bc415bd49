"""From bytes to text, whatever the encoding; binary files are told apart."""

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import webencodings

from uaeval.knowledge.reading import UnusableFile

_SAMPLE = 1_000_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_HEAD = 4_096
_NAMED = re.compile(
    rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})"""
    rb"""|<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_TAG = re.compile(rb"<(script|style)\b.*?</\1|<[^<>]{0,2000}>", re.DOTALL | re.IGNORECASE)
_FEW = 0.25


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


def decode_page(body: bytes, header: str | None = None) -> str:
    """Decode a page of the web; `header` is the charset of its `Content-Type`.

    In this order: a byte-order mark; UTF-8, if the bytes are UTF-8 and more than ASCII; what the
    header names; what the page names; Windows-1252, where few letters are not ASCII; the likeliest
    encoding. Only encodings of the web are known (the WHATWG's list), so that no page chooses a
    codec that is slow or no encoding.

    Raises:
        UnusableFile: it is not text.
    """
    if not body.startswith(tuple(mark for mark, _ in _BOMS)):
        sure = () if body.isascii() else ("utf-8",)
        match = _NAMED.search(body[:_HEAD])
        named = (match[1] or match[2]).decode("ascii", "replace") if match else None
        for label in (*sure, header, named):
            if label and (text := _strict(body, label)) is not None and "\0" not in text:
                return text
        if _is_western(body) and (text := _strict(body, "windows-1252")) is not None:
            return text
    return decode(body)


def _is_western(body: bytes) -> bool:
    """Return whether most letters are ASCII, as in western European languages."""
    text = _TAG.sub(b"", body[:_SAMPLE])
    accented = sum(byte > 0x7F for byte in text)
    return b"\0" not in body and 0 < accented < _FEW * len(text)


def _strict(body: bytes, label: str) -> str | None:
    """Decode by an encoding of the web; `None` if it is none, or the bytes are not of it."""
    encoding = webencodings.lookup(label)
    if encoding is None or encoding.codec_info is None:
        return None
    try:
        return str(encoding.codec_info.decode(body, "strict")[0])
    except UnicodeDecodeError:
        return None


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
        from charset_normalizer import from_bytes

        best = from_bytes(first[:_SAMPLE]).best()
        if best is None:
            raise UnusableFile("its text encoding is not recognised; save it as UTF-8") from None
        return best.encoding
    return "utf-8"
