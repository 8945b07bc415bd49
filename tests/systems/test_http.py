"""The user's own endpoint, over real HTTP."""

import asyncio
import gzip
import socket
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue
from tests.evaluation.records import unanswerable
from tests.servers.rag_server import Got, RagServer, Sent
from tests.systems.settings import configured

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError, TargetError
from uaeval.records import Context, ResponseStatus
from uaeval.systems import attempts
from uaeval.systems.extract import Paths
from uaeval.systems.http import HttpSystem
from uaeval.systems.openai import openai_chat_system
from uaeval.systems.system import Answer
from uaeval.text.conversation import Turn

ASKED: JsonValue = {"question": "{question}"}
SORRY = "I'm sorry, I can't answer that."
QUERY = unanswerable(1, question='Is "{question}" $HOME & <b>?')


async def ask(
    answer: Callable[[Got], Sent],
    *,
    request: EvaluationConfig | None = None,
    path: str = "/ask",
    paths: Paths | None = None,
) -> tuple[Answer, list[Got]]:
    with RagServer(answer) as server:
        wanted = (request or configured(body=ASKED, paths=paths)).model_copy(
            update={"url": server.url + path}
        )
        async with HttpSystem(wanted) as system:
            return await system.answer(QUERY), server.requests


def always(body: object, status: int = 200, **more: object) -> Callable[[Got], Sent]:
    return lambda _: Sent(body=body, status=status, **more)  # type: ignore[arg-type]


async def test_the_question_is_inserted_once_and_unchanged() -> None:
    body: JsonValue = {
        "q": "Please: {question}",
        "n": [1, {"again": "{question}"}],
        "user": "{name}",
    }
    answer, [got] = await ask(always({"answer": "No."}), request=configured(body=body))
    assert got.json == {
        "q": f"Please: {QUERY.question}",
        "n": [1, {"again": QUERY.question}],
        "user": "{name}",
    }
    assert (got.method, answer.text, answer.contexts) == ("POST", "No.", ())
    assert answer.latency_s is not None


async def test_earlier_turns_go_where_the_template_takes_them() -> None:
    turns = [{"role": "user", "content": "I lost my badge."}, {"role": "assistant", "content": "."}]
    query = replace(QUERY, history=(Turn(**turns[0]), Turn(**turns[1])))  # type: ignore[arg-type]
    body: JsonValue = {"q": "{question}", "before": "{history}", "all": [1, "{history}", [2]]}
    with RagServer(always({"answer": "No."})) as server:
        wanted = configured(url=server.url, body=body)
        async with HttpSystem(wanted) as system:
            await system.answer(query)
            await system.answer(QUERY)
        async with HttpSystem(wanted.model_copy(update={"body": ASKED})) as system:
            with pytest.raises(TargetError, match="the query has earlier turns; put"):
                await system.answer(query)
        assert [got.json for got in server.requests] == [
            {"q": QUERY.question, "before": turns, "all": [1, *turns, [2]]},
            {"q": QUERY.question, "before": [], "all": [1, [2]]},
        ]


async def test_a_get_asks_by_its_address() -> None:
    request = configured(method="GET", url="http://localhost?q={question}")
    _, [got] = await ask(always({"answer": "No."}), request=request, path="/ask?q={question}&k=3")
    assert got.path == "/ask?q=Is%20%22%7Bquestion%7D%22%20%24HOME%20%26%20%3Cb%3E%3F&k=3"
    assert (got.method, got.body) == ("GET", b"")


@pytest.mark.parametrize(
    ("paths", "body", "text", "contexts"),
    [
        (Paths(answer="data.says[-1]"), {"data": {"says": ["a", "b"]}}, "b", ()),
        (
            Paths(answer="$.answer", contexts="$.docs[*].text"),
            {"answer": "a", "docs": [{"text": "one"}, {"text": "two"}]},
            "a",
            (Context(id=None, text="one"), Context(id=None, text="two")),
        ),
        (
            Paths(answer="answer", contexts="docs"),
            {"answer": "a", "docs": [{"id": 7, "text": "one"}, "two"]},
            "a",
            (Context(id="7", text="one"), Context(id=None, text="two")),
        ),
        (Paths(answer="answer", contexts="docs[*].text"), {"answer": "a", "docs": []}, "a", ()),
        (Paths(answer="answer", contexts="docs"), {"answer": "a", "docs": None}, "a", ()),
        (
            Paths(answer="answer", contexts="doc"),
            {"answer": "a", "doc": "only"},
            "a",
            (Context(id=None, text="only"),),
        ),
        (None, "just a text", "just a text", ()),
        (None, b"plain words", "plain words", ()),
    ],
)
async def test_answer_and_contexts_are_found_where_the_paths_say(
    paths: Paths | None, body: object, text: str, contexts: tuple[Context, ...]
) -> None:
    answer, _ = await ask(always(body), paths=paths)
    assert (answer.text, answer.contexts) == (text, contexts)


