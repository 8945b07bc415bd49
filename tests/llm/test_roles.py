import asyncio
import json
import time
from pathlib import Path

import pytest
from tests.llm.conftest import Serve, unlimited
from tests.scripted import identity
from tests.servers.openai_server import Fault, Said, completion

from uaeval.config import EvaluationConfig, build
from uaeval.errors import ConfigError, PendingReply
from uaeval.llm.batch.requests import waiting
from uaeval.llm.endpoint.langchain import LangChainModel
from uaeval.llm.ledger import Ledger
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.roles import Models, ModelSettings, Role, role_of, role_usage
from uaeval.llm.store import ResponseStore
from uaeval.llm.stored_model import BatchModel, StoredModel
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "r", "label": "yes"}'


def test_the_offline_engine_needs_no_settings(prompts: PromptLibrary, ledger: Ledger) -> None:
    model = Models({}, prompts, ledger).built(ModelSettings())
    assert model.name.startswith("offline")


@pytest.mark.parametrize("name", PromptLibrary().names())
def test_each_shipped_prompt_is_asked_in_one_role(name: str) -> None:
    room, _, last = name.rpartition("/")
    roles = {
        "generate": Role.GENERATOR,
        "complete": Role.GENERATOR,
        "verify": Role.VERIFIER,
        "verify_readings": Role.VERIFIER,
    }
    assert role_of(name) is (Role.SYSTEM if room == "rag" else roles.get(last, Role.JUDGE))


