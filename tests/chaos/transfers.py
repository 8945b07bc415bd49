"""Batches and uploads over endpoints that fail."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.chaos.cases import Case, give_again
from tests.chaos.commands import Ended, ended, write_documents
from tests.chaos.scenarios import CANARY
from tests.formats.runs import make_run, nasty
from tests.servers.batch_api import BatchServer, Ending
from tests.servers.hub import TOKEN, Hub
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import Fault, cut_short, error

NAME = "museum/ferries"
MOST_TIMES = 20
"""How often a command is given: each fault of an endpoint may end it once."""
CALLS = (
    "POST /files", "POST /batches", "GET /batches/:id", "GET /files/:id/content",
)  # fmt: skip
FAULTS = {
    "429": error(429, f"Slow down {CANARY}", headers={"retry-after-ms": "5"}),
    "500": error(500, f"Broken {CANARY}", headers={"retry-after-ms": "5"}),
    "malformed": Fault(body=b"<html>", headers={"content-type": "text/html"}),
    "truncated": cut_short("x"),
}
OPTIONS = ("--size", "2", "--categories", "nonsensical", "--model", "openai:m", "--mode", "batch")


def transfers(folder: Path, *, short: bool) -> Iterator[Case]:
    """Yield a case for each fault of the Batch API, and for uploads that break."""
    write_documents(folder / "documents", 4)
    clean = folder / "clean"
    with BatchServer(offline_answer) as server:
        _start(clean, server)
        while ended("batch", "fetch", clean, "--all-rounds", "--every", "0.001").code:
            pass
    queries = (clean / "queries.jsonl").read_bytes()
    for fault in ("500",) if short else FAULTS:
        yield batch(fault, folder / fault, queries, CALLS[2:] if short else CALLS)
    if not short:
        yield batch_that_ends(folder / "ending", queries)
    yield push(folder)


def _start(run: Path, server: BatchServer) -> Ended:
    place = ("-o", run, "--base-url", server.url)
    return ended("synthesize", run.parent / "documents", *place, *OPTIONS)


def batch(fault: str, run: Path, clean: bytes, calls: Sequence[str]) -> Case:
    """Fail each of these calls twice before it is carried out, and once after."""
    case = Case(fault=fault, command="batch")
    with BatchServer(offline_answer) as server:
        case.look(_start(run, server), run)
        for call in calls:
            server.faults[call].extend([FAULTS[fault]] * 2)
            server.late_faults[call].append(FAULTS[fault])
            case.tried += 3
        _fetch(case, run, clean)
    return case


def batch_that_ends(run: Path, clean: bytes) -> Case:
    """Let batches expire, fail and be cancelled, with a part of their answers."""
    case = Case(fault="batches that expire", command="batch")
    with BatchServer(offline_answer) as server:
        case.look(_start(run, server), run)
        for status in ("expired", "cancelled", "expired"):
            server.endings.append(Ending(status=status, answered=1))
            case.tried += 1
        _fetch(case, run, clean)
    return case


def _fetch(case: Case, run: Path, clean: bytes) -> None:
    command = ("batch", "fetch", run, "--all-rounds", "--every", "0.001")
    give_again(case, command, run, MOST_TIMES)
    path = run / "queries.jsonl"
    case.compare({"queries.jsonl": path.read_bytes() if path.exists() else b""}, {path.name: clean})


def push(folder: Path) -> Case:
    """Break uploads, push again, and compare what the Hub has with an undisturbed push."""
    case = Case(fault="broken uploads", command="push")
    run = make_run(folder / "run", nasty())
    found: list[dict[str, bytes]] = []
    for broken in (0, 3):
        with Hub() as hub:
            hub.broken_uploads = broken
            case.tried += broken
            while (done := _push(hub, run.path)).code:
                case.look(done, run.path)
                if done.code not in {2, 4}:
                    break
            case.look(done, run.path)
            found.append(dict(hub.files[NAME]))
    assert found[0]
    case.compare(found[1], found[0])
    return case


def _push(hub: Hub, run: Path) -> Ended:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {"HF_ENDPOINT": hub.url, "HF_HOME": str(run.parent / "hf"), "HF_TOKEN": TOKEN}
    done = subprocess.run(
        [sys.executable, "-m", "uaeval", "push", str(run), NAME, "--license", "mit"],
        capture_output=True,
        text=True,
        check=False,
        env={**kept, **settings, "HF_HUB_DISABLE_XET": "1"},
    )
    return Ended(done.returncode, done.stdout, done.stderr)
