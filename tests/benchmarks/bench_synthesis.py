"""Time, calls and tokens of a whole synthesis, against the calls that it needs.

`make bench-llm` shows it. The endpoint and the knowledge base are made up (`permit_office`), so the
prompt tokens are those of our prompts around short passages; the quality of a model plays no part.

`python -m tests.benchmarks.bench_synthesis PASSAGES CHARACTERS QUERIES …` shows how it grows with
the queries asked for, at so many passages of so many characters. The endpoint answers at once, and
each run has a process of its own.
"""

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.benchmarks.row import Row
from tests.servers.chat_server import ChatServer, Plan
from tests.servers.permit_office import write_documents, write_rows

from uaeval.categories.names import BUILT_IN
from uaeval.config import SynthesisConfig
from uaeval.run.progress import ProgressListener
from uaeval.run_folder import Manifest
from uaeval.synthesis.run import synthesize

SIZE = 1_000
DOCUMENTS = 900
CONCURRENCY = 64
LATENCY_S = 0.5
SMALL_SIZE = 200
REPEATED = ("underspecified", "nonsensical", "modality_limited", "safety_concerned")
"""Categories that write several queries from a passage: five or more."""
FAULTS = {"429": 10, "500": 11, "drop": 20, "garbage": 21, "hang": 50}
"""Each tenth call is answered by HTTP 429, and so on: about a third of the calls in all."""
FAULTY_LATENCY_S = 0.05
TIMEOUT_S = 2.0


def rows() -> Iterator[Row]:
    """Measure a whole synthesis, a finished one run again, and one whose endpoint fails at times.

    Must come first in a process: what a run loads once counts.
    """
    with (
        ChatServer("tests.servers.permit_office:answer") as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        root = Path(folder)
        write_documents(root / "documents", DOCUMENTS)
        yield from _whole(root, server)
        yield from _faulty(root, server)


def _whole(root: Path, server: ChatServer) -> Iterator[Row]:
    config = _config(root, server.url, "run", size=SIZE)
    server.follow(Plan(latency_s=LATENCY_S))
    first, manifest = _timed(config)
    counts = server.counts()
    server.follow(Plan(latency_s=LATENCY_S))
    again, _ = _timed(config)
    repeated = server.counts().calls
    selected = sum(manifest.selected.values())
    proven = sum(count.kept for count in manifest.stages["verify"].values())
    tokens = sum(part.prompt_tokens for part in manifest.usage)
    ideal = counts.calls * LATENCY_S / CONCURRENCY
    yield Row(
        figure=f"time of {selected:,} accepted queries ÷ ideal "
        f"({counts.calls:,} calls of {LATENCY_S} s, {CONCURRENCY} at once)",
        value=f"{first.after / ideal:.2f}  ({first.after:.1f} s)",
        wanted="≤ 1.05",
    )
    yield Row(
        figure="calls per accepted query, spares left out and counted in",
        value=f"{counts.calls / selected:.2f}, {counts.calls / proven:.2f}",
        wanted="≤ 2.66",
    )
    yield Row(
        figure="prompt tokens per accepted query, at four characters each, short passages",
        value=f"{tokens / selected:,.0f}",
        wanted="≤ 4,000",
    )
    yield Row(
        figure="calls under way at the endpoint, mean and peak",
        value=f"{counts.mean:.0f}, {counts.peak}",
    )
    yield Row(
        figure="our CPU per call, searches and all",
        value=f"{1000 * first.cpu / counts.calls:.1f} ms",
    )
    yield Row(
        figure="before the first call: reading, indexing, loading", value=f"{first.before:.1f} s"
    )
    yield Row(
        figure="a finished run again: calls",
        value=f"{repeated}  ({again.before + again.after:.1f} s)",
        wanted="0",
    )


def _faulty(root: Path, server: ChatServer) -> Iterator[Row]:
    """Run once without faults and once with them: what is written is the same."""
    clean, _ = _written(root, server, "clean", {})
    struck, again = _written(root, server, "struck", FAULTS)
    counts = server.counts()
    faults = sum(counts.faults.values())
    same = "the same bytes" if clean == struck else "OTHER QUERIES"
    yield Row(
        figure=f"calls made again ÷ faults, {faults} among {counts.calls}",
        value=f"{again / faults:.2f}  ({same} as without)",
        wanted="≤ 1.30",
    )


def _written(
    root: Path, server: ChatServer, name: str, faults: dict[str, int]
) -> tuple[bytes, int]:
    """Return the dataset that a run wrote, and how many of its calls tried again."""
    config = _config(root, server.url, name, size=SMALL_SIZE)
    server.follow(Plan(latency_s=FAULTY_LATENCY_S, faults=faults))
    _, manifest = _timed(config)
    again = sum(part.retries for part in manifest.usage)
    return (config.output / "queries.jsonl").read_bytes(), again


def _config(root: Path, url: str, name: str, *, size: int) -> SynthesisConfig:
    return SynthesisConfig(
        knowledge_base=str(root / "documents"),
        output=root / name,
        size=size,
        categories=tuple(one for one in BUILT_IN if one != "out_of_database"),
        model="openai:some-model",
        base_url=url,
        concurrency=CONCURRENCY,
        timeout=TIMEOUT_S,
    )


class Clock(ProgressListener):
    """Notes when the knowledge base was read and indexed, so that the first call could go out."""

    def __init__(self) -> None:
        self.begun = self.called = time.perf_counter()
        self.used = time.process_time()

    def started(self, stage: str, total: int | None = None) -> None:
        """Note the time, and the CPU used by then; the last stage is the writing."""
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
        before=clock.called - clock.begun,
        after=time.perf_counter() - clock.called,
        cpu=time.process_time() - clock.used,
    )
    return taken, manifest


