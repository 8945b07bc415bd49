"""Anthropic's and Ollama's own clients, against endpoints that speak their HTTP shapes."""

import asyncio
import gc
import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.scripted import identity
from tests.servers.openai_server import (
    Answer,
    Body,
    Fault,
    OpenAIServer,
    Said,
    anthropic_message,
    ollama_chat,
)

from uaeval.errors import BlockedError, ModelError, ReplyError, RunAborted
from uaeval.knowledge.readers.archives import OFFICE
from uaeval.knowledge.reading import INDEXES
from uaeval.llm.endpoint.addresses import NO_KEY, PROVIDERS
from uaeval.llm.endpoint.langchain import LangChainModel
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.usage import Usage, collect_usage
from uaeval.prompts import PromptLibrary
from uaeval.run.ray_cluster import EXTRA as RAY
from uaeval.systems.retrieval import EXTRA

YES = '{"rationale": "It is.", "label": "yes"}'
KEY = "sk-ant-AbCdEf0123456789"
NAMES = {"anthropic": "anthropic:claude-opus-5", "ollama": "ollama:llama3.2:3b"}
SHAPES = {"anthropic": anthropic_message, "ollama": ollama_chat}

Serve: TypeAlias = Callable[[str, Callable[[Body], Answer]], OpenAIServer]
both = pytest.mark.parametrize("provider", ["anthropic", "ollama"])


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda provider, answer: stack.enter_context(
            OpenAIServer(answer, shape=SHAPES[provider])
        )


def built(prompts: PromptLibrary, server: OpenAIServer, provider: str) -> LangChainModel:
    url = server.url.removesuffix("/v1")
    return LangChainModel(NAMES[provider], prompts, base_url=url, max_retries=0)


async def judge(model: LangChainModel) -> YesNoJudgement:
    return await model.ask("test/judge", YesNoJudgement, identity, question="Is it?")


def told(status: int, message: str) -> Fault:
    """Answer with an error in a form that both providers' clients read."""
    error = {"type": "error", "error": {"type": "some_error", "message": message}}
    return Fault(status=status, body=json.dumps(error).encode())


async def test_a_request_to_anthropic_carries_the_schema_and_the_reply_is_typed(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    server = serve("anthropic", lambda _: Said(content=YES, cached_tokens=5))
    model = built(prompts, server, "anthropic")
    with collect_usage() as collected:
        assert (await judge(model)).label == "yes"
    [body] = server.requests
    assert body["model"] == "claude-opus-5"
    assert body["system"] == "Judge. Reply as JSON."
    assert body["messages"] == [{"role": "user", "content": "<question>Is it?</question>"}]
    assert body["output_config"]["format"]["schema"]["required"] == ["rationale", "label"]
    assert server.keys == [f"Bearer {KEY}"]
    expected = Usage(calls=1, prompt_tokens=11, completion_tokens=7, cached_tokens=5)
    assert sum(collected, Usage()) == expected


async def test_a_request_to_ollama_carries_the_schema_and_the_reply_is_typed(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve("ollama", lambda _: YES)
    model = built(prompts, server, "ollama")
    with collect_usage() as collected:
        assert (await judge(model)).label == "yes"
    [body] = server.requests
    assert body["model"] == "llama3.2:3b"
    assert body["options"]["temperature"] == 0
    assert body["format"]["required"] == ["rationale", "label"]
    assert sum(collected, Usage()) == Usage(calls=1, prompt_tokens=11, completion_tokens=7)


@both
async def test_an_endpoint_at_base_url_needs_no_key(
    prompts: PromptLibrary, serve: Serve, provider: str
) -> None:
    server = serve(provider, lambda _: YES)
    await judge(built(prompts, server, provider))
    assert server.keys == [f"Bearer {NO_KEY}" if provider == "anthropic" else ""]


@both
async def test_an_endpoint_without_schemas_gets_the_shape_in_words(
    prompts: PromptLibrary, serve: Serve, provider: str
) -> None:
    def answer(body: Body) -> Answer:
        held = body.get("output_config") or isinstance(body.get("format"), dict)
        return told(400, "this model does not support structured output") if held else YES

    server = serve(provider, answer)
    model = built(prompts, server, provider)
    assert [(await judge(model)).label for _ in range(2)] == ["yes", "yes"]
    assert len(server.requests) == 3
    assert '"yes", "no"' in json.dumps(server.requests[-1]).replace("\\", "")


@both
async def test_a_reply_cut_off_at_the_limit_says_so(
    prompts: PromptLibrary, serve: Serve, provider: str
) -> None:
    reason = {"anthropic": "max_tokens", "ollama": "length"}[provider]
    server = serve(provider, lambda _: Said(content='{"rationale', finish_reason=reason))
    with pytest.raises(ReplyError, match="cut off at the token limit"):
        await judge(built(prompts, server, provider))


async def test_a_request_that_anthropic_declines_is_a_block(
    prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve("anthropic", lambda _: Said(content="", finish_reason="refusal"))
    with pytest.raises(BlockedError):
        await judge(built(prompts, server, "anthropic"))


@both
@pytest.mark.parametrize(
    ("status", "kind"), [(401, RunAborted), (404, RunAborted), (429, ModelError), (529, ModelError)]
)
async def test_an_error_means_the_same_from_every_client(
    prompts: PromptLibrary,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    status: int,
    kind: type[Exception],
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    server = serve(provider, lambda _: told(status, f"no, not with {KEY}"))
    with pytest.raises(kind) as caught:
        await judge(built(prompts, server, provider))
    assert f"HTTP {status}" in str(caught.value)
    assert KEY not in str(caught.value)


@both
async def test_an_unreachable_endpoint_is_an_error(
    prompts: PromptLibrary, serve: Serve, provider: str
) -> None:
    url = "http://127.0.0.1:9"
    with pytest.raises(ModelError):
        await judge(LangChainModel(NAMES[provider], prompts, base_url=url, max_retries=0))


@both
def test_one_model_serves_several_event_loops_and_asks_nothing_twice(
    prompts: PromptLibrary, serve: Serve, provider: str
) -> None:
    server = serve(provider, lambda _: YES)
    model = built(prompts, server, provider)
    assert [asyncio.run(judge(model)).label for _ in range(2)] == ["yes", "yes"]
    gc.collect()  # what was left open warns now, and a warning is an error here
    assert len(server.requests) == 2


def test_every_extra_that_an_error_names_can_be_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    extras = {extra for extra in INDEXES.values() if extra}
    named = {*extras, *(each["extra"] for each in PROVIDERS.values() if "extra" in each)}
    assert {*named, EXTRA, OFFICE, RAY} == set(project["project"]["optional-dependencies"])