TYPES = [
    ("text/plain", b"450 euros.", "450 euros."),
    ("text/plain; charset=utf-8", b"Not found.", "Not found."),
    ("text/plain", b"500 pages [1].", "500 pages [1]."),
    ("text/plain", b"[1] says: no.", "[1] says: no."),
    ("text/plain", b"A 502 Bad Gateway means that the proxy got no answer.", None),
    ("text/plain", b'{"answer": "No."}', "No."),
    ("text/plain; charset=latin-1", "für".encode("latin-1"), "für"),
    ("application/problem+json", b'{"answer": "No."}', "No."),
    ("Application/JSON;charset=UTF-8", b'\xef\xbb\xbf{"answer": "No."}', "No."),
    ("", b'{"answer": "No."}', "No."),
]


@pytest.mark.parametrize(("kind", "body", "text"), TYPES)
@pytest.mark.parametrize("packed", ["", "gzip", "deflate", "deflate, gzip"])
async def test_whole_replies_of_a_known_type_are_answers(
    kind: str, body: bytes, text: str | None, packed: str
) -> None:
    pack: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "deflate, gzip": lambda data: gzip.compress(zlib.compress(data)),
    }
    headers = {"content-type": kind, "content-encoding": packed}
    answer, [got] = await ask(always(pack[packed](body), headers=headers))
    assert answer.text == (text or body.decode())
    assert got.headers["accept-encoding"] == "gzip"


async def test_of_several_fields_that_may_be_the_answer_a_path_chooses() -> None:
    body = {"answer": "a", "response": "b", "sources": ["c"]}
    told = r"several fields that may be the answer \(answer, response\); give --answer-path"
    with pytest.raises(TargetError, match=told):
        await ask(always(body))
    answer, _ = await ask(always(body), paths=Paths(answer="response"))
    assert answer.text == "b"
    alone, _ = await ask(always({"answer": "a", "response": None, "session": "s"}))
    assert alone.text == "a"


@pytest.mark.parametrize("name", ["cut off", "gzip", "length"])
async def test_a_damaged_reply_is_asked_for_again(name: str) -> None:
    whole, packed = b'{"answer": "Here."}', gzip.compress(b'{"answer": "Here."}')
    json_type = {"content-type": "application/json"}
    faults = {
        "cut off": Sent(body=whole[:12], headers=json_type),
        "gzip": Sent(body=packed[:-9], headers={**json_type, "content-encoding": "gzip"}),
        "length": Sent(body=whole, headers={**json_type, "content-length": "99"}),
    }
    replies = iter([faults[name], Sent(body={"answer": "Here."})])
    answer, requests = await ask(lambda _: next(replies))
    assert (answer.text, len(requests)) == ("Here.", 2)


async def test_a_small_reply_that_unpacks_to_very_much_is_a_fault() -> None:
    packed = gzip.compress(b" " * 200_000_000)
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    with pytest.raises(TargetError, match="larger than 16 MB"):
        await ask(always(packed, headers=headers))


async def test_a_path_through_deep_json_is_a_fault_of_its_query() -> None:
    body = b'{"a":' * 400 + b"1" + b"}" * 400
    with pytest.raises(TargetError, match=r"'\$\.\.answer' cannot be applied"):
        await ask(
            always(body, headers={"content-type": "application/json"}),
            paths=Paths(answer="$..answer"),
        )


