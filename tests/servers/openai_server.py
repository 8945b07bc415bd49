"""A local chat endpoint, OpenAI-compatible or not: answers by a function, misbehaves to order."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from types import TracebackType
from typing import Any, Self, TypeAlias, cast

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A reply other than a good answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    hang_s: float = 0.0
    trickle_s: float = 0.0
    """Seconds over which the body is sent, byte by byte."""
    missing: int = 0
    """Bytes of the body that are announced and never sent."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A completion whose other parts matter too."""

    content: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    cached_tokens: int = 0
    prompt_tokens: int | None = 11
    """`None` when the endpoint says nothing of tokens."""
    completion_tokens: int = 7


Answer: TypeAlias = str | Said | Fault
Shape: TypeAlias = Callable[[Said, str], Body]
"""Makes the body of an answer from what is said and the model's name."""


def error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Fault:
    told = {"message": message, "type": "error", "param": param, "code": code}
    body = json.dumps({"error": told}).encode()
    return Fault(status=status, body=body, headers=headers or {})


def rate_limited(retry_after_ms: int = 5) -> Fault:
    headers = {"retry-after": "1", "retry-after-ms": str(retry_after_ms)}
    return error(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers)


def out_of_quota() -> Fault:
    message = "You exceeded your current quota, please check your plan and billing details."
    headers = {"retry-after-ms": "5"}
    return error(429, message, code="insufficient_quota", headers=headers)


def broken_down() -> Fault:
    return error(500, "The server had an error", headers={"retry-after-ms": "5"})


def unauthorized(key: str) -> Fault:
    return error(401, f"Incorrect API key provided: {key}.", code="invalid_api_key")


def filtered_request() -> Fault:
    message = "The response was filtered due to the prompt triggering the content management policy"
    return error(400, message, code="content_filter", param="prompt")


def unsupported(kind: str) -> Fault:
    message = f"Invalid parameter: 'response_format' of type '{kind}' is not supported"
    return error(400, message, param="response_format")


def slow(content: str, seconds: float) -> Fault:
    """Answer well, after a delay."""
    return Fault(body=json.dumps(completion(Said(content=content))).encode(), hang_s=seconds)


def trickling(content: str, seconds: float) -> Fault:
    """Answer well, in small pieces."""
    return Fault(body=json.dumps(completion(Said(content=content))).encode(), trickle_s=seconds)


def cut_short(content: str) -> Fault:
    """Hang up in the middle of the answer."""
    body = json.dumps(completion(Said(content=content))).encode()
    return Fault(body=body[: len(body) // 2], missing=len(body) - len(body) // 2)


def malformed() -> Fault:
    return Fault(body=b"<html>It works!</html>", headers={"content-type": "text/html"})


def hang(seconds: float) -> Fault:
    return Fault(hang_s=seconds)


class OpenAIServer:
    """`with OpenAIServer(lambda body: "…") as server:` serves `server.url` until the end."""

    def __init__(
        self,
        answer: Callable[[Body], Answer],
        *,
        port: int = 0,
        shape: Shape | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._answer = answer
        self._shape = shape or completion
        self._scheme = "https" if tls else "http"
        self._lock = threading.Lock()
        self.requests: list[Body] = []
        self.keys: list[str] = []
        self.headers: list[set[str]] = []
        """The names of each request's headers, in lower case."""
        self.times: list[float] = []
        """When each request came, in seconds of `time.monotonic`."""
        self.under_way = 0
        self.peak = 0
        """How many requests were under way at once, at the most."""
        self.stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a request as in flight, until just before its answer is sent."""
        with self._lock:
            self.under_way += 1
            self.peak = max(self.peak, self.under_way)
        yield
        with self._lock:
            self.under_way -= 1

    def write(self, stream: BufferedIOBase, sent: Fault) -> None:
        """Send the body, at once or little by little."""
        step = 1 if sent.trickle_s else len(sent.body) or 1
        for start in range(0, len(sent.body), step):
            stream.write(sent.body[start : start + step])
            if sent.trickle_s and self.stopping.wait(sent.trickle_s / len(sent.body)):
                return

    def reply(self, body: Body, key: str) -> Fault:
        """Note the request and say what to send."""
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            self.times.append(time.monotonic())
            answer = self._answer(body)
        if isinstance(answer, Fault):
            return answer
        said = Said(content=answer) if isinstance(answer, str) else answer
        return Fault(body=json.dumps(self._shape(said, str(body.get("model")))).encode())


def completion(said: Said, model: str = "model") -> Body:
    """Return the body of a chat completion."""
    message = {"role": "assistant", "content": said.content, "refusal": said.refusal}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": said.finish_reason}],
    }
    if said.prompt_tokens is None:
        return body
    usage = {
        "prompt_tokens": said.prompt_tokens,
        "completion_tokens": said.completion_tokens,
        "total_tokens": said.prompt_tokens + said.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": said.cached_tokens},
    }
    return body | {"usage": usage}


def anthropic_message(said: Said, model: str) -> Body:
    """Return the body of a message of Anthropic's Messages API."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": said.content}],
        "stop_reason": "end_turn" if said.finish_reason == "stop" else said.finish_reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 11 - said.cached_tokens,
            "output_tokens": 7,
            "cache_read_input_tokens": said.cached_tokens,
            "cache_creation_input_tokens": 0,
        },
    }


def ollama_chat(said: Said, model: str) -> Body:
    """Return the last line, here the only one, of an answer of Ollama's chat API."""
    return {
        "model": model,
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": said.content},
        "done": True,
        "done_reason": said.finish_reason,
        "prompt_eval_count": 11,
        "eval_count": 7,
    }


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            body = cast(Body, json.loads(self.rfile.read(length)))
            server.headers.append({name.lower() for name in self.headers})
            with server.counted():
                sent = server.reply(body, self.headers.get("authorization", ""))
                stopped = sent.hang_s and server.stopping.wait(sent.hang_s)
            if not stopped:
                self._send(sent)

        def _send(self, sent: Fault) -> None:
            headers = {"content-type": "application/json", **sent.headers}
            try:
                self.send_response(sent.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(sent.body) + sent.missing))
                self.end_headers()
                server.write(self.wfile, sent)
            except ConnectionError:
                return  # the client has given up waiting

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    return Handler
