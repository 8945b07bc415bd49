"""From a page's bytes to its text, where header, page and bytes need not agree."""

import codecs
import re
from typing import Final

import webencodings

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode
from uaeval.knowledge.reading import UnusableFile

_HEAD: Final = 4_096
_SAMPLE: Final = 200_000
_NAMED: Final = re.compile(
    rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})"""
    rb"""|<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_TAG: Final = re.compile(rb"<(script|style)\b.*?</\1|<[^<>]{0,2000}>", re.DOTALL | re.IGNORECASE)
_FEW: Final = 0.25
_BOMS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def text_of(body: bytes, header: str | None = None) -> str:
    """Decode a page, or raise `FetchError`; `header` is the charset of its `Content-Type`.

    In this order: a byte-order mark; UTF-8, if the bytes are UTF-8 and more than ASCII; what the
    header names; what the page names; Windows-1252, where few letters are not ASCII; the likeliest
    encoding. Only encodings of the web are known (the WHATWG's list), so that no page chooses a
    codec that is slow or no encoding.
    """
    if not body.startswith(_BOMS):
        sure = () if body.isascii() else ("utf-8",)
        for label in (*sure, header, _named(body)):
            if label and (text := _strict(body, label)) is not None and "\0" not in text:
                return text
        if _is_western(body) and (text := _strict(body, "windows-1252")) is not None:
            return text
    try:
        return decode(body)
    except UnusableFile as error:
        raise FetchError("charset", str(error)) from error


def _named(body: bytes) -> str | None:
    match = _NAMED.search(body[:_HEAD])
    return (match[1] or match[2]).decode("ascii", "replace") if match else None


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
