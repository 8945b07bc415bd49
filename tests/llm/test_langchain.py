import asyncio
import socket
from typing import Any

import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from tests.llm.conftest import Serve
from tests.scripted import identity
from tests.servers.openai_server import (
    Answer,
    Body,
    Fault,
    Said,
    broken_down,
    error,
    filtered_request,
    hang,
    malformed,
    out_of_quota,
    rate_limited,
    unauthorized,
    unsupported,
)

from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    RefusedError,
    ReplyError,
    RunAborted,
)
from uaeval.llm.endpoint.addresses import public_url
from uaeval.llm.endpoint.langchain import LangChainModel
from uaeval.llm.replies import RagAnswer, Written, YesNoJudgement
from uaeval.llm.usage import Usage, collect_usage
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "It is.", "label": "yes"}'
KEY = "sk-proj-AbCdEf0123456789"


def in_turn(*answers: Answer) -> "Turns":
    return Turns(list(answers))


class Turns:
    """Give each answer once, the last one for ever."""

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = answers

    def __call__(self, body: Body) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def judge(model: LangChainModel, question: str = "Is it?") -> YesNoJudgement:
    return await model.ask("test/judge", YesNoJudgement, identity, question=question)


async def test_a_reply_is_typed_and_the_request_carries_its_schema(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(in_turn(YES))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    assert await judge(model) == YesNoJudgement(rationale="It is.", label="yes")
    [body] = server.requests
    assert body["model"] == "small"
    assert body["temperature"] == 0
    assert body["messages"] == [
        {"role": "system", "content": "Judge. Reply as JSON."},
        {"role": "user", "content": "<question>Is it?</question>"},
    ]
    shape = body["response_format"]["json_schema"]
    assert (shape["name"], shape["strict"]) == ("YesNoJudgement", True)
    assert shape["schema"]["additionalProperties"] is False
    assert shape["schema"]["required"] == ["rationale", "label"]


async def test_a_local_endpoint_needs_no_key(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(YES))
    await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    assert server.keys == ["Bearer no-key-needed"]


async def test_the_key_is_read_from_the_environment(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = serve(in_turn(YES))
    await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    assert server.keys == [f"Bearer {KEY}"]


async def test_nullable_parts_are_required_in_the_schema(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(in_turn('{"declined": "nothing to ask", "draft": null}'))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    written = await model.ask("test/write", Written[NonsensicalDraft], identity, question="?")
    assert written.declined == "nothing to ask"
    schema = server.requests[0]["response_format"]["json_schema"]
    assert schema["name"] == "Written_NonsensicalDraft"
    assert schema["schema"]["required"] == ["declined", "draft"]


@pytest.mark.parametrize("lacking", [{"json_schema"}, {"json_schema", "json_object"}])
async def test_a_feature_that_an_endpoint_lacks_is_not_requested_again(
    prompts: PromptLibrary, serve: Serve, lacking: set[str]
) -> None:
    def answer(body: Body) -> Answer:
        kind = body.get("response_format", {}).get("type")
        return unsupported(kind) if kind in lacking else YES

    server = serve(answer)
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    await asyncio.gather(judge(model, "one"), judge(model, "two"))
    before = len(server.requests)
    await judge(model, "three")
    assert len(server.requests) == before + 1
    last = server.requests[-1]
    assert ("response_format" in last) == ("json_object" not in lacking)
    assert '"enum": ["yes", "no", "undecided"]' in last["messages"][0]["content"]


async def test_an_endpoint_without_schemas_gives_no_warning(
    prompts: PromptLibrary, serve: Serve
) -> None:
    told = (
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this "
        "model. Learn more about supported models at the Structured Outputs guide"
    )
    server = serve(lambda body: error(400, told) if _has_schema(body) else YES)
    assert (await judge(LangChainModel("openai:m", prompts, base_url=server.url))).label == "yes"


def _has_schema(body: Body) -> bool:
    return bool(body.get("response_format", {}).get("type") == "json_schema")


async def test_a_request_to_the_responses_api_carries_the_schema_too(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: "{}")
    with pytest.raises(ModelError):
        await judge(LangChainModel("openai:gpt-5-pro", prompts, base_url=server.url, max_retries=0))
    [body] = server.requests
    assert body["text"]["format"]["schema"]["required"] == ["rationale", "label"]


async def test_a_model_that_takes_no_temperature_is_called_without(
    prompts: PromptLibrary, serve: Serve
) -> None:
    told = "Unsupported value: 'temperature' does not support 0 with this model."
    server = serve(lambda body: error(400, told) if "temperature" in body else YES)
    model = LangChainModel("openai:m", prompts, base_url=server.url)
    assert [(await judge(model)).label for _ in range(2)] == ["yes", "yes"]
    assert len(server.requests) == 3


async def test_an_unreadable_reply_is_repaired_once(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn('{"rationale": "r", "label": "perhaps"}', YES))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    with collect_usage() as collected:
        assert (await judge(model)).label == "yes"
    _, _, said, order = server.requests[1]["messages"]
    assert said == {"role": "assistant", "content": '{"rationale": "r", "label": "perhaps"}'}
    assert "label: Input should be 'yes', 'no' or 'undecided', got 'perhaps'" in order["content"]
    assert sum(collected, Usage()) == Usage(calls=2, prompt_tokens=22, completion_tokens=14)


async def test_a_reply_that_cannot_be_parsed_is_repaired_once(
    prompts: PromptLibrary, serve: Serve
) -> None:
    def parse(reply: YesNoJudgement) -> str:
        if reply.label == "no":
            raise ReplyError("there is nothing to deny")
        return reply.label

    no = '{"rationale": "It is not.", "label": "no"}'
    server = serve(in_turn(no, YES, no))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    assert await model.ask("test/judge", YesNoJudgement, parse, question="Is it?") == "yes"
    assert server.requests[1]["messages"][2] == {"role": "assistant", "content": no}
    assert "there is nothing to deny" in server.requests[1]["messages"][3]["content"]
    with pytest.raises(ReplyError, match="after one repair: there is nothing to deny"):
        await model.ask("test/judge", YesNoJudgement, parse, question="Is it?")
    assert len(server.requests) == 4


async def test_a_reply_that_stays_unreadable_is_an_error_with_its_beginning(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(in_turn("I would rather not." + "x" * 500))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    with pytest.raises(ReplyError, match=r"after one repair.*I would rather not\.x{181}'…"):
        await judge(model)
    assert len(server.requests) == 2


async def test_the_text_of_an_unreadable_reply_is_kept_whole_without_keys(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(in_turn(f"The key is {KEY} and" + " so" * 500))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    with pytest.raises(ReplyError) as caught:
        await judge(model)
    assert caught.value.raw == "The key is [key] and" + " so" * 500
    assert KEY not in str(caught.value)


async def test_a_reply_cut_off_at_the_limit_says_so(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(Said(content='{"rationale": "It', finish_reason="length")))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    with (
        collect_usage() as collected,
        pytest.raises(ReplyError, match="cut off at the token limit; raise"),
    ):
        await judge(model)
    assert sum(collected, Usage()).calls == 2


async def test_a_wrong_key_stops_the_run_and_is_not_shown(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-of-the-usual-form-42")
    for shown in (KEY, "sk-proj-********6789", "not-of-the-usual-form-42"):
        server = serve(in_turn(unauthorized(shown)))
        model = LangChainModel("openai:small", prompts, base_url=server.url)
        with pytest.raises(RunAborted, match="Set the right API key") as caught:
            await judge(model)
        assert server.url in str(caught.value)
        assert shown not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (out_of_quota(), "quota is used up"),
        (error(402, "Insufficient Balance"), "quota is used up"),
        (error(403, "Project has no access"), "Use another key or model"),
        (error(404, "The model `small` does not exist"), "Check the model's name"),
    ],
)
async def test_permanent_errors_stop_the_run(
    prompts: PromptLibrary, serve: Serve, fault: Answer, says: str
) -> None:
    server = serve(in_turn(fault))
    model = LangChainModel("openai:small", prompts, base_url=server.url, max_retries=1)
    with pytest.raises(RunAborted, match=says):
        await judge(model)


@pytest.mark.parametrize(
    "fault",
    [
        filtered_request(),
        Said(content=None, finish_reason="content_filter"),
        Said(content='{"rationale":', finish_reason="content_filter"),
    ],
)
async def test_a_content_filter_is_a_block_and_no_reply(
    prompts: PromptLibrary, serve: Serve, fault: Answer
) -> None:
    server = serve(in_turn(fault))
    with pytest.raises(BlockedError, match="content filter"):
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    assert len(server.requests) == 1


async def test_a_content_filter_is_seen_without_structured_output_too(
    prompts: PromptLibrary, serve: Serve
) -> None:
    def answer(body: Body) -> Answer:
        kind = body.get("response_format", {}).get("type")
        return unsupported(kind) if kind else Said(content="", finish_reason="content_filter")

    server = serve(answer)
    with pytest.raises(BlockedError):
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))


async def test_a_models_own_refusal_keeps_its_words(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(Said(content=None, refusal="I cannot help with that.")))
    with pytest.raises(RefusedError, match="the model refused: I cannot help") as caught:
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    assert caught.value.text == "I cannot help with that."
    assert len(server.requests) == 1


async def test_an_answer_to_a_user_may_come_as_plain_text(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(in_turn("I can't help with that."))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    reply = await model.ask("test/judge", RagAnswer, identity, question="How do I forge a badge?")
    assert reply.answer == "I can't help with that."
    assert len(server.requests) == 1


async def test_a_bug_of_ours_is_not_called_a_failing_model(
    prompts: PromptLibrary, serve: Serve
) -> None:
    class Unserialisable(YesNoJudgement):
        """A reply whose schema is not JSON."""

        @classmethod
        def model_json_schema(cls, *_: object, **__: object) -> dict[str, Any]:
            return {"type": object()}

    model = LangChainModel("openai:small", prompts, base_url=serve(in_turn(YES)).url)
    with pytest.raises(TypeError, match="not JSON serializable"):
        await model.ask("test/judge", Unserialisable, identity, question="Is it?")


async def test_rate_limits_and_server_errors_are_retried(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(in_turn(rate_limited(), broken_down(), rate_limited(), YES))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    assert (await judge(model)).label == "yes"
    assert len(server.requests) == 4


@pytest.mark.parametrize("fault", [rate_limited(), broken_down()])
async def test_retries_end(prompts: PromptLibrary, serve: Serve, fault: Answer) -> None:
    server = serve(in_turn(fault))
    with pytest.raises(ModelError, match=r"HTTP (429|500)"):
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    assert len(server.requests) == 5


async def test_an_endpoint_that_hangs_is_an_error(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(hang(30)))
    model = LangChainModel("openai:small", prompts, base_url=server.url, timeout=0.1, max_retries=0)
    with pytest.raises(ModelError, match="timed out"):
        await judge(model)


async def test_an_unreachable_endpoint_is_an_error(prompts: PromptLibrary) -> None:
    model = LangChainModel("openai:small", prompts, base_url="http://127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9/v1"):
        await judge(model)


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"choices": null}',
        b'{"choices": []}',
        b'{"choices": ""}',
        b'{"choices": [{"message": {"role": "user", "content": "?"}}]}',
        b"[]",
        b"",
        b"null",
        b'"?"',
        b"{",
    ],
)
@pytest.mark.parametrize("structured", [True, False])
async def test_a_body_of_another_shape_is_an_error(
    prompts: PromptLibrary, serve: Serve, body: bytes, structured: bool
) -> None:
    def answer(asked: Body) -> Answer:
        kind = asked.get("response_format", {}).get("type")
        return unsupported(kind) if kind and not structured else Fault(body=body)

    server = serve(answer)
    with pytest.raises(ModelError):
        await judge(LangChainModel("openai:s", prompts, base_url=server.url, max_retries=0))


async def test_a_web_page_is_an_error(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(malformed()))
    with pytest.raises(ModelError):
        await judge(LangChainModel("openai:s", prompts, base_url=server.url, max_retries=0))


async def test_cached_tokens_are_counted(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(Said(content=YES, cached_tokens=5)))
    with collect_usage() as collected:
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    expected = Usage(calls=1, prompt_tokens=11, completion_tokens=7, cached_tokens=5)
    assert sum(collected, Usage()) == expected


async def test_a_call_without_reported_tokens_says_so(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(Said(content=YES, prompt_tokens=None)))
    with collect_usage() as collected:
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))
    assert sum(collected, Usage()) == Usage(calls=1, without_usage=1)