async def test_headers_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_RAG_AUTH", "s3cret-value")
    headers = {"Authorization": "Bearer $MY_RAG_AUTH", "X-Price": "$$5"}
    request = configured(body=ASKED, headers=headers)
    answer, [got] = await ask(
        lambda got: Sent(body={"answer": f"You sent {got.headers['authorization']}"}),
        request=request,
    )
    assert got.headers["authorization"] == "Bearer s3cret-value"
    assert got.headers["x-price"] == "$5"
    assert "s3cret" not in answer.text


def test_a_header_that_the_environment_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_RAG_AUTH", raising=False)
    request = configured(
        url="http://127.0.0.1/ask", headers={"Authorization": "Bearer $MY_RAG_AUTH"}
    )
    with pytest.raises(ConfigError, match="set MY_RAG_AUTH in the environment"):
        HttpSystem(request)
    monkeypatch.setenv("MY_RAG_AUTH", "clé\n")
    with pytest.raises(ConfigError, match="printable ASCII"):
        HttpSystem(request)


@pytest.mark.parametrize(
    "fault", [*(Sent(status=status) for status in (409, 425, 429, 503)), Sent(hang_up=True)]
)
async def test_temporary_failures_are_requested_again(fault: Sent) -> None:
    replies = iter([fault, fault, Sent(body={"answer": "Here."})])
    answer, requests = await ask(lambda _: next(replies))
    assert (answer.text, len(requests)) == ("Here.", 3)
    assert answer.latency_s is not None


async def test_a_requested_pause_is_kept() -> None:
    replies = iter(
        [Sent(status=429, headers={"retry-after-ms": "300"}), Sent(body={"answer": "Here."})]
    )
    started = asyncio.get_running_loop().time()
    answer, _ = await ask(lambda _: next(replies))
    assert asyncio.get_running_loop().time() - started >= 0.3
    assert answer.latency_s is not None
    assert answer.latency_s < 0.3, "the pause is not the system's time"


async def test_a_system_that_stays_broken_gives_no_response_and_what_it_said_is_kept() -> None:
    with pytest.raises(TargetError, match=r"http: HTTP 500 \(out of memory\)") as caught:
        await ask(always(b"out of memory", 500))
    assert caught.value.raw == "out of memory"


async def test_a_system_that_takes_too_long_gives_no_response() -> None:
    with (
        RagServer(always({"answer": "late"}, after_s=30)) as server,
        pytest.raises(TargetError, match=r"timed out: no whole answer within 0\.2 s"),
    ):
        slow = configured(url=server.url, body=ASKED, timeout=0.2, max_retries=1)
        async with HttpSystem(slow) as system:
            await system.answer(QUERY)
    assert len(server.requests) == 2


async def test_no_more_are_asked_at_once_than_are_allowed() -> None:
    with RagServer(always({"answer": "Yes."}, after_s=0.05)) as server:
        async with HttpSystem(configured(url=server.url, body=ASKED, concurrency=2)) as system:
            await asyncio.gather(*(system.answer(unanswerable(n)) for n in range(8)))
    assert (len(server.requests), server.peak) == (8, 2)


async def test_a_content_filter_is_no_refusal_and_no_failure() -> None:
    body = {"error": {"code": "content_filter", "message": "The response was filtered"}}
    answer, _ = await ask(always(body, 400))
    assert (answer.text, answer.status) == ("", ResponseStatus.BLOCKED)


MISFITS = [
    (Sent(body={"reply": "x"}), "answer_path 'answer' leads nowhere in the reply (an object"),
    (Sent(body=b"<html>", headers={"content-type": "text/html"}), "the reply is a web page"),
    (Sent(body={"answer": 7}), "the answer should be a text, got int"),
    (Sent(body=b"no such page", status=404), "HTTP 404 (no such page)"),
    (Sent(status=401), "HTTP 401"),
    (Sent(status=302, headers={"location": "/login"}), "HTTP 302"),
]


@pytest.mark.parametrize(("sent", "told"), MISFITS)
async def test_settings_that_never_fit_end_the_run_after_a_few_queries(
    sent: Sent, told: str
) -> None:
    with RagServer(lambda _: sent) as server:
        async with HttpSystem(configured(url=server.url, body=ASKED)) as system:
            for number in range(2):
                with pytest.raises(TargetError) as caught:
                    await system.answer(unanswerable(number))
                assert told in str(caught.value)
                assert caught.value.raw is not None, "it is no outage"
            with pytest.raises(ConfigError, match="nothing was answered so far") as refused:
                await system.answer(unanswerable(2))
    assert told in str(refused.value)


