"""An OpenAI-compatible chat endpoint in a process of its own: fixed latency, counters, faults.

For benchmarks and for tests with many calls at once: unlike `openai_server` it takes no CPU from
its caller, and it knows how many calls were under way at a time.
"""

import argparse
import asyncio
import importlib
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast
from urllib.request import Request, urlopen

from aiohttp import web
from tests.servers.openai_server import Body, Said, completion

Answer = Callable[[Body], str]
"""Makes the text of a reply from the body of its request."""

HANG_S = 3600.0
YES = json.dumps({"rationale": "The response says so in its first sentence.", "label": "yes"})


def yes(body: Body) -> str:
    """Answer yes, with a reason."""
    return YES


@dataclass(kw_only=True)
class Plan:
    """How the server behaves from now on."""

    latency_s: float = 0.0
    """How long each call takes."""
    faults: dict[str, int] = field(default_factory=dict)
    """`{"429": 10}`: each tenth call is answered so; a status, `drop`, `hang` or `garbage`."""


@dataclass(kw_only=True)
class Counts:
    """What the server saw since its plan was last set."""

    calls: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    peak: int = 0
    """Most calls under way at once."""
    mean: float = 0.0
    """Calls under way, averaged over the time from the first call to the last answer."""
    connections: int = 0
    """Connections that the calls came over."""


class ChatServer:
    """`with ChatServer() as server:` serves `server.url`, in its own process, until the end.

    `answer` names what writes the replies, as `module:function`.
    """

    def __init__(self, answer: str = f"{__name__}:yes") -> None:
        self._answer = answer
        self.url = ""

    def __enter__(self) -> Self:
        module = "tests.servers.chat_server"
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, "--answer", self._answer],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        self._address = f"http://127.0.0.1:{int(self._process.stdout.readline())}"
        self.url = f"{self._address}/v1"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.communicate()

    def follow(self, plan: Plan) -> None:
        """Follow this plan from now on, and count from zero."""
        self._fetch("plan", json.dumps(asdict(plan)).encode())

    def counts(self) -> Counts:
        """Return what was seen since then."""
        return Counts(**self._fetch("counts", None))

    def _fetch(self, path: str, data: bytes | None) -> Mapping[str, Any]:
        with urlopen(Request(f"{self._address}/{path}", data=data)) as answer:
            return cast(Mapping[str, Any], json.load(answer))


# --- in the server's own process ----------------------------------------------------------------


class _Traffic:
    """Counts calls as they come and go."""

    def __init__(self) -> None:
        self.calls = 0
        self.faults: Counter[str] = Counter()
        self.connections: set[object] = set()
        self._under_way = self._peak = 0
        self._area = 0.0
        self._first = self._last = time.perf_counter()

    def change(self, by: int) -> None:
        """Note that a call came (1) or went (-1)."""
        now = time.perf_counter()
        if not self.calls:
            self._first = self._last = now
        self.calls += by > 0
        self._area += self._under_way * (now - self._last)
        self._under_way += by
        self._peak = max(self._peak, self._under_way)
        self._last = now

    def counts(self) -> Counts:
        """Return the counts so far."""
        seconds = self._last - self._first
        mean = self._area / seconds if seconds else 0.0
        return Counts(
            calls=self.calls,
            faults=dict(self.faults),
            peak=self._peak,
            mean=mean,
            connections=len(self.connections),
        )


class _Endpoint:
    """The routes of the server."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._plan = Plan()
        self._traffic = _Traffic()

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer one call as planned."""
        body = json.loads(await request.read())
        traffic = self._traffic
        traffic.change(1)
        traffic.connections.add(request.protocol)
        number = traffic.calls
        try:
            await asyncio.sleep(self._plan.latency_s)
            due = [kind for kind, every in self._plan.faults.items() if number % every == 0]
            if due:
                traffic.faults[due[0]] += 1
                return await _fault(due[0], request)
            said = Said(content=self._answer(body), prompt_tokens=_tokens(body))
            return _said(completion(said, str(body["model"])))
        finally:
            traffic.change(-1)

    async def plan(self, request: web.Request) -> web.Response:
        """Take a new plan."""
        self._plan, self._traffic = Plan(**await request.json()), _Traffic()
        return _said({})

    async def counts(self, _request: web.Request) -> web.Response:
        """Return the counts."""
        return _said(asdict(self._traffic.counts()))


def _tokens(body: Body) -> int:
    """Count the tokens of a prompt and its schema, at four characters each."""
    shown = [message["content"] for message in body["messages"]]
    return len("".join([*shown, json.dumps(body.get("response_format", ""))])) // 4


async def _fault(kind: str, request: web.Request) -> web.StreamResponse:
    if kind == "hang":
        await asyncio.sleep(HANG_S)
    if kind == "drop":
        assert request.transport
        request.transport.abort()
    if kind == "garbage":
        return web.Response(body=b"<html>It works!</html>", content_type="text/html")
    told = {"error": {"message": f"told to answer {kind}", "type": "error", "code": None}}
    status = int(kind) if kind.isdigit() else 500
    return _said(told, status, {"retry-after-ms": "5"})


def _said(
    body: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> web.Response:
    told = json.dumps(body).encode()
    return web.Response(body=told, status=status, headers=headers, content_type="application/json")


async def _serve(answer: Answer) -> None:
    endpoint = _Endpoint(answer)
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", endpoint.chat)
    app.router.add_post("/plan", endpoint.plan)
    app.router.add_get("/counts", endpoint.counts)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(runner.addresses[0][1], flush=True)  # noqa: T201 - the caller reads the port
    await asyncio.Event().wait()


def _named(name: str) -> Answer:
    module, _, function = name.partition(":")
    return cast(Answer, getattr(importlib.import_module(module), function))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--answer", required=True)
    asyncio.run(_serve(_named(parser.parse_args().answer)))
