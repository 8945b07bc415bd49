"""Shared by the tests of the web: fetchers without pauses, names that lead to local sites."""

import ssl
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpcore
import pytest

from uaeval.config import SynthesisConfig
from uaeval.errors import FetchError
from uaeval.news.fetch import Fetcher
from uaeval.news.page import PageCache

AGENT = f"uaeval/{version('uaeval')} (+mailto:someone@example.org)"
LOOPBACK = frozenset(f"127.0.0.{number}" for number in range(1, 60))
CERTIFICATES = ssl.create_default_context()
QUICK = SynthesisConfig(
    knowledge_base="docs",
    output=Path("run"),
    contact="mailto:someone@example.org",
    host_delay=0.0,
    page_timeout=5.0,
    allow_hosts=tuple(LOOPBACK),
)


class Names:
    """A resolver of our own: each look-up of a name takes its next answer, the last one again."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._answers = {name: list(given) for name, given in answers.items()}
        self.looked_up: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        if host not in self._answers:
            raise OSError("unknown name")
        given = self._answers[host]
        return given.pop(0) if len(given) > 1 else given[0]


class Wires(httpcore.AsyncNetworkBackend):
    """Takes connections to addresses that stand for public ones to local sites; notes them all."""

    def __init__(self, leads: Mapping[str, int]) -> None:
        self._leads = leads
        self._inner = httpcore.AnyIOBackend()
        self.made: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.made.append(host)
        if host not in self._leads:
            raise httpcore.ConnectError("nothing is there")
        there = host if host in LOOPBACK else "127.0.0.1"
        return await self._inner.connect_tcp(there, self._leads[host], timeout)


@asynccontextmanager
async def fetching(
    folder: Path, settings: SynthesisConfig = QUICK, *, since: float = 0.0, **given: Any
) -> AsyncGenerator[Fetcher]:
    given.setdefault("certificates", CERTIFICATES)
    with PageCache(folder / "pages.sqlite") as cache:
        async with Fetcher(settings, cache, since=since, **given) as fetcher:
            yield fetcher


async def refusal(fetcher: Fetcher, address: str) -> FetchError:
    """Return the error that a page ends with."""
    with pytest.raises(FetchError) as caught:
        await fetcher.get(address)
    return caught.value


def quick(**changes: Any) -> SynthesisConfig:
    return QUICK.model_copy(update=changes)