# --- how it grows -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """What a run of some size took."""

    selected: int
    before_cpu: float
    """CPU seconds until the first call could go out, those of reading processes too."""
    cpu: float
    """CPU seconds from then on."""
    calls: int
    wall: float
    peak: float
    """MB of memory, at most."""


def _grown(root: Path, url: str, size: int) -> Grown:
    config = _config(root, url, f"run-{size}", size=size)
    config = config.model_copy(
        update={"knowledge_base": str(root / "rows"), "timeout": 60.0, "categories": REPEATED}
    )
    taken, manifest = _timed(config)
    readers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Grown(
        selected=sum(manifest.selected.values()),
        before_cpu=time.process_time() - taken.cpu + readers.ru_utime + readers.ru_stime,
        cpu=taken.cpu,
        calls=sum(part.calls for part in manifest.usage),
        wall=taken.after,
        peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def main() -> None:
    """Print how a synthesis grows; with `run`, the figures of one process."""
    if sys.argv[1] == "run":
        root, url, wanted = sys.argv[2:]
        print(json.dumps(asdict(_grown(Path(root), url, int(wanted)))))
        return
    passages, length, *sizes = map(int, sys.argv[1:])
    table = Table("queries", "before, CPU s", "CPU ms per query", "calls per query", "s", "peak MB")
    with (
        ChatServer("tests.servers.permit_office:answer") as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        write_rows(Path(folder, "rows"), passages, length)
        for size in sizes:
            command = [sys.executable, "-m", "tests.benchmarks.bench_synthesis", "run"]
            command += [folder, server.url, str(size)]
            printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            run = Grown(**json.loads(printed))
            table.add_row(
                f"{run.selected:,}",
                f"{run.before_cpu:.1f}",
                f"{1000 * run.cpu / run.selected:.2f}",
                f"{run.calls / run.selected:.2f}",
                f"{run.wall:.0f}",
                f"{run.peak:,.0f}",
            )
            Console(width=100).print(table)


if __name__ == "__main__":
    main()
