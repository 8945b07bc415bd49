"""Reads a response's body, decompressed, and never more of it than is wanted.

httpx decompresses whatever a chunk unpacks to: sixty-four kilobytes of brotli may be gigabytes. So
the bytes are decompressed here, piece by piece, and reading ends at the limit.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import brotli
import httpx

from uaeval.errors import FetchError

ACCEPTED: Final = "gzip, deflate, br"
"""What `Accept-Encoding` says."""
_PIECE: Final = 65_536


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """Return the body, decompressed; `FetchError` if it is larger than `limit` bytes or damaged."""
    if _announced(response) > limit:
        raise _too_large(limit)
    decoder = _decoder(response.headers.get("content-encoding", ""))
    parts: list[bytes] = []
    raw = size = 0
    async for chunk in response.aiter_raw(_PIECE):
        raw += len(chunk)
        if raw > limit:
            raise _too_large(limit)
        for part in decoder.feed(chunk):
            size += len(part)
            if size > limit:
                raise _too_large(limit)
            parts.append(part)
    if not decoder.whole:
        raise _damaged(decoder.name)
    return b"".join(parts)


def _announced(response: httpx.Response) -> int:
    length = response.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _too_large(limit: int) -> FetchError:
    return FetchError("size", f"its body is larger than {limit:,} bytes")


def _damaged(name: str) -> FetchError:
    return FetchError("encoding", f"its body is not valid {name}, or was cut off")


def _decoder(encoding: str) -> "_Plain":
    names = [name for part in encoding.lower().split(",") if (name := part.strip())]
    coded = [name for name in names if name != "identity"]
    if not coded:
        return _Plain()
    if len(coded) > 1 or coded[0] not in _DECODERS:
        message = f"its body is compressed as {encoding[:60]!r}, not as {ACCEPTED}"
        raise FetchError("encoding", message)
    return _DECODERS[coded[0]]()


class _Plain:
    """Reads what is not compressed."""

    name = ""
    whole = True
    """Whether the data may end here."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class _Zlib(_Plain):
    """Reads all members of a gzip stream; zlib streams, and bare ones that are sent as deflate."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._inner: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        gzip = self.name == "gzip"
        while data:
            if self._inner is None or self._inner.eof:
                self._inner = zlib.decompressobj(16 + zlib.MAX_WBITS if gzip else _window(data))
            try:
                part = self._inner.decompress(data, _PIECE)
            except zlib.error as error:
                raise _damaged(self.name) from error
            yield part
            data = self._inner.unconsumed_tail or (self._inner.unused_data if gzip else b"")
            self.whole = self._inner.eof


def _window(data: bytes) -> int:
    """Return the window size for a zlib stream; a negative one if it has no header."""
    headed = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
    return zlib.MAX_WBITS if headed else -zlib.MAX_WBITS


class _Brotli(_Plain):
    name = "brotli"

    def __init__(self) -> None:
        self._inner = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            part = self._inner.process(data, output_buffer_limit=_PIECE)
            while part or not self._inner.can_accept_more_data():
                yield part
                part = self._inner.process(b"", output_buffer_limit=_PIECE)
        except brotli.error as error:
            raise _damaged(self.name) from error
        self.whole = self._inner.is_finished()


_DECODERS: Final[Mapping[str, Callable[[], _Plain]]] = {
    "gzip": partial(_Zlib, "gzip"),
    "x-gzip": partial(_Zlib, "gzip"),
    "deflate": partial(_Zlib, "deflate"),
    "br": _Brotli,
}