async def test_settings_that_fitted_in_an_earlier_session_are_not_at_fault(tmp_path: Path) -> None:
    with RagServer(always({"note": "moderated"})) as server:
        config = configured(url=server.url, body=ASKED).model_copy(update={"dataset": tmp_path})
        config.folder.mkdir(parents=True)
        (config.folder / "responses.jsonl").write_text("{}\n")
        async with HttpSystem(config) as system:
            for number in range(5):
                with pytest.raises(TargetError, match="leads nowhere"):
                    await system.answer(unanswerable(number))


@pytest.mark.parametrize(
    "reply",
    [
        {"error": {"message": "model overloaded"}, "answer": SORRY},
        {"success": False, "answer": SORRY},
        {"status": "error", "answer": SORRY},
    ],
)
async def test_a_reply_that_reports_an_error_is_not_an_answer(reply: dict[str, object]) -> None:
    with RagServer(always(reply)) as server:
        async with HttpSystem(configured(url=server.url, body=ASKED)) as system:
            with pytest.raises(TargetError, match="the reply reports an error"):
                await system.answer(QUERY)


async def test_an_error_that_names_a_content_filter_is_a_blocked_answer() -> None:
    error = {"error": {"code": "content_filter", "message": "stopped by the filter"}}
    with RagServer(always(error)) as server:
        async with HttpSystem(configured(url=server.url, body=ASKED)) as system:
            answer = await system.answer(QUERY)
    assert answer.status is ResponseStatus.BLOCKED


@pytest.mark.parametrize(
    "extra",
    [
        {"error": None},
        {"error": "none"},
        {"error": {"code": 0, "message": ""}},
        {"error": 0.03},
        {"success": True},
        {"status": "cancelled"},
        {"state": "Closed"},
    ],
)
async def test_a_reply_without_an_error_is_an_answer(extra: dict[str, object]) -> None:
    with RagServer(always({"answer": SORRY, **extra})) as server:
        async with HttpSystem(configured(url=server.url, body=ASKED)) as system:
            assert (await system.answer(QUERY)).text == SORRY


async def test_settings_that_fitted_before_are_not_at_fault() -> None:
    replies = iter([Sent(body={"answer": "a"}), *[Sent(body={"note": "moderated"})] * 5])
    with RagServer(lambda _: next(replies)) as server:
        async with HttpSystem(configured(url=server.url, body=ASKED)) as system:
            await system.answer(unanswerable(0))
            for number in range(5):
                with pytest.raises(TargetError, match="leads nowhere"):
                    await system.answer(unanswerable(number))


@pytest.mark.parametrize(
    ("docs", "told"),
    [
        ([1, 2], "each context should be a text"),
        ({"a": 1}, "each context should be a text"),
        (3, "should be a list of texts, got int"),
        ([{"title": "x"}], "got an object with title"),
    ],
)
async def test_contexts_that_are_no_text_are_a_fault(docs: object, told: str) -> None:
    with pytest.raises(TargetError) as caught:
        await ask(
            always({"answer": "a", "docs": docs}), paths=Paths(answer="answer", contexts="docs")
        )
    assert told in str(caught.value)


async def test_a_contexts_path_that_misses_is_a_fault() -> None:
    paths = Paths(answer="answer", contexts="docs[*].txt")
    with pytest.raises(TargetError, match="contexts_path 'docs"):
        await ask(always({"answer": "a", "docs": [{"text": "b"}]}), paths=paths)


def test_an_invalid_path_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"answer_path: 'a\.\.b\[' is not a JSON path"):
        Paths(answer="a..b[")


async def test_an_unreachable_url_gets_one_clear_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAG_KEY", "hidden")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setattr(attempts, "FIRST_PAUSE", 60)
    url = f"http://127.0.0.1:{port}/ask?key=$RAG_KEY"
    async with HttpSystem(configured(url=url, body=ASKED, max_retries=9)) as system:
        for _ in range(2):
            with pytest.raises(TargetError, match="no connection to"):
                await system.answer(QUERY)
        with pytest.raises(ConfigError, match="check the url") as refused:
            await system.answer(QUERY)
    assert "hidden" not in str(refused.value)


