"""A local endpoint with a Batch API: `/v1/files`, `/v1/batches`, and chat by the same answers."""

import email
import email.policy
import json
import os
import re
import signal
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.servers.openai_server import Answer, Body, Fault, Said, completion, error, unauthorized


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a batch ends."""

    status: str = "completed"
    answered: int | None = None
    """How many requests are answered before; all if not set."""
    errors: tuple[Body, ...] = ()
    """What validation found."""


@dataclass(kw_only=True)
class Job:
    """A batch as the server keeps it."""

    id: str
    file_id: str
    metadata: Body
    ending: Ending
    looks: int
    """How often it is still found in progress."""
    status: str = "validating"
    output: str | None = None
    errors: str | None = None
    counts: Body = field(default_factory=lambda: {"completed": 0, "failed": 0, "total": 0})


class BatchServer:
    """`with BatchServer(answer) as server:` serves `server.url`; every batch ends as told.

    `faults["POST /files"]` and so on are answered first, one by one; with `late_faults` the call
    is carried out before the fault is sent.
    """

    def __init__(
        self, answer: Callable[[Body], Answer], *, looks: int = 1, page: int = 100
    ) -> None:
        self._answer = answer
        self._looks = looks
        self._page = page
        self._lock = threading.RLock()
        self.key: str | None = None
        """The only key that is accepted, if set."""
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.late_faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.endings: deque[Ending] = deque()
        self.files: dict[str, bytes] = {}
        self.jobs: dict[str, Job] = {}
        self.calls: list[str] = []
        self.keys: list[str] = []
        self.answered: list[str] = []
        """The `custom_id` of every request that was answered, and so paid."""
        self.interrupt_at: float | None = None
        """Press Ctrl-C in this process at the n-th call; at n + ½, once it was carried out."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def sent(self) -> list[list[Body]]:
        """Return the requests of each batch, in the order made."""
        return [_lines(self.files[job.file_id]) for job in self.jobs.values()]

    def reply(self, method: str, address: str, kind: str, body: bytes, key: str) -> Fault:
        """Carry a call out, or misbehave."""
        place = urlsplit(address)
        path = place.path.removeprefix("/v1")
        call = f"{method} {re.sub('(?<=/)(file|batch)-[0-9]+', ':id', path)}"
        with self._lock:
            self.calls.append(call)
            self.keys.append(key)
            self._interrupt(0)
            if self.key is not None and key != f"Bearer {self.key}":
                return unauthorized(key)
            if self.faults[call]:
                return self.faults[call].popleft()
            done = self._carry_out(call, path, parse_qs(place.query), kind, body)
            self._interrupt(0.5)
            return self.late_faults[call].popleft() if self.late_faults[call] else done

    def _interrupt(self, share: float) -> None:
        if len(self.calls) + share == self.interrupt_at:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.02)

    def _carry_out(
        self, call: str, path: str, query: dict[str, list[str]], kind: str, body: bytes
    ) -> Fault:
        name = next(iter(re.findall("(?:file|batch)-[0-9]+", path)), "")
        match call:
            case "POST /chat/completions":
                return self._chat(json.loads(body))
            case "POST /files":
                return self._upload(_form(kind, body))
            case "GET /files/:id/content" if name in self.files:
                return Fault(body=self.files[name])
            case "POST /batches":
                return self._create(json.loads(body))
            case "GET /batches":
                return self._list(query)
            case "GET /batches/:id" if name in self.jobs:
                return self._look(self.jobs[name])
            case "POST /batches/:id/cancel" if name in self.jobs:
                return self._cancel(self.jobs[name])
            case _:
                return error(404, "Not Found")

    def _chat(self, body: Body) -> Fault:
        answer = self._answer(body)
        if isinstance(answer, Fault):
            return answer
        return _json(completion(_said(answer), str(body["model"])))

    def _upload(self, form: dict[str, bytes]) -> Fault:
        if form.get("purpose") != b"batch" or "file" not in form:
            return error(400, "wants a file and purpose=batch")
        return _json({"id": self._keep(form["file"]), "object": "file", "purpose": "batch"})

    def _keep(self, content: bytes) -> str:
        name = f"file-{len(self.files) + 1}"
        self.files[name] = content
        return name

    def _create(self, asked: Body) -> Fault:
        if asked["input_file_id"] not in self.files:
            return error(400, f"No such File object: {asked['input_file_id']}")
        if (asked["endpoint"], asked["completion_window"]) != ("/v1/chat/completions", "24h"):
            return error(400, "no such endpoint or window")
        job = Job(
            id=f"batch-{len(self.jobs) + 1}",
            file_id=asked["input_file_id"],
            metadata=asked["metadata"],
            ending=self.endings.popleft() if self.endings else Ending(),
            looks=self._looks,
        )
        found = _validate(_lines(self.files[job.file_id]))
        if found:
            job.ending = Ending(status="failed", answered=0, errors=tuple(found))
        self.jobs[job.id] = job
        return _json(self._told(job))

    def _list(self, query: dict[str, list[str]]) -> Fault:
        newest_first = list(reversed(self.jobs.values()))
        names = [job.id for job in newest_first]
        start = names.index(query["after"][0]) + 1 if "after" in query else 0
        page = newest_first[start : start + self._page]
        data = [self._told(job) for job in page]
        more = start + self._page < len(names)
        return _json({"object": "list", "data": data, "has_more": more})

    def _look(self, job: Job) -> Fault:
        if job.status in {"validating", "in_progress"}:
            job.status = "in_progress"
            if job.looks == 0:
                self._end(job)
            job.looks -= 1
        elif job.status == "cancelling":
            self._end(job)
        return _json(self._told(job))

    def _cancel(self, job: Job) -> Fault:
        if job.status not in {"validating", "in_progress"}:
            return error(409, f"Cannot cancel a batch with status '{job.status}'.")
        job.status = "cancelling"
        job.ending = Ending(status="cancelled", answered=job.ending.answered or 0)
        return _json(self._told(job))

    def _end(self, job: Job) -> None:
        job.status = job.ending.status
        if job.ending.errors:
            return
        requests = _lines(self.files[job.file_id])
        count = len(requests) if job.ending.answered is None else job.ending.answered
        good: list[Body] = []
        bad: list[Body] = []
        for request in requests[:count]:
            line = self._line(request)
            (good if line["response"]["status_code"] == 200 else bad).append(line)
        bad += [_unreached(request, job.status) for request in requests[count:]]
        job.output = self._keep(_jsonl(reversed(good))) if good else None
        job.errors = self._keep(_jsonl(bad)) if bad else None
        job.counts = {"completed": len(good), "failed": len(bad), "total": len(requests)}

    def _line(self, request: Body) -> Body:
        self.answered.append(request["custom_id"])
        answer = self._answer(request["body"])
        if isinstance(answer, Fault):
            response = {"status_code": answer.status, "body": json.loads(answer.body)}
        else:
            response = {"status_code": 200, "body": completion(_said(answer))}
        return {"custom_id": request["custom_id"], "response": response, "error": None}

    def _told(self, job: Job) -> Body:
        errors = {"object": "list", "data": list(job.ending.errors)}
        return {
            "id": job.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": job.file_id,
            "completion_window": "24h",
            "created_at": 1,
            "status": job.status,
            "metadata": job.metadata,
            "errors": errors if job.status == "failed" else None,
            "output_file_id": job.output,
            "error_file_id": job.errors,
            "request_counts": job.counts,
        }


