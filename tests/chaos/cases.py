"""One fault in one command: what a fault may change, and what it may not."""

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.commands import Ended, ended
from tests.chaos.scenarios import CANARY, Scenario, Striking, copied
from tests.servers.openai_server import OpenAIServer

EXPECTED = frozenset({0, 2, 4, 5, 6})
"""Exit codes under a fault; 1 is Python's, 70 an internal error."""
TIMES = 4
"""How often a command is given again before it must be done."""


@dataclass(kw_only=True)
class Case:
    """The result of one fault."""

    fault: str
    command: str
    tried: int = 0
    differed: int = 0
    """Files of the end, or records meanwhile, that are not those of the clean run."""
    tracebacks: int = 0
    secrets: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether the fault had no forbidden effect."""
        return not (self.differed or self.tracebacks or self.secrets)

    def look(self, done: Ended, folder: Path) -> None:
        """Note a traceback or an unexpected exit code, and secrets."""
        if "Traceback" in done.err or done.code not in EXPECTED:
            self.tracebacks += 1
            self.notes.append(f"exit code {done.code}: {done.err[-600:]}")
        texts = [done.out.encode(), done.err.encode()]
        texts += [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        if shown := sum(CANARY.encode() in text for text in texts):
            self.secrets += shown
            self.notes.append("a secret is shown")

    def compare(self, found: dict[str, bytes], clean: dict[str, bytes]) -> None:
        """Note files that differ from those of the clean run."""
        for name in sorted(found.keys() | clean.keys()):
            if found.get(name) != clean.get(name):
                self.differed += 1
                self.notes.append(f"{name} differs")

    def compare_records(self, found: dict[str, str], clean: dict[str, str]) -> None:
        """Note records that differ from the clean run, or that a fault made."""
        for name, record in found.items():
            if name in clean and clean[name] != record:
                self.differed += 1
                self.notes.append(f"{name}: {record[:300]}, not {clean[name][:300]}")


class Clean:
    """The results of runs without a fault, each made once."""

    def __init__(self, base: Path, folder: Path) -> None:
        self.base = base
        self._folder = folder
        self._known: dict[str, tuple[dict[str, bytes], dict[str, str]]] = {}

    def of(self, scenario: Scenario) -> tuple[dict[str, bytes], dict[str, str]]:
        """Return files and records of a scenario."""
        if scenario.name not in self._known:
            folder = copied(self.base, self._folder / f"clean-{len(self._known)}")
            with OpenAIServer(Striking("none")) as server:
                server_is_well(server)
                done = ended(*scenario.command(folder, server.url))
            assert done.code == 0, done.err
            self._known[scenario.name] = scenario.result(folder), scenario.records(folder)
            assert all(self._known[scenario.name])
        return self._known[scenario.name]


def server_is_well(server: OpenAIServer) -> None:
    """Let a server fail nothing."""
    striking = server._answer
    assert isinstance(striking, Striking)
    striking.mended.set()


def strike(fault: str, scenario: Scenario, clean: Clean, folder: Path) -> Case:
    """Run a command while an endpoint fails, and again once it is repaired."""
    case = Case(fault=fault, command=scenario.name)
    files, records = clean.of(scenario)
    copied(clean.base, folder)
    striking = Striking(fault)
    with OpenAIServer(striking) as server:
        command = scenario.command(folder, server.url)
        done = ended(*command)
        case.tried = striking.struck
        case.look(done, folder)
        case.compare_records(scenario.records(folder), records)
        if done.code == 0:
            case.compare(scenario.result(folder), files)
        striking.mended.set()
        give_again(case, command, folder)
    case.compare(scenario.result(folder), files)
    return case


def give_again(case: Case, command: Sequence[str | Path], folder: Path, times: int = TIMES) -> None:
    """Run a command until it succeeds, which it must."""
    said = ""
    for _ in range(times):
        done = ended(*command)
        case.look(done, folder)
        if done.code == 0:
            return
        said = done.err[-300:]
    case.differed += 1
    case.notes.append(f"not done after {times} times: {said}")


def kill(scenario: Scenario, clean: Clean, folder: Path, kills: int, *, power: bool = True) -> Case:
    """Kill a command with -9 repeatedly, then let it end.

    Without `power`, what was written last is torn each time, as a power cut leaves it.
    """
    case = Case(fault="kill -9" if power else "power cut", command=scenario.name)
    files, records = clean.of(scenario)
    copied(clean.base, folder)
    begun, chance = time.time(), random.Random(scenario.name)
    with OpenAIServer(Striking("none")) as server:
        server_is_well(server)
        command = scenario.command(folder, server.url)
        for _ in range(kills):
            case.tried += _killed(command, server, chance.randint(1, 8))
            if power:
                case.compare_records(scenario.records(folder), records)
            else:
                _tear(folder, begun, chance)
        give_again(case, command, folder)
    case.compare(scenario.result(folder), files)
    return case


def _killed(command: Sequence[str | Path], server: OpenAIServer, calls: int) -> bool:
    before = len(server.requests)
    with _started(command) as process:
        while process.poll() is None and len(server.requests) < before + calls:
            time.sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            return True
    return False


def _tear(folder: Path, begun: float, chance: random.Random) -> None:
    """Cut some bytes off the end of each journal and log that has grown since a time."""
    for path in _left(folder):
        whole = path.stat()
        if path.name.endswith((".jsonl", "-wal")) and whole.st_mtime > begun and whole.st_size:
            os.truncate(path, max(0, whole.st_size - chance.randint(1, 60)))


def fill_disk(scenario: Scenario, clean: Clean, folder: Path, limits: Sequence[int]) -> Case:
    """Run a command that may write no file beyond a size, and again with enough space."""
    case = Case(fault="full disk", command=scenario.name)
    files, _ = clean.of(scenario)
    copied(clean.base, folder)
    with OpenAIServer(Striking("none")) as server:
        server_is_well(server)
        command = scenario.command(folder, server.url)
        for limit in limits:
            with _started(command, limit) as process:
                out, err = process.communicate()
            case.tried += 1
            case.look(Ended(process.returncode, out, err), folder)
        give_again(case, command, folder)
    case.compare(scenario.result(folder), files)
    return case


def _started(
    command: Sequence[str | Path], most_bytes: int | None = None
) -> "subprocess.Popen[str]":
    def limit() -> None:
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.Popen(
        [sys.executable, "-m", "uaeval", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
    )


def damage(scenario: Scenario, clean: Clean, folder: Path) -> Case:
    """Damage each file that a finished command left, and run the command again."""
    case = Case(fault="damaged files", command=scenario.name)
    files, _ = clean.of(scenario)
    copied(clean.base, folder)
    with OpenAIServer(Striking("none")) as server:
        server_is_well(server)
        command = scenario.command(folder, server.url)
        give_again(case, command, folder)
        for path in sorted(_left(folder)):
            whole = path.read_bytes()
            for damaged in (b"", whole[: len(whole) // 2], b"\0garbage\n"):
                with _as_left(folder):
                    path.write_bytes(damaged)
                    case.tried += 1
                    done = ended(*command)
                    case.look(done, folder)
                    if done.code == 0:
                        case.compare(scenario.result(folder), files)
    return case


@contextmanager
def _as_left(folder: Path) -> Iterator[None]:
    """Restore the files that a run resumes from after the block; the folder itself stays."""
    before = {path: path.read_bytes() for path in _left(folder)}
    yield
    for path in set(_left(folder)) - before.keys():
        path.unlink()
    for path, data in before.items():
        path.write_bytes(data)


def _left(folder: Path) -> list[Path]:
    """Return the files of the folder that a run resumes from."""
    pattern = re.compile(r"\.(jsonl?|sqlite(-wal)?)$")
    inputs = {folder / "documents", folder / "run" / "index", folder / "new" / "index"}
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and pattern.search(path.name) and not inputs & set(path.parents)
    ]
