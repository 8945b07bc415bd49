"""A fetched page, its text, and the settings of fetching."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

import webencodings

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode
from uaeval.knowledge.reading import UnusableFile

PAGES: Final = ("text/html", "application/xhtml+xml", "text/plain", "")
"""Content types of articles."""
FEEDS: Final = (
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml",
    "text/xml", "application/json", *PAGES,
)  # fmt: skip
"""Content types of feeds; some are sent as pages."""
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Limits and pauses of a crawl."""

    user_agent: str
    concurrency: int = 16
    """Concurrent requests over all hosts; one at a time to each host."""
    delay_s: float = 1.0
    """Least pause between the starts of two requests to one host; robots.txt may ask for more."""
    timeout_s: float = 30.0
    """For one page in all, with its redirects, without the pauses before its requests."""
    max_bytes: int = 5_000_000
    """Of a body, decompressed."""
    max_redirects: int = 8
    attempts: int = 2
    """Attempts of a request whose failure may be temporary."""
    longest_delay_s: float = 60.0
    """A site that asks for longer pauses, or sends a longer `Retry-After`, is left out."""
    allow_hosts: frozenset[str] = frozenset()
    """Hosts that need not be public."""
    proxy: str | None = None
    """An HTTP proxy, which then resolves the names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one URL gave: a body, a redirect, or a status without either."""

    url: str
    status: int = 200
    content_type: str = ""
    """The header, with its parameters."""
    location: str = ""
    """The target of a redirect, as sent."""
    etag: str = ""
    last_modified: str = ""
    fresh_until: float = 0.0
    """Seconds since 1970; until then the site says that it does not change."""
    checked_at: float = 0.0
    problem: str = ""
    """Why the body was not read (`size: …`); empty if it was."""
    body: bytes = b""

    @property
    def media_type(self) -> str:
        """The content type without its parameters, lower case; `""` if it has none."""
        return self.content_type.partition(";")[0].strip().lower()

    def text(self) -> str:
        """Return its text; `FetchError` if it is not text."""
        charset = _CHARSET.search(self.content_type)
        return text_of(self.body, charset[1] if charset else None)


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
