"""Read HTTP replies: the decompressed body up to a size limit, and whether and when to retry.

httpx decompresses a whole chunk at once, and 64 KB of brotli can expand to gigabytes. So the bytes
are decompressed here piece by piece, and reading stops at the limit.
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
"""Value of the request header `Accept-Encoding`."""
LARGEST_REPLY: Final = 16_000_000
"""Most bytes of the reply of a model or a system, compressed or not."""
_PIECE: Final = 65_536
_Parts: TypeAlias = AsyncIterator[bytes]


def is_transient_status(status: int) -> bool:
    """Return whether the same request may succeed later: 408, 409, 425, 429 and 5xx."""
    return status in {408, 409, 425, 429} or status >= 500


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """Return the decompressed body of a streamed reply, as `body_parts` yields it."""
    return b"".join([part async for part in body_parts(response, limit)])


async def body_parts(response: httpx.Response, limit: int) -> _Parts:
    """Yield the decompressed body of a streamed reply in parts.

    Raises:
        FetchError: the body is larger than `limit` bytes (kind `size`); or its compression is
        unknown, or the compressed data is damaged or cut off (kind `encoding`).
    """
    encoding = response.headers.get("content-encoding", "")
    names = [part.strip() for part in encoding.lower().split(",")]
    codings = [name for name in names if name not in {"", "identity"}]
    if not set(codings) <= _DECODERS.keys():
        message = f"content encoding {encoding[:60]!r} is not supported, only {ACCEPTED}"
        raise FetchError("encoding", message)
    content_length = response.headers.get("content-length", "")
    if content_length.isascii() and content_length.isdigit() and float(content_length) > limit:
        raise _too_large(limit)
    parts = _limited(limit, response.aiter_raw())
    for name in reversed(codings):
        parts = _limited(limit, _DECODERS[name](parts))
    async for part in parts:
        yield part


def _too_large(limit: int) -> FetchError:
    return FetchError("size", f"the reply is larger than {limit / 1e6:g} MB")


async def _limited(limit: int, parts: _Parts) -> _Parts:
    size = 0
    async for part in parts:
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        yield part


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` or `retry-after-ms` ask to wait; `None` without them.

    `Retry-After` is a number or a date (RFC 9110, 10.2.3).
    """
    retry_after = headers.get("retry-after", "")
    for text, seconds_each in ((headers.get("retry-after-ms", ""), 1 / 1000), (retry_after, 1)):
        with suppress(ValueError):
            wait = float(text) * seconds_each
            if math.isfinite(wait) and wait >= 0:
                return wait
    with suppress(ValueError, IndexError, OverflowError):
        retry_at = parsedate_to_datetime(retry_after)
        retry_at = retry_at if retry_at.tzinfo else retry_at.replace(tzinfo=UTC)
        return max(0.0, retry_at.timestamp() - time.time())
    return None


def _damaged(name: str, raw: bytes = b"") -> FetchError:
    return FetchError("encoding", f"content encoding {name!r}: the data is damaged or cut off", raw)


async def _decompress_zlib(name: str, parts: _Parts) -> _Parts:
    """Yield the parts of a gzip stream, or of a deflate stream with or without a zlib header."""
    gzip = name == "gzip"
    decompressor: zlib._Decompress | None = None
    async for data in parts:
        while data:
            if decompressor is None or decompressor.eof:
                bits = 16 + zlib.MAX_WBITS if gzip else _window_bits(data)
                decompressor = zlib.decompressobj(bits)
            try:
                part = decompressor.decompress(data, _PIECE)
            except zlib.error as error:
                raise _damaged(name, data) from error
            yield part
            data = decompressor.unconsumed_tail or (decompressor.unused_data if gzip else b"")
    if decompressor and not decompressor.eof:
        raise _damaged(name)


def _window_bits(data: bytes) -> int:
    """Return the `wbits` of `zlib.decompressobj`; negative for a stream without a zlib header."""
    has_header = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


async def _decompress_brotli(parts: _Parts) -> _Parts:
    decompressor, is_complete = brotli.Decompressor(), True
    async for data in parts:
        try:
            part = decompressor.process(data, output_buffer_limit=_PIECE)
            while part or not decompressor.can_accept_more_data():
                yield part
                part = decompressor.process(b"", output_buffer_limit=_PIECE)
        except brotli.error as error:
            raise _damaged("br", data) from error
        is_complete = decompressor.is_finished()
    if not is_complete:
        raise _damaged("br")


_DECODERS: Final[Mapping[str, Callable[[_Parts], _Parts]]] = {
    "gzip": partial(_decompress_zlib, "gzip"),
    "x-gzip": partial(_decompress_zlib, "gzip"),
    "deflate": partial(_decompress_zlib, "deflate"),
    "br": _decompress_brotli,
}
