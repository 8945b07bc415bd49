"""What a whole synthesis takes, against the calls that it needs: time, calls, tokens.

Run with `make bench-llm`. The endpoint and the knowledge base are made up (`permit_office`), so the
prompt tokens are those of our prompts around short passages; the quality of a model plays no part.
"""

import asyncio
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.servers.chat_server import ChatServer, Plan
from tests.servers.permit_office import write_documents

from uaeval.config import SynthesisConfig
from uaeval.run_folder import Manifest
from uaeval.synthesis.run import synthesize
from uaeval.synthesis.watcher import Silent
from uaeval.types import Category

SIZE = 1_000
DOCUMENTS = 900
CONCURRENCY = 64
LATENCY_S = 0.5


def main() -> None:
    """Synthesize once, again as a finished run, and print the table."""
    with (
        ChatServer("tests.servers.permit_office:answer") as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        root = Path(folder)
        write_documents(root / "documents", DOCUMENTS)
        config = _config(root, server.url)
        server.follow(Plan(latency_s=LATENCY_S))
        first, manifest = _timed(config)
        counts = server.counts()
        server.follow(Plan(latency_s=LATENCY_S))
        again, _ = _timed(config)
        repeated = server.counts().calls
    chosen = sum(manifest.chosen.values())
    ideal = counts.calls * LATENCY_S / CONCURRENCY
    table = Table("figure", "measured", "wanted", title=f"{SIZE:,} queries in five categories")
    table.add_row("accepted queries", f"{chosen:,}", f"{SIZE:,}")
    table.add_row(
        f"time ÷ ideal ({counts.calls:,} calls of {LATENCY_S} s, {CONCURRENCY} at once)",
        f"{first.after / ideal:.2f}  ({first.after:.1f} s, {first.after / chosen:.3f} s a query)",
        "≤ 1.10",
    )
    table.add_row("our CPU per call", f"{1000 * first.cpu / counts.calls:.1f} ms", "")
    table.add_row("before the first call: reading, indexing, loading", f"{first.before:.1f} s", "")
    table.add_row(
        "calls under way at the endpoint, mean and peak", f"{counts.mean:.0f}, {counts.peak}", ""
    )
    table.add_row("calls per accepted query", f"{counts.calls / chosen:.2f}", "≤ 2.66")
    table.add_row(
        "finished run again: calls, seconds", f"{repeated}, {again.before + again.after:.1f}", "0"
    )
    Console().print(table)


def _config(root: Path, url: str) -> SynthesisConfig:
    return SynthesisConfig(
        knowledge_base=str(root / "documents"),
        output=root / "run",
        size=SIZE,
        categories=tuple(one for one in Category if one is not Category.OUT_OF_DATABASE),
        model="openai:some-model",
        base_url=url,
        concurrency=CONCURRENCY,
    )


class Clock(Silent):
    """Notes when the knowledge base was read and indexed, so that the first call could go out."""

    def __init__(self) -> None:
        self.started = self.called = time.perf_counter()
        self.used = time.process_time()

    def start(self, quotas: Mapping[Category, int]) -> None:
        """Note the time, and the CPU used by then."""
        self.called = time.perf_counter()
        self.used = time.process_time()


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a run took, in seconds."""

    before: float
    """Until the first call could go out."""
    after: float
    """From then on."""
    cpu: float
    """Of this process, from then on."""


def _timed(config: SynthesisConfig) -> tuple[Taken, Manifest]:
    clock = Clock()
    manifest = asyncio.run(synthesize(config, clock))
    taken = Taken(
        before=clock.called - clock.started,
        after=time.perf_counter() - clock.called,
        cpu=time.process_time() - clock.used,
    )
    return taken, manifest


if __name__ == "__main__":
    main()