async def test_the_models_of_a_run_share_store_and_ledger(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    called = ModelSettings(name="openai:small", base_url=server.url)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        parts = {Role.GENERATOR: called, Role.VERIFIER: called}
        models = Models(parts, prompts, unlimited(store))
        assert models[Role.GENERATOR] is models[Role.VERIFIER]
        assert models[Role.JUDGE].name.startswith("offline")
        for role in (Role.GENERATOR, Role.VERIFIER):
            await models[role].ask("test/judge", YesNoJudgement, identity, question="?")
        [used] = role_usage(models.ledger)
        assert (used.role, used.model, used.calls) == ("judge", "openai:small", 1)
        assert (used.prompt_tokens, used.completion_tokens) == (11, 7)
        assert used.cost_usd is None
        assert models.prices() == {}
    assert len(server.requests) == 1


async def test_samples_are_asked_apart_kept_apart_and_counted_once(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    called = ModelSettings(name="openai:small", base_url=server.url, samples=3)
    for calls in (3, 3):
        with ResponseStore(tmp_path / "responses.sqlite") as store:
            ledger = unlimited(store)
            models = Models({Role.JUDGE: called}, prompts, ledger)
            for model in models.samples(Role.JUDGE):
                await model.ask("test/judge", YesNoJudgement, identity, question="?")
            assert (len(store), len(server.requests)) == (calls, calls)
            assert [used.calls for used in role_usage(models.ledger)] == [calls]
    assert {body["temperature"] for body in server.requests} == {0.7}


async def test_roles_that_vote_share_their_samples(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    few = ModelSettings(name="openai:small", base_url=server.url, samples=2)
    many = ModelSettings(name="openai:small", base_url=server.url, samples=3)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        models = Models({Role.VERIFIER: few, Role.JUDGE: many}, prompts, unlimited(store))
        for model in (*models.samples(Role.VERIFIER), *models.samples(Role.JUDGE)):
            await model.ask("test/judge", YesNoJudgement, identity, question="?")
    assert [body["temperature"] for body in server.requests] == [0.7, 0.7, 0.7]


async def test_samples_wait_in_a_batch_and_share_their_answers_with_calls(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    called = ModelSettings(name="openai:small", base_url=server.url, samples=2)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        waits = Models(
            {Role.JUDGE: called.model_copy(update={"batch": True})}, prompts, unlimited(store)
        )
        for model in waits.samples(Role.JUDGE):
            with pytest.raises(PendingReply):
                await model.ask("test/judge", YesNoJudgement, identity, question="?")
        assert waiting(store) == 2
        for model in Models({Role.JUDGE: called}, prompts, unlimited(store)).samples(Role.JUDGE):
            await model.ask("test/judge", YesNoJudgement, identity, question="?")
        assert waiting(store) == 0
        [answered, _] = [
            await model.ask("test/judge", YesNoJudgement, identity, question="?")
            for model in waits.samples(Role.JUDGE)
        ]
    assert answered.label == "yes"


async def test_no_more_calls_are_in_flight_than_allowed_over_all_models_of_a_run(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    body = json.dumps(completion(Said(content=YES))).encode()
    server = serve(lambda _: Fault(body=body, hang_s=0.05))
    parts = {
        role: ModelSettings(name=f"openai:{role}", base_url=server.url)
        for role in (Role.GENERATOR, Role.VERIFIER)
    }
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        models = Models(parts, prompts, unlimited(store), concurrency=2)
        asked = [
            models[role].ask("test/judge", YesNoJudgement, identity, question=str(number))
            for number in range(3)
            for role in parts
        ]
        started = time.perf_counter()
        await asyncio.gather(*asked)
    assert time.perf_counter() - started >= 3 * 0.05
    assert len(server.requests) == 6


async def test_models_that_differ_only_in_samples_share_their_rate_limit(
    prompts: PromptLibrary, ledger: Ledger, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    called = ModelSettings(name="openai:m", base_url=server.url, requests_per_minute=300)
    parts = {Role.GENERATOR: called, Role.VERIFIER: called.model_copy(update={"samples": 3})}
    models = Models(parts, prompts, ledger)
    asked = [
        models[role].ask("test/judge", YesNoJudgement, identity, question=str(number))
        for number in range(2)
        for role in parts
    ]
    started = time.perf_counter()
    await asyncio.gather(*asked)
    # One in 200 ms over both, less what late turns may make up; two limits would take half of it.
    assert time.perf_counter() - started > 0.4
    assert len(server.requests) == 4


def test_replies_that_vote_differ(prompts: PromptLibrary, ledger: Ledger) -> None:
    settings = ModelSettings(name="openai:small", base_url="http://localhost/v1", samples=2)
    model = Models({}, prompts, ledger).built(settings)
    assert isinstance(model, StoredModel)
    assert isinstance(model.inner, LangChainModel)
    assert model.inner.temperature == 0.7


def test_a_run_says_how_its_models_are_called() -> None:
    config = build(
        EvaluationConfig,
        dataset=Path("run"),
        concurrency=3,
        requests_per_minute=60,
        tokens_per_minute=9000,
        timeout=5,
        max_retries=1,
    )
    assert ModelSettings.of(config, "openai:small", "http://here/v1", 3) == ModelSettings(
        name="openai:small",
        base_url="http://here/v1",
        samples=3,
        concurrency=3,
        requests_per_minute=60,
        tokens_per_minute=9000,
        timeout=5,
        max_retries=1,
    )
    assert ModelSettings.of(
        build(EvaluationConfig, dataset=Path("run"), mode="batch"), "openai:x", None
    ).batch


async def test_batch_and_called_models_with_equal_settings_share_keys(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    settings = ModelSettings(name="openai:small", base_url=server.url)
    waits = ModelSettings(name="openai:small", base_url=server.url, batch=True)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        called, batched = (
            Models({}, prompts, unlimited(store)).built(each) for each in (settings, waits)
        )
        assert isinstance(called, StoredModel)
        assert isinstance(batched, BatchModel)
        with pytest.raises(PendingReply):
            await batched.ask("test/judge", YesNoJudgement, identity, question="?")
        await called.ask("test/judge", YesNoJudgement, identity, question="?")
        assert (
            await batched.ask("test/judge", YesNoJudgement, identity, question="?")
        ).label == "yes"
        assert waiting(store) == 0


@pytest.mark.parametrize("name", ["", "gpt-4.1", "Rules", "rule"])
def test_an_invalid_model_name_gets_a_message_on_how_to_write_one(name: str) -> None:
    with pytest.raises(ConfigError, match="write `offline` or provider:model"):
        ModelSettings(name=name)
