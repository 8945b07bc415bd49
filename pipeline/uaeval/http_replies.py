"""Read HTTP replies: the body, decompressed and within a limit, and when to ask again.

httpx decompresses whatever a chunk unpacks to: sixty-four kilobytes of brotli may be gigabytes. So
the bytes are decompressed here, piece by piece, and reading ends at the limit.
"""

import math
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Final, TypeAlias

import brotli
import httpx

from uaeval.errors import FetchError

ACCEPTED: Final = "gzip, deflate, br"
"""What `Accept-Encoding` says."""
_PIECE: Final = 65_536
_Parts: TypeAlias = AsyncIterator[bytes]


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """Return the body of a streamed reply, decompressed.

    Raises:
        FetchError: it is larger than `limit` bytes (kind `size`), or what it is compressed with is
            unknown, or the compressed data damaged or cut off (`encoding`).
    """
    return b"".join([part async for part in body_parts(response, limit)])


async def body_parts(response: httpx.Response, limit: int) -> _Parts:
    """Yield the body in parts, as far as it can be read; `FetchError` as `read_body`."""
    encoding = response.headers.get("content-encoding", "")
    names = [part.strip() for part in encoding.lower().split(",")]
    coded = [name for name in names if name not in {"", "identity"}]
    if not set(coded) <= _DECODERS.keys():
        message = f"content encoding {encoding[:60]!r} is not supported, only {ACCEPTED}"
        raise FetchError("encoding", message)
    announced = response.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and float(announced) > limit:
        raise _too_large(limit)
    parts = _within(limit, response.aiter_raw())
    for name in reversed(coded):
        parts = _within(limit, _DECODERS[name](parts))
    async for part in parts:
        yield part


def _too_large(limit: int) -> FetchError:
    return FetchError("size", f"the reply is larger than {limit / 1e6:g} MB")


async def _within(limit: int, parts: _Parts) -> _Parts:
    size = 0
    async for part in parts:
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        yield part


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` or `retry-after-ms` ask for; `None` without either.

    `Retry-After` is a number or a date (RFC 9110, 10.2.3).
    """
    asked = headers.get("retry-after", "")
    for text, seconds_each in ((headers.get("retry-after-ms", ""), 1 / 1000), (asked, 1)):
        with suppress(ValueError):
            wait = float(text) * seconds_each
            if math.isfinite(wait) and wait >= 0:
                return wait
    with suppress(ValueError, IndexError, OverflowError):
        moment = parsedate_to_datetime(asked)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - time.time())
    return None


def _damaged(name: str, raw: bytes = b"") -> FetchError:
    return FetchError("encoding", f"content encoding {name!r}: the data is damaged or cut off", raw)


async def _inflated(name: str, parts: _Parts) -> _Parts:
    """Unpack all members of a gzip stream; zlib streams, and bare ones that are sent as deflate."""
    gzip = name == "gzip"
    inner: zlib._Decompress | None = None
    async for data in parts:
        while data:
            if inner is None or inner.eof:
                inner = zlib.decompressobj(16 + zlib.MAX_WBITS if gzip else _window(data))
            try:
                part = inner.decompress(data, _PIECE)
            except zlib.error as error:
                raise _damaged(name, data) from error
            yield part
            data = inner.unconsumed_tail or (inner.unused_data if gzip else b"")
    if inner and not inner.eof:
        raise _damaged(name)


def _window(data: bytes) -> int:
    """Return the window size for a zlib stream; a negative one if it has no header."""
    headed = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
    return zlib.MAX_WBITS if headed else -zlib.MAX_WBITS


async def _unbrotlied(parts: _Parts) -> _Parts:
    inner, whole = brotli.Decompressor(), True
    async for data in parts:
        try:
            part = inner.process(data, output_buffer_limit=_PIECE)
            while part or not inner.can_accept_more_data():
                yield part
                part = inner.process(b"", output_buffer_limit=_PIECE)
        except brotli.error as error:
            raise _damaged("br", data) from error
        whole = inner.is_finished()
    if not whole:
        raise _damaged("br")


_DECODERS: Final[Mapping[str, Callable[[_Parts], _Parts]]] = {
    "gzip": partial(_inflated, "gzip"),
    "x-gzip": partial(_inflated, "gzip"),
    "deflate": partial(_inflated, "deflate"),
    "br": _unbrotlied,
}
