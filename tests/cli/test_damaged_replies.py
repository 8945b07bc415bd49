"""`uaeval evaluate --system http` where replies are damaged, or come from something in between."""

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.evaluation.records import control, unanswerable
from tests.servers.rag_server import Got, RagServer, Sent

from uaeval.evaluation.manifest import read_manifest
from uaeval.records import Failure, Query, Response
from uaeval.run_folder import RunFolder
from uaeval.storage import read_journal, write_journal

GOOD = Sent(body={"answer": "I do not know that."})
WHOLE = json.dumps(GOOD.body).encode()
ENVOY = b"upstream connect error or disconnect/reset before headers. reset reason: overflow"


def sent(body: bytes, kind: str = "application/json", **headers: str) -> Sent:
    about = {name.replace("_", "-"): value for name, value in headers.items()}
    return Sent(body=body, headers={"content-type": kind, **about})


def damaged(body: bytes) -> bytes:
    return body[:20] + bytes(byte ^ 0xFF for byte in body[20:])


DAMAGED = {
    "cut off": (sent(b'{"answer":"I do not kn'), "not valid JSON", '{"answer":"I do not kn'),
    "nested too deep": (sent(b"[" * 90_000 + b"]" * 90_000), "not valid JSON", "[[["),
    "lines of JSON": (sent(WHOLE + b"\n" + WHOLE), "not valid JSON", WHOLE.decode()),
    "words as JSON": (sent(b"I do not know."), "not valid JSON", "I do not know."),
    "nothing as JSON": (sent(b""), "not valid JSON", ""),
    "JSON cut off as text": (
        sent(b'{"answer": "I do not kn', "text/plain"),
        "not valid JSON",
        '{"answer": "I do not kn',
    ),
    "stream": (sent(b"data: I do\n\n", "text/event-stream"), "event stream", "data: I do"),
    "stream as text": (
        sent(b": ping\nevent: token\ndata: I do\n\n", "text/plain"),
        "event stream",
        ": ping",
    ),
    "stream as JSON": (sent(b'data: {"answer": "I"}\n\n'), "event stream", "data: {"),
    "page": (sent(b"<p>I do not know.</p>", "text/html"), "web page", "<p>I do"),
    "page as text": (sent(b" <!DOCTYPE html><p>No", "text/plain"), "web page", " <!DOCTYPE"),
    "JSON as page": (sent(WHOLE, "text/html; charset=utf-8"), "web page", '{"answer"'),
    "unknown type": (sent(b"I do not know.", "image/png"), "content type image/png", "I do"),
    "no type": (sent(b"I do not know.", ""), "no content type", "I do not know."),
    "Envoy": (sent(ENVOY, "text/plain"), "proxy", ENVOY.decode()),
    "Envoy as JSON": (sent(ENVOY), "not valid JSON", ENVOY.decode()),
    "no upstream": (sent(b"no healthy upstream", "text/plain"), "proxy", "no healthy"),
    "nginx": (sent(b"502 Bad Gateway\n", "text/plain"), "proxy", "502 Bad"),
    "Cloudflare": (sent(b"error code: 1020", "text/plain"), "proxy", "error code"),
    "Go": (sent(b"404 page not found\n", "text/plain"), "proxy", "404 page"),
    "length": (sent(WHOLE, content_length="400"), "broke off", WHOLE.decode()),
    "length of text": (
        sent(b"I do not kn", "text/plain", content_length="40"),
        "broke off",
        "I do not kn",
    ),
    "gzip": (
        sent(damaged(gzip.compress(WHOLE, mtime=0)), content_encoding="gzip"),
        "content encoding",
        "",
    ),
    "gzip cut off": (
        sent(gzip.compress(b"I do not know.")[:-9], "text/plain", content_encoding="gzip"),
        "content encoding",
        "I do not know.",
    ),
    "no gzip": (sent(WHOLE, content_encoding="gzip"), "content encoding", WHOLE.decode()),
    "deflate": (
        sent(damaged(zlib.compress(WHOLE)), content_encoding="deflate"),
        "content encoding",
        "",
    ),
    "brotli": (sent(b"\x0b\x02\x80{}", content_encoding="br"), "content encoding 'br'", ""),
    **{
        name: (
            sent(WHOLE, f"application/json; charset={name}"),
            f"charset {name!r}",
            WHOLE.decode(),
        )
        for name in ("undefined", "hex", "no-such")
    },
}


@pytest.fixture
def queries(tmp_path: Path) -> list[Query]:
    return write_finished_run(tmp_path / "run")


def evaluated(uaeval: Uaeval, run: Path, answer: Callable[[Got], Sent], *options: str) -> str:
    """Return the output of an evaluation that ends with 6."""
    with RagServer(answer) as server:
        asking = ["--system", "http", "--url", server.url, "--retries", "0"]
        done = uaeval("evaluate", run, *asking, *options)
    assert done.code == 6, done.err
    return done.out


def test_a_damaged_reply_is_a_failure_of_its_query_and_never_an_answer(
    tmp_path: Path, uaeval: Uaeval, queries: list[Query]
) -> None:
    struck: dict[str, tuple[str, Sent, str, str]] = {}
    for number, damage in enumerate(DAMAGED.values(), len(queries)):
        twin = control(number, question=f"What is behind door {number:02} of the reading room?")
        queries += [unanswerable(number, question=f"What is behind door {number:02}?"), twin]
        struck[twin.id] = (twin.question, *damage)
    write_journal(RunFolder(tmp_path / "run").queries_path, Query, queries)

    def answer(got: Got) -> Sent:
        asked = str(got.json)
        return next((reply for text, reply, *_ in struck.values() if text in asked), GOOD)

    told = evaluated(uaeval, tmp_path / "run", answer, "--system-concurrency", "1")
    assert f"{len(DAMAGED)} calls failed" in told
    folder = tmp_path / "run" / "evaluations" / "http"
    failures = {one.id: one for one in read_journal(folder / "respond.failed.jsonl", Failure)}
    assert failures.keys() == struck.keys()
    for name, (_, _, problem, beginning) in struck.items():
        assert problem in failures[name].message
        assert failures[name].raw is not None, f"{failures[name].message}: it is no outage"
        assert str(failures[name].raw).startswith(beginning)
    answered = read_journal(folder / "responses.jsonl", Response)
    assert {one.query_id for one in answered} == {query.id for query in queries} - struck.keys()
    manifest = read_manifest(folder / "manifest.json")
    assert manifest
    assert manifest.status == "lacking"


@pytest.mark.parametrize("name", ["cut off", "gzip", "undefined", "Envoy", "length"])
def test_where_every_reply_is_damaged_every_query_fails(
    tmp_path: Path, uaeval: Uaeval, queries: list[Query], name: str
) -> None:
    told = evaluated(uaeval, tmp_path / "run", lambda _: DAMAGED[name][0])
    assert f"{len(queries)} calls failed" in told
    folder = tmp_path / "run" / "evaluations" / "http"
    assert read_journal(folder / "responses.jsonl", Response) == ()