# --- chat endpoints ---------------------------------------------------------------------------


async def chat(
    sent: object, paths: Paths | None = None, **more: object
) -> tuple[Answer, list[Got]]:
    with RagServer(always(sent)) as server:
        settings = configured("openai:my-rag", url=f"{server.url}/v1", paths=paths, **more)
        async with openai_chat_system(settings) as system:
            assert system.name == "openai:my-rag"
            return await system.answer(QUERY), server.requests


def completion(finish: str = "stop", **message: Any) -> object:
    return {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish}]}


async def test_a_chat_endpoint_gets_the_question_as_the_users_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-$tart-0123456789")
    answer, [got] = await chat(completion(content="Two days."))
    assert got.path == "/v1/chat/completions"
    assert got.headers["authorization"] == "Bearer sk-$tart-0123456789"
    assert got.json == {
        "model": "my-rag",
        "messages": [{"role": "user", "content": QUERY.question}],
    }
    assert answer.text == "Two days."


async def test_a_chat_endpoint_gets_extra_fields_and_returns_its_passages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAG_KEY", "x$y")
    sent: dict[str, Any] = {"context": {"citations": [{"content": "Rule 1."}]}, "content": "Yes."}
    answer, [got] = await chat(
        completion(**sent),
        body={"messages": [{"role": "user", "content": "Q: {question}"}], "temperature": 0},
        headers={"api-key": "$RAG_KEY"},
        paths=Paths(
            answer="choices[0].message.content",
            contexts="choices[0].message.context.citations[*].content",
        ),
    )
    assert got.headers["api-key"] == "x$y"
    assert "authorization" not in got.headers
    assert answer.contexts == (Context(id=None, text="Rule 1."),)


async def test_a_refusal_is_an_answer_and_what_a_filter_stops_is_none() -> None:
    refused, _ = await chat(completion(content=None, refusal="I can't help with that."))
    assert (refused.text, refused.status) == ("I can't help with that.", ResponseStatus.OK)
    stopped, _ = await chat(completion("content_filter", content=""))
    assert (stopped.text, stopped.status) == ("", ResponseStatus.BLOCKED)


async def test_a_completion_cut_off_at_the_token_limit_is_not_an_answer() -> None:
    with pytest.raises(TargetError, match="cut off at the model's limit of tokens; raise"):
        await chat(completion("length", content="I do not"))


@pytest.mark.parametrize(
    "reason",
    [
        {"choices": [{"finish_reason": "length"}]},
        {"stop_reason": "max_tokens"},
        {"done_reason": "length"},
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        {"candidates": [{"finishReason": "MAX_TOKENS"}]},
        {"output": {"response_metadata": {"finish_reason": "length"}}},
    ],
)
async def test_a_providers_reply_cut_off_at_the_token_limit_is_not_an_answer(
    reason: dict[str, object],
) -> None:
    with pytest.raises(TargetError, match="cut off at the model's limit of tokens"):
        await ask(always({"answer": "I do not", **reason}))


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        (b'{"choices": [{"message": {"content": "I do', "application/json", "not valid JSON"),
        (b'data: {"choices": []}\n\n', "text/event-stream", "its last event is missing"),
        (b"upstream request timeout", "text/plain", "error message of a proxy"),
        (b"I do not know.", "text/plain", "leads nowhere in the reply"),
        (b'{"error": {"message": "overloaded"}}', "application/json", "reports an error"),
    ],
)
async def test_a_body_that_is_not_a_completion_is_not_an_answer(
    body: bytes, kind: str, told: str
) -> None:
    with pytest.raises(TargetError, match=told) as caught:
        await chat_bytes(body, kind)
    assert caught.value.raw == body.decode()


async def chat_bytes(body: bytes, kind: str) -> Answer:
    with RagServer(always(body, headers={"content-type": kind})) as server:
        settings = configured("openai:my-rag", url=f"{server.url}/v1")
        async with openai_chat_system(settings) as system:
            return await system.answer(QUERY)


def test_the_providers_own_endpoint_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        openai_chat_system(configured("openai:gpt-4.1-mini"))
