"""Read files in a worker process, so that no file can block or crash a run.

The worker has limits of time and memory, and must not write files, start programs or open
connections. It receives pickled calls and replies in JSON, so that a compromised worker can only
send data.
"""

import json
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer
from typing import Final

from pydantic import TypeAdapter

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, UnusableFile
from uaeval.user_code import CallOutcome, described

Reading = Callable[[Path, str, ReadSettings], LoadedDocuments]

_LOADED: Final = TypeAdapter(LoadedDocuments)
_READ, _UNUSABLE, _WRONG = "read", "unusable", "wrong"
_FORBIDDEN: Final = frozenset(
    {"socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"}
)
_MEMORY: Final = 800_000_000
"""Most bytes of data in the worker, if the operating system supports such a limit."""


class FileWorker(AbstractContextManager["FileWorker"]):
    """Calls `read` for one file after another in a separate process; use it in a `with` block.

    A worker that exceeds a limit is killed; a new one reads the next file.
    """

    def __init__(self, read: Reading, *, seconds: float = 60.0) -> None:
        """Store the function, and how many seconds it may take per file."""
        self._read = read
        self._seconds = seconds
        self._process: Popen[bytes] | None = None

    def __exit__(self, *_: object) -> None:
        self._end()

    def read(self, path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
        """Return the documents of a file.

        Raises:
            UnusableFile: the file is damaged, cannot be opened, or exceeds a limit.
            KnowledgeBaseError: its rows cannot be used.
        """
        call = pickle.dumps((self._read, path, name, settings))
        process = self._process or self._start()
        assert process.stdin and process.stdout
        overdue = Timer(self._seconds, process.kill)
        overdue.start()
        try:
            with suppress(BrokenPipeError):
                process.stdin.write(call)
                process.stdin.flush()
            line = process.stdout.readline()
        finally:
            in_time = overdue.is_alive()
            overdue.cancel()
        if not line.endswith(b"\n"):
            self._end()
            crash = f"its reader crashed (exit code {process.returncode})"
            if in_time:
                raise UnusableFile(f"{crash}; it may need too much memory: split it")
            raise UnusableFile(f"reading it takes more than {self._seconds:g} s")
        kind, body = json.loads(line)
        if kind == _READ:
            return _LOADED.validate_python(body)
        raise (UnusableFile if kind == _UNUSABLE else KnowledgeBaseError)(body)

    def _start(self) -> Popen[bytes]:
        command = [sys.executable, "-m", "uaeval.knowledge.worker"]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment)
        return self._process

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


def reason_of(error: Exception) -> str:
    """Return why a file is skipped."""
    if isinstance(error, OSError):
        return f"it cannot be opened ({error.strerror or error})"
    return str(error)


# --- in the worker ------------------------------------------------------------------------------


def _serve() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output that a parser prints must not mix with answers
    _limit()
    sys.addaudithook(_refuse)
    with suppress(EOFError):
        while True:
            answers.write(_answer(*pickle.load(sys.stdin.buffer)).encode() + b"\n")
            answers.flush()


def _answer(read: Reading, path: Path, name: str, settings: ReadSettings) -> str:
    with CallOutcome() as outcome:
        return json.dumps((_READ, asdict(read(path, name, settings))))
    kind = _WRONG if isinstance(outcome.error, KnowledgeBaseError) else _UNUSABLE
    match outcome.error:
        case KnowledgeBaseError() | UnusableFile() | OSError() as error:
            reason = reason_of(error)
        case MemoryError():
            reason = "reading it takes too much memory; split it into several files"
        case error:
            reason = f"it is damaged and cannot be read ({described(error)[:200]})"
    return json.dumps((kind, reason.encode(errors="replace").decode()))


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):  # some systems define the limit, but do not support it
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in _FORBIDDEN:
        raise PermissionError(f"a file's reader must not do this: {event}")
    if event == "open" and isinstance(mode := arguments[1], str) and set(mode) & set("wax+"):
        raise PermissionError(f"a file's reader must not write: {arguments[0]}")


if __name__ == "__main__":
    _serve()
