"""Streamed replies and replies that come later, over real HTTP."""

import json
from collections.abc import Callable
from functools import partial

import pytest
from pydantic import JsonValue
from tests.evaluation.records import unanswerable
from tests.servers.rag_server import Got, RagServer, Sent
from tests.systems.settings import configured

from uaeval.errors import TargetError
from uaeval.records import Context, ResponseStatus
from uaeval.systems.extract import Paths
from uaeval.systems.http import HttpSystem
from uaeval.systems.openai import openai_chat_system
from uaeval.systems.system import Answer

SSE = "text/event-stream; charset=utf-8"
NDJSON = "application/x-ndjson"
QUERY = unanswerable(1)
ASKED: JsonValue = {"question": "{question}"}
once = partial(configured, max_retries=0)


def sse(*events: object, end: str = "\n\n") -> str:
    texts = [event if isinstance(event, str) else json.dumps(event) for event in events]
    return "".join(f"data: {text}{end}" for text in texts)


def openai_chunk(text: str | None, finish: str | None = None, name: str = "content") -> object:
    return {"choices": [{"index": 0, "delta": {name: text}, "finish_reason": finish}]}


def anthropic(*texts: str, reason: str = "end_turn", last: bool = True) -> str:
    events: list[dict[str, object]] = [
        {"type": "message_start", "message": {"content": []}},
        {"type": "content_block_start", "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "Hm."}},
    ]
    for text in texts:
        delta = {"type": "text_delta", "text": text}
        events.append({"type": "content_block_delta", "delta": delta})
    events.append({"type": "message_delta", "delta": {"stop_reason": reason}})
    events += [{"type": "message_stop"}] if last else []
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


RESPONSES = sse(
    {"type": "response.created", "response": {}},
    {"type": "response.function_call_arguments.delta", "delta": "{}"},
    {"type": "response.output_text.delta", "delta": "450 "},
    {"type": "response.output_text.delta", "delta": "euros."},
    {"type": "response.completed", "response": {}},
)


WHOLE = [openai_chunk("450 "), openai_chunk("euros."), openai_chunk(None, "stop"), "[DONE]"]


async def ask(answer: Callable[[Got], Sent], paths: Paths | None = None, **more: str) -> Answer:
    with RagServer(answer) as server:
        request = once(url=f"{server.url}/ask", body=ASKED, paths=paths, **more)
        async with HttpSystem(request) as system:
            return await system.answer(QUERY)


async def read(
    body: str, kind: str = SSE, paths: Paths | None = None, *, delimited: bool = True
) -> Answer:
    sent = Sent(body=body.encode(), headers={"content-type": kind}, delimited=delimited)
    return await ask(lambda _: sent, paths)


@pytest.mark.parametrize("delimited", [True, False])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (sse(*WHOLE), SSE),
        (sse(openai_chunk("450 "), openai_chunk("euros.", "stop")), SSE),
        (sse(openai_chunk("450 euros.", name="refusal"), openai_chunk(None, "stop")), SSE),
        (sse({"choices": [{"text": "450 euros.", "finish_reason": "stop"}]}, {"choices": []}), SSE),
        (": hello\n\n" + anthropic("450 ", "euros."), SSE),
        (anthropic("450 ", "euros.").replace("\n", "\r\n"), SSE),
        (RESPONSES, SSE),
        (sse(openai_chunk("450 euros."), "[DONE]"), "text/plain"),
        ('{"response": "450 ", "done": false}\n{"response": "euros.", "done": true}\n', NDJSON),
        ('{"message": {"content": "450 euros."}, "done": false}\n{"done": true}', NDJSON),
    ],
)  # fmt: skip
async def test_streams_of_providers_are_read_without_a_path(
    body: str, kind: str, delimited: bool
) -> None:
    answer = await read(body, kind, delimited=delimited)
    assert (answer.text, answer.status) == ("450 euros.", ResponseStatus.OK)


@pytest.mark.parametrize(
    ("body", "kind", "path"),
    [
        (sse({"delta": "450 "}, {"meta": 1}, {"delta": "euros."}), SSE, "delta"),
        (sse("450 ", "euros."), SSE, "$"),
        (sse("450 ", "euros.", "[DONE]"), SSE, "$"),
        (sse({"answer": "450"}, {"answer": "450 euros."}), SSE, "[-1].answer"),
        (sse({"k": "log", "t": "no"}, {"k": "t", "t": "450 euros."}), SSE, "$[?@.k == 't'].t"),
        ('{"delta": "450 "}\n\n{"delta": "euros."}\n', NDJSON, "delta"),
    ],
)  # fmt: skip
async def test_the_answer_path_is_followed_in_the_events(body: str, kind: str, path: str) -> None:
    assert (await read(body, kind, Paths(answer=path))).text == "450 euros."


