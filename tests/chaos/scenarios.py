"""Commands that ask a model, each against an endpoint that fails, and what they leave."""

import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.chaos.commands import ended, write_documents
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import (
    Answer,
    Body,
    Fault,
    cut_short,
    error,
    hang,
    malformed,
    trickling,
)

CANARY = "sk-canary-9f8e7d6c5b4a"
"""The key that is sent; endpoints repeat it in what they say."""
TIMEOUT = 1.0
MODEL = ("--model", "openai:some-model")
HUGE = 300_000_000
NOT_JSON = "no JSON in the reply"


@cache
def _huge() -> bytes:
    return b" " * HUGE


FAULTS: Mapping[str, Callable[[str], Answer]] = {
    "429": lambda _: error(429, f"Slow down, {CANARY}", headers={"retry-after-ms": "5"}),
    "500": lambda _: error(500, f"Broken: {CANARY}", headers={"retry-after-ms": "5"}),
    "malformed": lambda _: malformed(),
    NOT_JSON: lambda good: f"Bearer {CANARY}: {good[: len(good) // 2]}",
    "truncated": cut_short,
    "hanging": lambda _: hang(30),
    "dripping": lambda good: trickling(good, 30),
    "300 MB": lambda _: Fault(body=_huge()),
    "long Retry-After": lambda _: error(429, "Come tomorrow", headers={"retry-after": "86400"}),
    "proxy's error page": lambda _: Fault(
        status=200,
        body=b"upstream connect error or disconnect/reset before headers",
        headers={"content-type": "text/plain"},
    ),
}
OUTAGE = "outage in the middle"


class Striking:
    """Answers offline, but fails some questions each time, until it is repaired."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._seen: dict[bytes, bool] = {}
        self.mended = threading.Event()
        self.struck = 0

    def __call__(self, body: Body) -> Answer:
        good = _answer(body)
        if self.mended.is_set() or not self._is_struck(body):
            return good
        self.struck += 1
        return FAULTS.get(self._kind, FAULTS["500"])(good)

    def _is_struck(self, body: Body) -> bool:
        """Return whether a question fails: every third, one, or all after the first five."""
        question = hashlib.sha256(json.dumps(body["messages"][:2]).encode()).digest()
        number = len(self._seen)
        struck = number >= 5 if self._kind == OUTAGE else number % 3 == 1
        if self._kind == "300 MB":
            struck = number == 1
        return self._seen.setdefault(question, struck)


def _answer(body: Body) -> str:
    """Answer as the offline engine; a plain question to a system gets a plain answer."""
    if len(body["messages"]) == 1:
        return "I do not have that information."
    return offline_answer(body)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A command over a copy of a base folder."""

    name: str
    command: Callable[[Path, str], Sequence[str | Path]]
    """Returns the arguments for a folder and an endpoint."""
    files: Sequence[str]
    """Patterns of the files that a fault must not change."""
    plain: bool = False
    """Whether any text is an answer: one that is not JSON is no fault then."""
    streams: Sequence[str] = ()
    """Patterns of the journals whose records a fault may leave out, but not change."""

    def result(self, folder: Path) -> dict[str, bytes]:
        """Return what the command left, without what differs between any two runs."""
        paths = [path for pattern in self.files for path in sorted(folder.glob(pattern))]
        return {path.relative_to(folder).as_posix(): _timeless(path) for path in paths}

    def records(self, folder: Path) -> dict[str, str]:
        """Return the records of the journals by file and id."""
        return {
            f"{path.relative_to(folder)}/{record['id']}": json.dumps(record)
            for pattern in self.streams
            for path in sorted(folder.glob(pattern))
            for record in map(json.loads, _timeless(path).splitlines())
        }


def _timeless(path: Path) -> bytes:
    if path.suffix != ".jsonl":
        return path.read_bytes()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row.pop("latency_s", None)
        row.pop("seconds", None)
    return "\n".join(map(json.dumps, rows)).encode()


def write_base(folder: Path) -> None:
    """Write what the commands start from: documents, and a finished run."""
    write_documents(folder / "documents", 6)
    kind = ("--size", "4", "--categories", "nonsensical,safety_concerned")
    done = ended("synthesize", folder / "documents", "-o", folder / "run", *kind)
    assert done.code == 0, done.err


def _model(url: str) -> tuple[str, ...]:
    return (*MODEL, "--base-url", url, *_limits())


def _limits() -> tuple[str, ...]:
    return ("--retries", "1", "--timeout", str(TIMEOUT), "--concurrency", "4")


def _sweep(folder: Path, url: str) -> Sequence[str | Path]:
    grid = folder / "grid.yaml"
    grid.write_text(
        f"dataset: {folder / 'run'}\nmodel: openai:some-model\nbase_url: {url}\n"
        "grid:\n  k: [2, 4]\n"
    )
    return ("sweep", grid, *_limits())


SCENARIOS = (
    Scenario(
        name="synthesize",
        command=lambda folder, url: (
            "synthesize", folder / "documents", "-o", folder / "new", "--size", "4",
            "--categories", "false_presupposition,nonsensical", *_model(url),
        ),
        files=("new/queries.jsonl",),
        streams=("new/generate.jsonl", "new/verify.jsonl", "new/*.rejected.jsonl"),
    ),
    Scenario(
        name="evaluate",
        command=lambda folder, url: ("evaluate", folder / "run", *_model(url)),
        files=(
            "run/evaluations/*/responses.jsonl", "run/evaluations/*/judgements.jsonl",
            "run/evaluations/*/scores.json",
        ),
        streams=("run/evaluations/*/responses.jsonl", "run/evaluations/*/judgements.jsonl"),
    ),
    Scenario(
        name="evaluate a system",
        plain=True,
        command=lambda folder, url: (
            "evaluate", folder / "run", "--system", "openai:some-model", "--url", url, *_limits(),
        ),
        files=(
            "run/evaluations/*/responses.jsonl", "run/evaluations/*/judgements.jsonl",
            "run/evaluations/*/scores.json",
        ),
        streams=("run/evaluations/*/responses.jsonl", "run/evaluations/*/judgements.jsonl"),
    ),
    Scenario(
        name="grade",
        command=lambda folder, url: (
            "grade", folder / "run", "--models", "openai:some-model", "--base-url", url,
            *_limits(),
        ),
        files=("run/gradings/*/*.csv", "run/gradings/*/*_records_*.jsonl"),
        streams=("run/gradings/*/*_records_*.jsonl",),
    ),
    Scenario(
        name="sweep",
        command=_sweep,
        files=(
            "run/evaluations/*/responses.jsonl", "run/evaluations/*/judgements.jsonl",
            "run/evaluations/*/scores.json",
        ),
        streams=("run/evaluations/*/responses.jsonl", "run/evaluations/*/judgements.jsonl"),
    ),
)  # fmt: skip


def copied(base: Path, folder: Path) -> Path:
    """Return a new copy of the base folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    return folder
