"""Cost of model calls and of whole runs, against LangChain and the least possible.

Run with `make bench-llm`. The model is a local endpoint in a process of its own, so that the CPU
measured here is the caller's alone. Ratios hold from machine to machine; seconds do not.

A further row is one more function in `ROWS`; what needs other replies starts a `ChatServer` of its
own, as `bench_synthesis` does for whole runs.
"""

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from aiohttp import ClientSession, TCPConnector
from langchain_openai import ChatOpenAI
from rich.console import Console
from rich.table import Table
from tests.benchmarks import bench_synthesis
from tests.benchmarks.row import Row
from tests.scripted import identity
from tests.servers.chat_server import ChatServer, Counts, Plan

from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.roles import Models, ModelSettings
from uaeval.llm.store import ResponseStore
from uaeval.prompts import PromptLibrary

Work: TypeAlias = Callable[[int], Awaitable[object]]
"""Makes the call of that number; no two numbers ask the same."""

Opened: TypeAlias = AbstractAsyncContextManager[Work]

PROMPT = "judge/correct"
RESPONSE = "Sick leave of up to 240 hours may be borrowed, once a supervisor has agreed. " * 20
SLICES, SLICE = 4, 400
FEW, MANY = 2_000, 20_000
LATENCY_S = 0.5


class Bench:
    """A server, and a fresh response store for each measurement."""

    def __init__(self, server: ChatServer, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self._stores = 0

    @asynccontextmanager
    async def ours(self) -> AsyncIterator[Work]:
        """Render, hash, look up, call, read, and keep the reply on disk."""
        self._stores += 1
        settings = ModelSettings(name="openai:some-model", base_url=self.server.url)
        with ResponseStore(self._folder / f"{self._stores}.sqlite") as store:
            models = Models(
                {},
                PromptLibrary(),
                Ledger(store, open_prices(None)),
                concurrency=settings.concurrency,
            )
            model = models.built(settings)

            async def ask(number: int) -> object:
                return await model.ask(PROMPT, YesNoJudgement, identity, **_fields(number))

            gc.freeze()  # as `keep_busy` does
            yield ask
            gc.unfreeze()

    @asynccontextmanager
    async def peer(self) -> AsyncIterator[Work]:
        """Render the same prompt, and leave the rest to LangChain; nothing is kept."""
        prompt = PromptLibrary().get(PROMPT)
        chat = ChatOpenAI(
            model="some-model", base_url=self.server.url, api_key=lambda: "none", temperature=0
        ).with_structured_output(YesNoJudgement)

        async def ask(number: int) -> object:
            system, user = prompt.render(_fields(number))
            return await chat.ainvoke([("system", system), ("user", user)])

        yield ask

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[Work]:
        """Send a bare HTTP request: what the machine, as busy as it is just now, can do at all."""
        body = {"model": "some-model", "messages": [{"role": "user", "content": RESPONSE}]}
        async with ClientSession(connector=TCPConnector(limit=0)) as session:

            async def ask(number: int) -> object:
                async with session.post(f"{self.server.url}/chat/completions", json=body) as sent:
                    return await sent.json()

            yield ask

    async def timed(self, opened: Opened, calls: int, concurrency: int) -> tuple[float, Counts]:
        """Return the seconds that `calls` took, and what the server saw of them."""
        self.server.follow(Plan(latency_s=LATENCY_S))
        async with opened as work:
            start = time.perf_counter()
            await at_once(work, range(calls), concurrency)
            return time.perf_counter() - start, self.server.counts()


def _fields(number: int) -> dict[str, str]:
    return {
        "question": f"How many hours of sick leave may I borrow in year {number}?",
        "reference": "240 hours",
        "response": RESPONSE,
    }


async def at_once(work: Work, numbers: range, concurrency: int) -> None:
    """Make the calls of `numbers`, so many at a time."""
    left = iter(numbers)

    async def worker() -> None:
        for number in left:
            await work(number)

    await asyncio.gather(*(worker() for _ in range(concurrency)))


# --- the rows -----------------------------------------------------------------------------------


def cpu(bench: Bench) -> Iterator[Row]:
    """CPU per call without latency, ours and the peer's in turns."""
    bench.server.follow(Plan())
    for concurrency, wanted in ((64, "≤ 0.30"), (256, "≤ 0.30")):
        ours, peer = asyncio.run(_cpu(bench, concurrency))
        yield Row(
            figure=f"CPU per call, ours ÷ bare with_structured_output, {concurrency} at once",
            value=f"{ours / peer:.2f}  ({1000 * ours:.1f} ms ÷ {1000 * peer:.1f} ms)",
            wanted=wanted,
        )


async def _cpu(bench: Bench, concurrency: int) -> tuple[float, float]:
    spent = [0.0, 0.0]
    async with bench.ours() as ours, bench.peer() as peer:
        for turn in range(SLICES + 1):
            for which, work in enumerate((ours, peer)):
                start = time.process_time()
                await at_once(work, range(turn * SLICE, (turn + 1) * SLICE), concurrency)
                if turn:  # the first slice opens connections and fills caches
                    spent[which] += time.process_time() - start
    return spent[0] / (SLICES * SLICE), spent[1] / (SLICES * SLICE)


def wall(bench: Bench) -> Iterator[Row]:
    """Time against calls x latency / concurrency, and how full the endpoint was kept."""
    for concurrency, calls, wanted in ((64, 1_280, ""), (256, 2_560, "≤ 1.25")):
        least, _ = asyncio.run(bench.timed(bench.alone(), calls, concurrency))
        seconds, counts = asyncio.run(bench.timed(bench.ours(), calls, concurrency))
        ideal = calls * LATENCY_S / concurrency
        yield Row(
            figure=f"time ÷ ideal, {calls:,} calls of {LATENCY_S} s, {concurrency} at once",
            value=f"{seconds / ideal:.2f}  (aiohttp alone {least / ideal:.2f})",
            wanted=wanted,
        )
        yield Row(
            figure=f"calls under way at the endpoint, mean and peak of {concurrency}",
            value=f"{counts.mean:.0f}, {counts.peak}",
        )


def memory(bench: Bench) -> Iterator[Row]:
    """Memory after many calls against that after few."""
    bench.server.follow(Plan())
    few, many = asyncio.run(_memory(bench))
    yield Row(
        figure=f"memory after {MANY:,} calls ÷ after {FEW:,}",
        value=f"{many / few:.3f}  ({(many - few) / 2**20:+.1f} MB of {few / 2**20:.0f} MB)",
        wanted="≤ 1.05",
    )


async def _memory(bench: Bench) -> tuple[int, int]:
    async with bench.ours() as work:
        await at_once(work, range(FEW), 64)
        few = _resident()
        await at_once(work, range(FEW, MANY), 64)
        return few, _resident()


def _resident() -> int:
    """Return this process's resident memory in bytes (Linux)."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


ROWS: tuple[Callable[[Bench], Iterator[Row]], ...] = (cpu, wall, memory)


def main() -> None:
    """Measure every row and print the table."""
    found = list(bench_synthesis.rows())
    with ChatServer() as server, tempfile.TemporaryDirectory() as folder:
        bench = Bench(server, Path(folder))
        found += [row for rows in ROWS for row in rows(bench)]
    table = Table("figure", "measured", "wanted", title="Calling a model")
    for row in found:
        table.add_row(row.figure, row.value, row.wanted)
    Console().print(table)


if __name__ == "__main__":
    main()
