"""RateLimiter, attempts and their counts, over real HTTP."""

import asyncio
import gzip
import itertools
import json
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from unittest.mock import MagicMock

import httpx
import pytest
from langchain_core.messages import AIMessage
from tests.llm.conftest import Serve
from tests.scripted import identity
from tests.servers.chat_server import ChatServer, Plan
from tests.servers.openai_server import (
    Answer,
    Body,
    Fault,
    OpenAIServer,
    Said,
    broken_down,
    completion,
    cut_short,
    error,
    hang,
    malformed,
    rate_limited,
    slow,
    trickling,
)

from uaeval.errors import ModelError, RunAborted
from uaeval.http_replies import LARGEST_REPLY
from uaeval.llm.endpoint.chat_client import DirectChatOpenAI
from uaeval.llm.endpoint.langchain import LangChainModel
from uaeval.llm.endpoint.rate_limiter import RateLimiter
from uaeval.llm.replies import Reply, YesNoJudgement, reply_format
from uaeval.llm.usage import Usage, collect_usage
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "r", "label": "yes"}'
PACKED = {"content-encoding": "gzip"}


def first(*answers: Answer) -> Callable[[Body], Answer]:
    """Give these answers in turn, then good ones."""
    turns = itertools.chain(answers, itertools.repeat(YES))
    return lambda _: next(turns)


async def ask(model: LangChainModel, times: int = 1) -> None:
    """Ask several questions at once; each has to be answered."""
    asked = [
        model.ask("test/judge", YesNoJudgement, identity, question=f"Is it {number}?")
        for number in range(times)
    ]
    assert [reply.label for reply in await asyncio.gather(*asked)] == ["yes"] * times


# --- rates --------------------------------------------------------------------------------------


async def test_requests_are_spread_over_the_minute(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(first())
    pace = RateLimiter(requests_per_minute=300)  # one in 200 ms
    await ask(
        LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace),
        times=5,
    )
    assert server.times[-1] - server.times[0] > 0.5


async def test_tokens_are_charged_as_they_were_used_once_that_is_known(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(first())
    # The server tells of 18 tokens in each call; over 300 are thought to be needed.
    pace = RateLimiter(tokens_per_minute=1200 * 18)
    async with asyncio.timeout(5):  # by the estimate alone it would take 7 s
        await ask(
            LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace),
            times=9,
        )
    assert server.times[-1] - server.times[0] > 0.3
    assert server.peak == 1


async def test_every_character_of_japanese_needs_a_token(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(first())
    permit = MagicMock(side_effect=(pace := RateLimiter()).permit)
    monkeypatch.setattr(pace, "permit", permit)
    model = LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace)
    await model.complete([("user", "休暇" * 500)], reply_format(Reply))
    ((tokens, _), _) = permit.call_args
    assert tokens == 1000 + 300


async def test_retries_keep_the_rate_limit_too(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(first(*[error(500, "oops", headers={"retry-after-ms": "1"})] * 4))
    pace = RateLimiter(requests_per_minute=600)  # one in 100 ms
    await ask(LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace))
    assert server.times[-1] - server.times[0] > 0.2


# --- concurrency --------------------------------------------------------------------------------


async def test_no_more_calls_than_needed_are_in_flight(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: slow(YES, 0.02))
    pace = RateLimiter(concurrency=3)
    await ask(
        LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace),
        times=12,
    )
    assert server.peak == 3


async def test_concurrency_drops_to_what_the_endpoint_allows_and_grows_again(
    prompts: PromptLibrary, serve: Serve
) -> None:
    bears = 2
    allowed: list[int] = []

    def answer(_: Body) -> Answer:
        allowed.append(pace.allowed)
        return slow(YES, 0.01) if server.under_way <= bears else rate_limited(5)

    server = serve(answer)
    pace = RateLimiter(concurrency=8, backoff=0.01)
    model = LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace)
    with collect_usage() as collected:
        await ask(model, times=20)
    used = sum(collected, Usage())
    assert used.rate_limited > 0
    assert used.calls == len(server.requests) == 20 + used.retries
    assert min(allowed) <= 4
    bears = 8
    await ask(model, times=60)
    assert pace.allowed == 8
    assert server.peak <= 8


async def test_calls_that_were_in_flight_together_halve_it_once() -> None:
    pace = RateLimiter(concurrency=100)
    async with AsyncExitStack() as stack:
        turns = [await stack.enter_async_context(pace.permit(0)) for _ in range(8)]
        for turn in turns:
            pace.record_overload(turn)
        assert pace.allowed == 4  # half of what was under way, not of what might be
        for turn in turns:
            pace.record_success(turn, None)
        assert pace.allowed == 5