async def test_nothing_is_traced_even_where_tracing_is_switched_on(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(in_turn(YES))
    with socket.create_server(("127.0.0.1", 0)) as tracer:
        tracer.setblocking(False)
        address = f"http://127.0.0.1:{tracer.getsockname()[1]}"
        for name in ("LANGSMITH_ENDPOINT", "LANGSMITH_GATEWAY"):
            monkeypatch.setenv(name, address)
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2_key")
        await judge(LangChainModel("openai:small", prompts, base_url=server.url))
        wait_for_all_tracers()
        with pytest.raises(BlockingIOError):
            tracer.accept()
    assert len(server.requests) == 1


def test_one_model_serves_several_event_loops(prompts: PromptLibrary, serve: Serve) -> None:
    server = serve(in_turn(YES))
    model = LangChainModel("openai:small", prompts, base_url=server.url)
    assert [asyncio.run(judge(model)).label for _ in range(2)] == ["yes", "yes"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("openai", "write `offline` or provider:model"),
        ("openai:", "write `offline` or provider:model"),
        ("nobody:x", "unknown provider 'nobody'; use one of: anthropic,"),
        ("groq:x", r'pip install "uaeval\[groq\]"'),
        ("deepseek:x", "pip install langchain-deepseek"),
        ("openai:gpt-4.1-mini", "set OPENAI_API_KEY in the environment"),
        ("anthropic:claude", "set ANTHROPIC_API_KEY in the environment"),
    ],
)
def test_a_name_that_cannot_be_built_says_what_to_do(
    prompts: PromptLibrary, name: str, says: str
) -> None:
    with pytest.raises(ConfigError, match=says):
        LangChainModel(name, prompts)


def test_settings_that_make_no_sense_are_refused(prompts: PromptLibrary) -> None:
    with pytest.raises(ConfigError, match="http://localhost"):
        LangChainModel("openai:x", prompts, base_url="localhost:8000")


def test_credentials_in_an_address_stay_out_of_messages() -> None:
    assert public_url("https://me:pw@h:8/v1/?token=t") == "https://h:8/v1"
