import asyncio
import json
import time
from pathlib import Path

import pytest
from tests.llm.conftest import Serve
from tests.servers.openai_server import Fault, Said, completion

from uaeval.errors import ConfigError, Pending
from uaeval.llm.batch import BatchModel, waiting
from uaeval.llm.langchain import LangChainModel
from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.roles import Models, ModelSettings, Role, build_model, role_of
from uaeval.llm.store import ResponseStore, StoredModel
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "r", "label": "yes"}'


def test_the_rules_need_no_settings(prompts: PromptLibrary) -> None:
    model = build_model("rules", prompts)
    assert model.name.startswith("rules")


@pytest.mark.parametrize("name", PromptLibrary().names())
def test_each_shipped_prompt_is_put_in_one_role(name: str) -> None:
    last = name.rpartition("/")[2]
    roles = {"generate": Role.GENERATOR, "verify": Role.VERIFIER, "answer": Role.SYSTEM}
    assert role_of(name) is roles.get(last, Role.JUDGE)


async def test_the_models_of_a_run_share_store_and_ledger(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    called = ModelSettings(name="openai:small", base_url=server.url)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        parts = {Role.GENERATOR: called, Role.VERIFIER: called}
        ledger = Ledger(store, open_prices(None))
        models = Models(parts, prompts, store=store, ledger=ledger)
        assert models[Role.GENERATOR] is models[Role.VERIFIER]
        assert models[Role.JUDGE].name.startswith("rules")
        for role in (Role.GENERATOR, Role.VERIFIER):
            await models[role].ask("test/judge", YesNoJudgement, question="?")
        [used] = models.usage()
        assert (used.role, used.model, used.calls) == ("judge", "openai:small", 1)
        assert (used.prompt_tokens, used.completion_tokens) == (11, 7)
        assert used.cost_usd is None
        assert models.prices() == {}
    assert len(server.requests) == 1


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
        models = Models(parts, prompts, store=store, concurrency=2)
        asked = [
            models[role].ask("test/judge", YesNoJudgement, question=str(number))
            for number in range(3)
            for role in parts
        ]
        started = time.perf_counter()
        await asyncio.gather(*asked)
    assert time.perf_counter() - started >= 3 * 0.05
    assert len(server.requests) == 6


def test_without_a_store_the_model_stands_alone(prompts: PromptLibrary) -> None:
    settings = ModelSettings(name="openai:small", base_url="http://localhost/v1", temperature=0.7)
    model = build_model(settings, prompts)
    assert isinstance(model, LangChainModel)
    assert model.parameters.temperature == 0.7


async def test_batch_and_called_models_with_equal_settings_share_keys(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    settings = ModelSettings(name="openai:small", base_url=server.url, max_tokens=9)
    waits = ModelSettings(name="openai:small", base_url=server.url, max_tokens=9, batch=True)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        called, batched = (build_model(each, prompts, store=store) for each in (settings, waits))
        assert isinstance(called, StoredModel)
        assert isinstance(batched, BatchModel)
        with pytest.raises(Pending):
            await batched.ask("test/judge", YesNoJudgement, question="?")
        await called.ask("test/judge", YesNoJudgement, question="?")
        assert (await batched.ask("test/judge", YesNoJudgement, question="?")).label == "yes"
        assert waiting(store) == 0


@pytest.mark.parametrize("name", ["", "gpt-4.1", "Rules", "rule"])
def test_a_name_of_no_model_says_how_to_write_one(prompts: PromptLibrary, name: str) -> None:
    with pytest.raises(ConfigError, match="write `rules` or provider:model"):
        build_model(name, prompts)


def test_batches_need_a_store(prompts: PromptLibrary) -> None:
    with pytest.raises(ConfigError, match="needs a run folder"):
        build_model(ModelSettings(name="openai:small", batch=True), prompts)