# --- waiting ------------------------------------------------------------------------------------


async def test_retry_after_pauses_all_calls(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(first(rate_limited(400), slow(YES, 0.05)))
    pace = RateLimiter(concurrency=2)
    await ask(
        LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace),
        times=5,
    )
    begun, _, *later = server.times
    assert len(later) == 4
    assert min(later) - begun >= 0.4


async def test_an_endpoint_that_asks_for_hours_stops_the_run(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(first(error(429, "Daily limit", headers={"retry-after": "7200"})))
    with pytest.raises(
        RunAborted, match=r"asked to retry after 7200 s \(Retry-After\); run again then"
    ):
        await ask(LangChainModel("openai:m", prompts, base_url=server.url))


async def test_retry_waits_are_random_and_grow(
    prompts: PromptLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[float] = []

    async def send(*_: object, **__: object) -> AIMessage:
        sent.append(time.monotonic())
        raise ConnectionResetError

    monkeypatch.setattr(DirectChatOpenAI, "ainvoke", send)
    pace = RateLimiter(backoff=0.02)
    model = LangChainModel(
        "openai:m", prompts, base_url="http://h/v1", max_retries=5, rate_limiter=pace
    )
    for _ in range(3):
        with pytest.raises(ModelError, match="ConnectionResetError"):
            await ask(model)
    waits = [[sent[6 * n + i + 1] - sent[6 * n + i] for i in range(5)] for n in range(3)]
    assert len({round(wait, 4) for each in waits for wait in each}) > 10
    for each in waits:
        assert all(wait < 0.02 * 2**number + 0.05 for number, wait in enumerate(each))


# --- attempts -----------------------------------------------------------------------------------


async def test_a_reply_may_take_longer_than_the_default_limit_of_the_client(
    prompts: PromptLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openai._base_client.DEFAULT_TIMEOUT", httpx.Timeout(0.1))
    with ChatServer() as server:
        server.follow(Plan(latency_s=0.5))
        model = LangChainModel("openai:m", prompts, base_url=server.url, timeout=5)
        with collect_usage() as collected:
            await ask(model)
    assert sum(collected, Usage()).calls == 1


@pytest.mark.parametrize("fault", [hang(5), trickling(YES, 5)])
async def test_a_call_that_takes_too_long_is_ended_and_made_again(
    prompts: PromptLibrary, serve: Serve, fault: Answer
) -> None:
    server = serve(first(fault))
    pace = RateLimiter(backoff=0.01)
    model = LangChainModel("openai:m", prompts, base_url=server.url, timeout=0.3, rate_limiter=pace)
    with collect_usage() as collected:
        await ask(model)
    assert sum(collected, Usage()) == Usage(
        calls=2, retries=1, timeouts=1, prompt_tokens=11, completion_tokens=7
    )


@pytest.mark.parametrize(
    "fault",
    [
        error(408, "slow"),
        error(409, "conflict"),
        broken_down(),
        malformed(),
        cut_short(YES),
        error(200, "told in the body of a 200"),
        Fault(body=b"[" * 90_000),
    ],
)
async def test_temporary_failures_are_retried(
    prompts: PromptLibrary, serve: Serve, fault: Answer
) -> None:
    server = serve(first(fault))
    pace = RateLimiter(backoff=0.01)
    await ask(LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace))
    assert len(server.requests) == 2
    assert server.requests[0] == server.requests[1]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
async def test_a_reply_beyond_the_limit_is_read_no_further(
    prompts: PromptLibrary, serve: Serve, packed: bool
) -> None:
    body = b" " * (2 * LARGEST_REPLY)
    fault = Fault(
        body=gzip.compress(body) if packed else body,
        headers=PACKED if packed else {},
    )
    url = serve(lambda _: fault).url
    with pytest.raises(ModelError, match="the reply is larger than 16 MB"):
        await ask(LangChainModel("openai:m", prompts, base_url=url, max_retries=0))


@pytest.mark.parametrize("tokens", [[1], "many", -3, 10**30, None])
async def test_impossible_token_counts_are_ignored(
    prompts: PromptLibrary, serve: Serve, tokens: object
) -> None:
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    body = completion(Said(content=YES)) | {"usage": dict.fromkeys(names, tokens)}
    url = serve(lambda _: Fault(body=json.dumps(body).encode())).url
    with collect_usage() as collected:
        await ask(LangChainModel("openai:m", prompts, base_url=url, max_retries=0))
    used = sum(collected, Usage())
    assert (used.prompt_tokens, used.completion_tokens) == (0, 0)


async def test_a_lone_surrogate_in_a_reply_can_be_repaired(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(first(Said(content='{"rationale": "\ud800')))
    await ask(LangChainModel("openai:m", prompts, base_url=server.url, max_retries=0))
    assert server.requests[1]["messages"][2]["content"] == '{"rationale": "\ufffd'


async def test_a_compressed_reply_is_read(prompts: PromptLibrary, serve: Serve) -> None:
    good = trickling(YES, 0)
    server = serve(lambda _: Fault(body=gzip.compress(good.body), headers=PACKED))
    await ask(LangChainModel("openai:m", prompts, base_url=server.url, max_retries=0))


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
async def test_permanent_errors_are_not_retried(
    prompts: PromptLibrary, serve: Serve, status: int
) -> None:
    server = serve(first(error(status, "told")))
    with pytest.raises((ModelError, RunAborted)):
        await ask(LangChainModel("openai:m", prompts, base_url=server.url))
    assert len(server.requests) == 1


async def test_every_request_is_counted_and_nobody_else_tries_again(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: rate_limited(1))
    model = LangChainModel("openai:m", prompts, base_url=server.url, max_retries=2)
    with collect_usage() as collected, pytest.raises(ModelError, match="HTTP 429"):
        await ask(model)
    assert len(server.requests) == 3
    assert sum(collected, Usage()) == Usage(calls=3, retries=2, rate_limited=3)


# --- an endpoint that is not there --------------------------------------------------------------


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


async def test_an_endpoint_that_stays_unreachable_stops_the_run(prompts: PromptLibrary) -> None:
    url = f"http://127.0.0.1:{_free_port()}/v1"
    pace = RateLimiter(backoff=0.1, patience=1.0)
    model = LangChainModel(
        "openai:m", prompts, base_url=url, timeout=9, max_retries=9, rate_limiter=pace
    )
    says = r"no connection for 1 s: openai \(http://127.*/v1\): .*Conn.*base_url"
    with collect_usage() as collected, pytest.raises(RunAborted, match=says):
        await ask(model, times=8)
    assert sum(collected, Usage()).calls < 8 + 8  # all at once, then one at a time


async def test_an_endpoint_that_recovers_costs_no_call(prompts: PromptLibrary) -> None:
    port = _free_port()
    model = LangChainModel("openai:m", prompts, base_url=f"http://127.0.0.1:{port}/v1")
    asked = asyncio.create_task(ask(model, times=4))
    await asyncio.sleep(0.3)
    with OpenAIServer(first(), port=port) as server:
        await asked
        assert len(server.requests) == 4


def test_a_rate_limiter_outlives_its_event_loop(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(first())
    pace = RateLimiter(concurrency=1)
    model = LangChainModel("openai:m", prompts, base_url=server.url, rate_limiter=pace)
    for _ in range(2):
        asyncio.run(ask(model, times=4))
    assert server.peak == 1


# --- an endpoint that takes requests and answers none -------------------------------------------


async def test_an_endpoint_that_answers_nothing_stops_the_run_after_two_timeouts(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: hang(5))
    pace = RateLimiter(concurrency=4, backoff=0.01)
    model = LangChainModel("openai:m", prompts, base_url=server.url, timeout=0.3, rate_limiter=pace)
    asked = [model.ask("test/judge", YesNoJudgement, identity, question=str(n)) for n in range(30)]
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert len(server.requests) <= 3 * 4
    assert {type(one) for one in ended} == {RunAborted}
    said = str(ended[0])
    assert "requests in a row got no answer: openai (" in said
    assert server.url in said
    assert "timed out: no whole reply within 0.3 s" in said


async def test_a_question_that_always_hangs_is_a_failure_and_stops_no_run(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda body: hang(5) if "Is it bad?" in str(body["messages"]) else YES)
    pace = RateLimiter(concurrency=1, backoff=0.01)
    model = LangChainModel("openai:m", prompts, base_url=server.url, timeout=0.1, rate_limiter=pace)
    for _ in range(2):
        with pytest.raises(ModelError, match="timed out"):
            await model.ask("test/judge", YesNoJudgement, identity, question="Is it bad?")
    await ask(model, times=3)
    with pytest.raises(ModelError, match="timed out"):
        await model.ask("test/judge", YesNoJudgement, identity, question="Is it bad?")


async def test_an_error_is_an_answer_and_ends_a_silence(
    prompts: PromptLibrary, serve: Serve
) -> None:
    turns = itertools.cycle([hang(5), error(500, "oops", headers={"retry-after-ms": "1"})])
    server = serve(lambda _: next(turns))
    pace = RateLimiter(concurrency=1, backoff=0.01)
    model = LangChainModel("openai:m", prompts, base_url=server.url, timeout=0.1, rate_limiter=pace)
    for number in range(4):
        with pytest.raises(ModelError):
            await model.ask("test/judge", YesNoJudgement, identity, question=str(number))