async def test_contexts_may_come_in_an_event_of_their_own() -> None:
    body = sse({"sources": [{"id": "d#1", "text": "a"}, "b"]}, {"delta": "No."})
    paths = Paths(answer="delta", contexts="sources")
    answer = await read(body, paths=paths)
    assert answer.contexts == (Context(id="d#1", text="a"), Context(id=None, text="b"))
    with pytest.raises(TargetError, match="contexts_path 'sources' leads nowhere"):
        await read(sse({"delta": "No."}), paths=paths)


@pytest.mark.parametrize(
    ("body", "kind", "path", "delimited"),
    [
        (sse(*WHOLE[:2]), SSE, None, True),
        (sse(*WHOLE[:2]), SSE, "choices[0].delta.content", True),
        (sse(*WHOLE)[:90], SSE, None, True),
        (anthropic("I do not know.", last=False), SSE, None, True),
        (RESPONSES.rpartition("data:")[0], SSE, None, True),
        (sse({"delta": "I do not"}), SSE, "delta", False),
        (sse({"delta": "I do not"}) + 'data: {"delta": " kn', SSE, "delta", True),
        ('{"response": "I do", "done": false}\n', NDJSON, None, True),
        ('{"delta": "I do"}\n{"delta": " not', NDJSON, "delta", True),
    ],
)
async def test_an_interrupted_stream_is_not_an_answer(
    body: str, kind: str, path: str | None, delimited: bool
) -> None:
    with pytest.raises(TargetError, match="the stream broke off") as caught:
        await read(body, kind, Paths(answer=path) if path else None, delimited=delimited)
    assert caught.value.raw == body


async def test_a_stream_without_the_last_event_of_the_others_is_not_an_answer() -> None:
    bodies = [sse({"delta": "No."}), sse({"delta": "No."}, "[DONE]"), sse({"delta": "N"})]
    replies = [Sent(body=body.encode(), headers={"content-type": SSE}) for body in bodies]
    sent = iter(replies)
    with RagServer(lambda _: next(sent)) as server:
        request = once(url=f"{server.url}/ask", body=ASKED, paths=Paths(answer="delta"))
        async with HttpSystem(request) as system:
            for _ in range(2):
                assert (await system.answer(QUERY)).text == "No."
            with pytest.raises(TargetError, match="its last event is missing"):
                await system.answer(QUERY)


async def test_a_stream_whose_connection_breaks_is_not_an_answer() -> None:
    headers = {"content-type": SSE, "content-length": "999"}
    with pytest.raises(TargetError, match="the connection broke off"):
        await ask(lambda _: Sent(body=sse(*WHOLE).encode(), headers=headers))


@pytest.mark.parametrize(
    "body",
    [
        sse(openai_chunk("I do"), {"error": {"message": "overloaded"}}),
        anthropic("I do", last=False) + 'event: error\ndata: {"type": "overloaded"}\n\n',
        sse({"type": "response.failed", "response": {"error": "overloaded"}}),
        "event: error\ndata: overloaded\n\n",
    ],
)
async def test_an_error_in_a_stream_is_not_an_answer(body: str) -> None:
    with pytest.raises(TargetError, match=r"the stream ended with an error: .*overloaded"):
        await read(body)


@pytest.mark.parametrize(
    "body",
    [
        sse(openai_chunk("I "), openai_chunk(None, "content_filter"), "[DONE]"),
        anthropic("I ", reason="refusal"),
        sse({"error": {"code": "content_filter", "message": "filtered"}}),
    ],
)
async def test_a_filtered_stream_is_blocked(body: str) -> None:
    answer = await read(body)
    assert (answer.text, answer.status) == ("", ResponseStatus.BLOCKED)


@pytest.mark.parametrize(
    "body",
    [
        sse(openai_chunk("I do not "), openai_chunk(None, "length"), "[DONE]"),
        anthropic("I do not ", reason="max_tokens"),
    ],
)
async def test_a_stream_cut_off_at_the_token_limit_is_not_an_answer(body: str) -> None:
    with pytest.raises(TargetError, match="cut off at the model's limit of tokens"):
        await read(body)


@pytest.mark.parametrize("paths", [None, Paths(answer="text")])
async def test_a_stream_of_another_shape_asks_for_its_path(paths: Paths | None) -> None:
    with pytest.raises(TargetError, match=r"--answer-path: .*the first event is \{\"delta\": \"a"):
        await read(sse({"delta": "a"}), paths=paths)


