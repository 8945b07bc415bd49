"""What a new user meets: install, size, import, and the lines it takes to evaluate a system.

    python -m scripts.newcomer

Installs the checkout into a fresh environment, with the registry's versions in `constraints.txt`,
and runs it there as a user would. Prints one table; exits with 1 if a step fails.
"""

import ast
import os
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SYSTEMS = ROOT / "examples" / "systems"
PORT = 8111
HTTP = ("--system", "http", "--url", f"http://127.0.0.1:{PORT}/ask", "--answer-path")
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "LCEL": ("lcel", ("--system", "langchain:lcel:chain")),
    "LangGraph": ("graph", ("--system", "langchain:graph:graph")),
    "LlamaIndex": ("index", ("--system", "python:index:answer")),
    "FastAPI": ("api", (*HTTP, "answer")),
    "SSE": ("events", (*HTTP, "delta")),
}
"""By name, the module in `examples/systems` and the options that evaluate it."""
OTHERS = ("llama-index-core", "fastapi")
TRIES = 3


@dataclass(frozen=True)
class Machine:
    """A fresh environment in a folder."""

    folder: Path

    @property
    def bin(self) -> Path:
        """The folder of its commands."""
        return self.folder / "venv" / "bin"

    @property
    def packages(self) -> Path:
        """The folder of its packages."""
        return next((self.folder / "venv" / "lib").glob("python*/site-packages"))

    def run(self, *command: str | Path, cwd: Path | None = None) -> tuple[float, str]:
        """Return the seconds that a command took, and what it printed; raise if it failed."""
        start = time.monotonic()
        done = subprocess.run(
            [self.bin / command[0], *command[1:]],
            cwd=cwd or self.folder,
            env={**os.environ, "PYTHONPATH": str(SYSTEMS)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
        return time.monotonic() - start, done.stdout

    def install(self, *wanted: str | Path) -> float:
        """Return the seconds that pip took."""
        constraints = ROOT / "constraints.txt"
        return self.run("pip", "install", "--quiet", "--constraint", constraints, *wanted)[0]

    def size(self, *, compiled: bool) -> int:
        """Return the mebibytes of the installed packages, with or without compiled bytecode."""
        files = (path for path in self.packages.rglob("*") if path.is_file())
        kept = (path for path in files if compiled or path.suffix != ".pyc")
        return round(sum(path.stat().st_size for path in kept) / 2**20)

    def fastest(self, *command: str) -> float:
        """Return the least seconds of several runs."""
        return min(self.run(*command)[0] for _ in range(TRIES))

    @contextmanager
    def served(self, module: str) -> Iterator[None]:
        """Serve the `app` of a module, if it has one."""
        if "app = " not in (SYSTEMS / f"{module}.py").read_text(encoding="utf-8"):
            yield
            return
        place = ("--port", str(PORT), "--app-dir", str(SYSTEMS))
        command = [str(self.bin / "uvicorn"), f"{module}:app", *place]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, stdout=quiet, stderr=quiet) as server:
            try:
                _await_port()
                yield
            finally:
                server.terminate()


def _await_port() -> None:
    for _ in range(100):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", PORT)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {PORT}")


def lines(module: str) -> int:
    """Count the lines of code of a module, without docstring and blank lines."""
    source = (SYSTEMS / f"{module}.py").read_text(encoding="utf-8")
    docstring = ast.parse(source).body[0].end_lineno or 0
    return sum(bool(line.strip()) for line in source.splitlines()[docstring:])


def measure(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield what was measured, by name."""
    venv.create(machine.folder / "venv", with_pip=True)
    yield "pip install uaeval", f"{machine.install(ROOT):.0f} s"
    yield "distributions", str(len(machine.run("pip", "list", "--format=freeze")[1].split()))
    yield "size", f"{machine.size(compiled=False)} MiB"
    yield "size with bytecode", f"{machine.size(compiled=True)} MiB"
    bare, api = (
        machine.fastest("python", "-c", code) for code in ("pass", "from uaeval import evaluate")
    )
    yield "from uaeval import evaluate", f"{api - bare:.2f} s"
    yield "uaeval --help", f"{machine.fastest('uaeval', '--help'):.2f} s"
    run = machine.folder / "run"
    sample = ROOT / "knowledge_bases" / "sample"
    seconds, _ = machine.run("uaeval", "synthesize", sample, "-o", run, "--size", "12")
    yield "12 queries offline", f"{seconds:.0f} s"
    machine.install(*OTHERS)
    for name, (module, options) in KINDS.items():
        with machine.served(module):
            seconds, _ = machine.run(
                "uaeval", "evaluate", run, *options, "--judge", "offline", "--name", module
            )
        yield name, f"{lines(module)} lines, {seconds:.0f} s"


def main(arguments: Sequence[str] = ()) -> int:
    """Print the table; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name, value in measure(Machine(Path(folder))):
                print(f"{name:<30}{value:>16}", flush=True)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
