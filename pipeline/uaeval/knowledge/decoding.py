"""Decode bytes of any text encoding; recognise binary files."""

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import webencodings

from uaeval.knowledge.reading import UnusableFile

_SAMPLE = 1_000_000
_FEW = 0.06
"""A text in which fewer of the bytes are not ASCII has too few of them to tell its encoding."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_NAMED = re.compile(
    rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})"""
    rb"""|<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_TAG = re.compile(rb"<(script|style)\b.*?</\1|<[^<>]{0,2000}>", re.DOTALL | re.IGNORECASE)


def decode(data: bytes) -> str:
    """Decode a text; raise `UnusableFile` if it is none.

    The first that applies decides: a byte-order mark; valid UTF-8; Windows-1252, if nearly all
    bytes are ASCII; the most probable encoding.
    """
    encoding = _encoding(iter([data]))
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnusableFile(f"it is marked as {encoding}, but is not valid {encoding}") from error


def decode_page(body: bytes, header: str | None = None) -> str:
    """Decode a web page; raise `UnusableFile` if it is not text.

    The first that applies decides: a byte-order mark; valid UTF-8 with characters beyond ASCII; the
    charset of `header`, its `Content-Type`; that of the page; Windows-1252, if most letters are
    ASCII; the most probable encoding. Only WHATWG's web encodings are accepted, so that a page
    cannot choose a slow or unsafe codec of Python.
    """
    if not body.startswith(tuple(mark for mark, _ in _BOMS)):
        utf8 = () if body.isascii() else ("utf-8",)
        match = _NAMED.search(body[:4_096])
        named = (match[1] or match[2]).decode("ascii", "replace") if match else None
        for label in (*utf8, header, named):
            if label and (text := _strict(body, label)) is not None and "\0" not in text:
                return text
        if _is_western(body, 0.25) and (text := _strict(body, "windows-1252")) is not None:
            return text
    return decode(body)


def _is_western(body: bytes, most: float) -> bool:
    """Return whether less than the share `most` of a text is not ASCII, as in western Europe."""
    text = _TAG.sub(b"", body[:_SAMPLE])
    return b"\0" not in body and 0 < sum(byte > 0x7F for byte in text) < len(text) * most


def _strict(body: bytes, label: str) -> str | None:
    """Decode by a web encoding; `None` if it is unknown, or the bytes are invalid in it."""
    encoding = webencodings.lookup(label)
    try:
        return str(encoding.codec_info.decode(body, "strict")[0]) if encoding else None
    except UnicodeDecodeError:
        return None


def text_of(data: bytes) -> str:
    """Decode a file like `decode`, with newlines as line ends and without null characters."""
    return with_newlines(decode(data))


def with_newlines(text: str) -> str:
    """Return a text with newlines as line ends, without null characters."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def encoding_of(path: Path) -> str:
    """Return the encoding of a file, which is read in blocks because it may be large."""
    with path.open("rb") as file:
        return _encoding(iter(lambda: file.read(_SAMPLE), b""))


def _encoding(blocks: Iterator[bytes]) -> str:
    first = next(blocks, b"")
    if marked := next((name for mark, name in _BOMS if first.startswith(mark)), None):
        return marked
    if b"\0" in first:
        raise UnusableFile("it is a binary file, not text")
    try:
        for _ in codecs.iterdecode(chain([first], blocks), "utf-8"):
            pass
    except UnicodeDecodeError:
        if _is_western(first, _FEW) and _strict(first, "windows-1252") is not None:
            return "windows-1252"
        from charset_normalizer import from_bytes

        best = from_bytes(first[:_SAMPLE]).best()
        if best is None:
            raise UnusableFile("its text encoding is not recognised; save it as UTF-8") from None
        return best.encoding
    return "utf-8"