async def test_a_chat_endpoint_may_stream() -> None:
    body: JsonValue = {"stream": True, "messages": [{"role": "user", "content": "{question}"}]}
    sent = Sent(body=sse(*WHOLE).encode(), headers={"content-type": SSE})
    with RagServer(lambda _: sent) as server:
        settings = once("openai:my-rag", url=f"{server.url}/v1", body=body)
        async with openai_chat_system(settings) as system:
            assert (await system.answer(QUERY)).text == "450 euros."


TRACES = [
    'Traceback (most recent call last):\n  File "app.py", line 1, in ask\nKeyError: 1',
    'Exception in thread "main" java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)',
    "TypeError: x is not a function\n    at answer (/app/index.js:3:5)",
    "panic: runtime error\n\ngoroutine 1 [running]:\nmain.main()",
]


@pytest.mark.parametrize("body", TRACES)
async def test_a_stack_trace_is_not_an_answer(body: str) -> None:
    with pytest.raises(TargetError, match="the reply is a stack trace"):
        await read(body, "text/plain")


def jobs(*later: Sent) -> Callable[[Got], Sent]:
    """Accept the question with 202, then give `later`, one at each poll."""
    replies = iter(later)

    def answer(got: Got) -> Sent:
        if got.method == "POST":
            return Sent(status=202, body={"job": {"href": "/jobs/7"}})
        assert (got.path, got.body) == ("/jobs/7", b"")
        return next(replies)

    return answer


@pytest.mark.parametrize(
    "waiting",
    [Sent(status=202), Sent(body={"status": "RUNNING"}), Sent(body={"state": "in-progress"})],
)
async def test_a_pending_answer_is_polled(waiting: Sent) -> None:
    ready = Sent(body={"status": "done", "answer": "450 euros."})
    answer = await ask(jobs(waiting, waiting, ready), poll_path="job.href")
    assert answer.text == "450 euros."


async def test_the_location_of_an_accepted_question_is_polled_with_its_headers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAG_TOKEN", "s3cret")
    with RagServer(lambda _: Sent(body={"answer": "Here."})) as elsewhere:
        places = {
            "/ask": Sent(status=202, headers={"location": "/jobs/7"}),
            "/jobs/7": Sent(status=303, headers={"location": f"{elsewhere.url}/results/7"}),
        }
        with RagServer(lambda got: places[got.path]) as server:
            request = once(
                url=f"{server.url}/ask", body=ASKED, headers={"Authorization": "Bearer $RAG_TOKEN"}
            )
            async with HttpSystem(request) as system:
                assert (await system.answer(QUERY)).text == "Here."
        assert [got.headers["authorization"] for got in server.requests] == ["Bearer s3cret"] * 2
        assert "authorization" not in elsewhere.requests[0].headers, "another host"


@pytest.mark.parametrize(
    ("later", "path", "message"),
    [
        (Sent(body={"status": "failed"}), "job.href", "its work ended as 'failed'"),
        (Sent(status=500), "job.href", "HTTP 500"),
        (Sent(), "job.url", "--poll-path 'job.url' leads nowhere"),
        (Sent(), None, "give --poll-path"),
    ],
)
async def test_an_answer_that_never_comes_is_an_error(
    later: Sent, path: str | None, message: str
) -> None:
    with pytest.raises(TargetError, match=message):
        await ask(jobs(later), poll_path=path)  # type: ignore[arg-type]


async def test_polling_ends_with_the_time_of_the_attempt() -> None:
    with RagServer(lambda _: Sent(status=202, headers={"location": "/jobs/7"})) as server:
        request = once(url=server.url, body=ASKED, timeout=0.7)
        async with HttpSystem(request) as system:
            with pytest.raises(TargetError, match="timed out"):
                await system.answer(QUERY)


def conversation(got: Got) -> Sent:
    """Answer with how many questions the session of the cookie was asked before."""
    before = int(got.headers.get("cookie", "seen=0").partition("=")[2])
    return Sent(body={"answer": f"{before} before"}, headers={"set-cookie": f"seen={before + 1}"})


async def test_no_query_is_asked_in_the_session_of_another() -> None:
    with RagServer(conversation) as server:
        request = once(url=f"{server.url}/ask", body=ASKED)
        async with HttpSystem(request) as system:
            answers = [await system.answer(unanswerable(number)) for number in range(3)]
    assert [answer.text for answer in answers] == ["0 before"] * 3


