"""Read HTTP replies: the body, decompressed and within a limit, and when to ask again.

httpx decompresses whatever a chunk unpacks to: sixty-four kilobytes of brotli may be gigabytes. So
the bytes are decompressed here, piece by piece, and reading ends at the limit.
"""

import math
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Final, Protocol

import brotli
import httpx

from uaeval.errors import FetchError

ACCEPTED: Final = "gzip, deflate, br"
"""What `Accept-Encoding` says."""
_PIECE: Final = 65_536


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """Return the body of a streamed reply, decompressed.

    Raises:
        FetchError: it is larger than `limit` bytes (kind `size`), or what it is compressed with is
            unknown, or the compressed data damaged or cut off (`encoding`).
    """
    return b"".join([part async for part in body_parts(response, limit)])


async def body_parts(response: httpx.Response, limit: int) -> AsyncIterator[bytes]:
    """Yield the body in parts, as far as it can be read; `FetchError` as `read_body`."""
    decoders = _decoders(response.headers.get("content-encoding", ""))
    too_large = FetchError("size", f"the reply is larger than {limit / 1e6:g} MB")
    announced = response.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and float(announced) > limit:
        raise too_large
    raw = size = 0
    async for chunk in response.aiter_raw():
        raw += len(chunk)
        if raw > limit:
            raise too_large
        for part in _unpacked(chunk, decoders):
            size += len(part)
            if size > limit:
                raise too_large
            yield part
    for decoder in decoders:
        if not decoder.whole:
            raise _damaged(decoder.name)


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
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    return None


def _damaged(name: str, raw: bytes = b"") -> FetchError:
    return FetchError("encoding", f"content encoding {name!r}: the data is damaged or cut off", raw)


def _decoders(encoding: str) -> "list[_Decoder]":
    """Return the decoders of a body, the outermost encoding first."""
    names = [name for part in encoding.lower().split(",") if (name := part.strip())]
    coded = [name for name in names if name != "identity"]
    if not set(coded) <= _DECODERS.keys():
        message = f"content encoding {encoding[:60]!r} is not supported, only {ACCEPTED}"
        raise FetchError("encoding", message)
    return [_DECODERS[name]() for name in reversed(coded)]


def _unpacked(data: bytes, decoders: "Sequence[_Decoder]") -> Iterator[bytes]:
    if not decoders:
        yield data
    else:
        for part in decoders[0].feed(data):
            yield from _unpacked(part, decoders[1:])


class _Decoder(Protocol):
    name: str
    whole: bool
    """Whether the data may end here."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield unpacked data in pieces; `FetchError` if it is damaged."""


class _Zlib:
    """Reads all members of a gzip stream; zlib streams, and bare ones that are sent as deflate."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.whole = True
        self._inner: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        gzip = self.name == "gzip"
        while data:
            if self._inner is None or self._inner.eof:
                self._inner = zlib.decompressobj(16 + zlib.MAX_WBITS if gzip else _window(data))
            try:
                part = self._inner.decompress(data, _PIECE)
            except zlib.error as error:
                raise _damaged(self.name, data) from error
            yield part
            data = self._inner.unconsumed_tail or (self._inner.unused_data if gzip else b"")
            self.whole = self._inner.eof


def _window(data: bytes) -> int:
    """Return the window size for a zlib stream; a negative one if it has no header."""
    headed = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
    return zlib.MAX_WBITS if headed else -zlib.MAX_WBITS


class _Brotli:
    name = "br"

    def __init__(self) -> None:
        self.whole = True
        self._inner = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            part = self._inner.process(data, output_buffer_limit=_PIECE)
            while part or not self._inner.can_accept_more_data():
                yield part
                part = self._inner.process(b"", output_buffer_limit=_PIECE)
        except brotli.error as error:
            raise _damaged(self.name, data) from error
        self.whole = self._inner.is_finished()


_DECODERS: Final[Mapping[str, Callable[[], _Decoder]]] = {
    "gzip": partial(_Zlib, "gzip"),
    "x-gzip": partial(_Zlib, "gzip"),
    "deflate": partial(_Zlib, "deflate"),
    "br": _Brotli,
}