def _validate(requests: list[Body]) -> list[Body]:
    """Return what the real endpoint rejects: two models in a file, a duplicate id."""
    found: list[Body] = []
    seen: set[str] = set()
    for number, request in enumerate(requests, start=1):
        if request["body"]["model"] != requests[0]["body"]["model"]:
            message = "The model does not match the one of the batch."
            found.append({"code": "mismatched_model", "line": number, "message": message})
        if request["custom_id"] in seen:
            message = "The custom_id is not unique."
            found.append({"code": "duplicate_custom_id", "line": number, "message": message})
        seen.add(request["custom_id"])
    return found


def _unreached(request: Body, status: str) -> Body:
    told = {"code": f"batch_{status}", "message": "This request could not be executed."}
    return {"custom_id": request["custom_id"], "response": None, "error": told}


def _said(answer: str | Said) -> Said:
    return Said(content=answer) if isinstance(answer, str) else answer


def _form(kind: str, body: bytes) -> dict[str, bytes]:
    """Read a multipart form: the content of each field by its name."""
    head = f"Content-Type: {kind}\r\n\r\n".encode()
    message = email.message_from_bytes(head + body, policy=email.policy.HTTP)
    return {
        str(part.get_param("name", header="content-disposition")): _payload(part)
        for part in message.iter_parts()
    }


def _payload(part: Any) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


def _lines(content: bytes) -> list[Body]:
    return [json.loads(line) for line in content.splitlines()]


def _jsonl(lines: Iterable[Body]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def _json(body: Body) -> Fault:
    return Fault(body=json.dumps(body).encode())


def _handler(server: BatchServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET")

        def do_POST(self) -> None:
            self._answer("POST")

        def _answer(self, method: str) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            kind = self.headers.get("content-type", "")
            key = self.headers.get("authorization", "")
            sent = server.reply(method, self.path, kind, body, key)
            with suppress(ConnectionError):  # the client may have been interrupted
                self.send_response(sent.status)
                for name, value in {"content-type": "application/json", **sent.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(sent.body)))
                self.end_headers()
                self.wfile.write(sent.body)

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    return Handler