async def test_each_query_has_a_session_id_of_its_own() -> None:
    body: JsonValue = {"question": "{question}", "thread": ["{session}"]}
    with RagServer(lambda _: Sent(body={"answer": "Here."})) as server:
        request = once(
            url=f"{server.url}/ask?s={{session}}", body=body, headers={"X-Session": "{session}"}
        )
        async with HttpSystem(request) as system:
            for number in range(2):
                await system.answer(unanswerable(number))
        ids = [got.headers["x-session"] for got in server.requests]
        for got, session in zip(server.requests, ids, strict=True):
            assert got.path == f"/ask?s={session}"
            assert got.json["thread"] == [session]  # type: ignore[index]
    assert len(set(ids)) == 2


def sessions(got: Got) -> Sent:
    """Open a session with a cookie and an id; answer only within it, later."""
    if got.path == "/login":
        assert got.headers["authorization"] == "Bearer s3cret"
        return Sent(body={"session": {"id": 7}}, headers={"set-cookie": "sid=abc; Path=/"})
    if got.headers.get("cookie") != "sid=abc":
        return Sent(status=401)
    if got.method == "POST":
        assert got.path == "/sessions/7/ask"
        return Sent(status=202, headers={"location": "/sessions/7/answer"})
    return Sent(body={"answer": "450 euros."})


@pytest.mark.parametrize(
    ("path", "message"), [("session.id", None), ("session.name", "session_path 'session.name'")]
)
async def test_a_session_is_opened_before_each_query(
    path: str, message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_TOKEN", "s3cret")
    with RagServer(sessions) as server:
        request = once(
            url=f"{server.url}/sessions/{{session}}/ask",
            body=ASKED,
            headers={"Authorization": "Bearer $RAG_TOKEN"},
            session_url=f"{server.url}/login",
            session_path=path,
        )
        async with HttpSystem(request) as system:
            if message:
                with pytest.raises(TargetError, match=message):
                    await system.answer(QUERY)
                return
            answers = [await system.answer(unanswerable(number)) for number in range(2)]
    assert [answer.text for answer in answers] == ["450 euros."] * 2
    asked = [got.path for got in server.requests]
    assert asked == ["/login", "/sessions/7/ask", "/sessions/7/answer"] * 2


async def test_a_session_that_cannot_be_opened_is_an_error() -> None:
    with RagServer(lambda got: Sent(status=503 if got.path == "/login" else 200)) as server:
        request = once(url=f"{server.url}/ask", body=ASKED, session_url=f"{server.url}/login")
        async with HttpSystem(request) as system:
            with pytest.raises(TargetError, match=r"HTTP 503 from http:.*/login"):
                await system.answer(QUERY)
    assert [got.path for got in server.requests] == ["/login"]


def call(name: str | None, arguments: str) -> object:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": function}]}}]}


CALLED = [
    (
        {
            "choices": [
                {"message": {"tool_calls": [{"function": {"name": "find", "arguments": "{}"}}]}}
            ]
        },
        ("find({})",),
    ),
    (
        {"content": [{"type": "tool_use", "name": "find", "input": {"q": "ü"}}, {"type": "text"}]},
        ('find({"q": "ü"})',),
    ),
    (
        {"messages": [{"tool_calls": [{"type": "tool_call", "name": "find", "args": {}}]}]},
        ("find()",),
    ),
    ({"tools": [{"type": "function", "function": {"name": "find"}}]}, ()),
]


@pytest.mark.parametrize(("value", "calls"), CALLED)
async def test_tool_calls_are_recorded(value: dict[str, object], calls: tuple[str, ...]) -> None:
    answer = await ask(
        lambda _: Sent(body={"answer": "450 euros.", **value}), Paths(answer="answer")
    )
    assert (answer.text, answer.tool_calls) == ("450 euros.", calls)


async def test_the_pieces_of_a_streamed_tool_call_are_joined() -> None:
    events = [
        call("find", ""),
        call(None, '{"q": '),
        call(None, '"gate"}'),
        call("go", "{}"),
        *WHOLE,
    ]
    answer = await read(sse(*events))
    assert (answer.text, answer.tool_calls) == ("450 euros.", ('find({"q": "gate"})', "go({})"))
    started = {"type": "tool_use", "name": "find", "input": {}}
    pieces = [{"type": "input_json_delta", "partial_json": text} for text in ('{"q"', ": 1}")]
    used = sse(
        {"type": "content_block_start", "content_block": started},
        *({"type": "content_block_delta", "delta": piece} for piece in pieces),
    )
    assert (await read(used + anthropic("450 euros."))).tool_calls == ('find({"q": 1})',)
