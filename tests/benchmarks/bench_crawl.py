"""Time of a crawl against the least that its politeness and concurrency allow.

200 pages from 20 local hosts that take 200 ms to answer. A host gives 12 answers (rules, feed, 10
pages) whose starts lie the pause apart, and all answers together need their time over as many lines
as there are: the longer of the two is the least. Extraction is part of what is measured.
"""

import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from tests.news.newsroom import newsroom
from tests.servers.web import site

from uaeval.config import SynthesisConfig
from uaeval.knowledge.reading import ReadSettings
from uaeval.news.crawl import CrawlResult, CrawlSettings, gather
from uaeval.news.fetch import Fetcher
from uaeval.news.page import PageCache

HOSTS, PAGES, LATENCY_S, BOUND = 20, 10, 0.2, 1.2
NAMES = [f"127.0.0.{number}" for number in range(1, HOSTS + 1)]
CASES = ((1.0, 16), (0.3, 16), (0.0, 8))
"""Pauses and concurrencies; the first are the defaults."""


async def crawl(entries: list[str], folder: Path, settings: SynthesisConfig) -> CrawlResult:
    """Gather what the feeds name."""
    terms = CrawlSettings(since=None, per_source=PAGES, languages=(), reading=ReadSettings())
    with PageCache(folder / "pages.sqlite") as cache:
        async with Fetcher(settings, cache) as fetcher:
            return await gather(entries, [], terms, fetcher, lambda _text: None)


def least_s(delay_s: float, lines: int) -> float:
    """Return the seconds below which no crawl can be."""
    answers = PAGES + 2
    for_hosts = (answers - 1) * max(delay_s, LATENCY_S) + LATENCY_S
    return max(for_hosts, HOSTS * answers * LATENCY_S / lines)


def serve(line: Connection) -> None:
    """Run the sites in a process of their own until a word comes; say where they are."""
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                site(newsroom(range(n * PAGES, (n + 1) * PAGES), wait_s=LATENCY_S), host)
            )
            for n, host in enumerate(NAMES)
        ]
        line.send([one.url for one in running])
        line.recv()


def measure(entries: list[str], delay_s: float, lines: int) -> float:
    """Crawl once, print how long it took, and return the ratio to the least."""
    settings = SynthesisConfig(
        knowledge_base="docs",
        output=Path("run"),
        host_delay=delay_s,
        fetch_concurrency=lines,
        allow_hosts=tuple(NAMES),
    )
    with tempfile.TemporaryDirectory() as folder:
        started, worked = time.perf_counter(), time.process_time()
        found = asyncio.run(crawl(entries, Path(folder), settings))
        wall, cpu = time.perf_counter() - started, time.process_time() - worked
    least = least_s(delay_s, lines)
    print(
        f"pause {delay_s} s, {lines} at once: {len(found.articles)} articles in {wall:.2f} s "
        f"({cpu:.2f} s of CPU), at least {least:.2f} s: {wall / least:.2f}"
    )
    if len(found.articles) != HOSTS * PAGES:
        raise SystemExit(f"not all were had: {found.failed[:3]} {found.rejected[:3]}")
    return wall / least


def main() -> int:
    """Print wall time and ratio for each case; 1 if the first, the default, is over the bound."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve, args=(theirs,))
    process.start()
    try:
        entries = [f"{url}/feed" for url in ours.recv()]
        ratios = [measure(entries, *case) for case in CASES]
    finally:
        ours.send("enough")
        process.join()
    return int(ratios[0] > BOUND)


if __name__ == "__main__":
    sys.exit(main())
