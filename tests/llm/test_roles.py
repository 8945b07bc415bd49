from pathlib import Path

import pytest
from tests.llm.conftest import Serve

from uaeval.config import EvaluationConfig, build
from uaeval.errors import ConfigError, Pending
from uaeval.llm.batch import BatchModel, waiting
from uaeval.llm.langchain import LangChainModel
from uaeval.llm.parameters import Usage
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.roles import Models, ModelSettings, Role, build_model, usage_of
from uaeval.llm.store import ResponseStore, StoredModel
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "r", "label": "yes"}'


def test_the_rules_need_no_settings(prompts: PromptLibrary) -> None:
    model = build_model("rules", prompts)
    assert model.name.startswith("rules")
    assert usage_of(model) is None


async def test_the_models_of_a_run_share_store_and_usage(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    called = ModelSettings(name="openai:small", base_url=server.url)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        models = Models({Role.GENERATOR: called, Role.VERIFIER: called}, prompts, store=store)
        assert models[Role.GENERATOR] is models[Role.VERIFIER]
        assert models[Role.JUDGE].name.startswith("rules")
        for role in (Role.GENERATOR, Role.VERIFIER):
            await models[role].ask("test/judge", YesNoJudgement, question="?")
        expected = Usage(calls=1, prompt_tokens=11, completion_tokens=7)
        assert models.usage() == {"openai:small": expected}
    assert len(server.requests) == 1


def test_without_a_store_the_model_stands_alone(prompts: PromptLibrary) -> None:
    settings = ModelSettings(name="openai:small", base_url="http://localhost/v1", temperature=0.7)
    model = build_model(settings, prompts)
    assert isinstance(model, LangChainModel)
    assert model.parameters.temperature == 0.7


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
    assert ModelSettings.of(config, "openai:small") == ModelSettings(
        name="openai:small",
        concurrency=3,
        requests_per_minute=60,
        tokens_per_minute=9000,
        timeout=5,
        max_retries=1,
    )
    assert ModelSettings.of(build(EvaluationConfig, dataset=Path("run"), mode="batch"), "x").batch


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
