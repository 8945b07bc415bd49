"""Usage and cost of calls over all sessions, and the limits that stop further calls."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.llm.conftest import Serve
from tests.scripted import identity
from tests.servers.openai_server import Answer, Said, error, rate_limited

from uaeval.config.calls import Limits
from uaeval.errors import ConfigError, LimitReached, RefusedError, RunAborted
from uaeval.llm.ledger import Ledger, write_usage
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.roles import Models, ModelSettings, Role, role_usage
from uaeval.llm.store import ResponseStore
from uaeval.llm.usage import Usage
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "r", "label": "yes"}'
MINI = "openai:gpt-4.1-mini"
ONE = Usage(calls=1, prompt_tokens=1_000_000, completion_tokens=0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResponseStore]:
    with ResponseStore(tmp_path / "responses.sqlite") as opened:
        yield opened


def ledger_of(store: ResponseStore, **limits: float) -> Ledger:
    return Ledger(store, open_prices(None), Limits(**limits))  # type: ignore[arg-type]


def models_of(store: ResponseStore, prompts: PromptLibrary, url: str, **limits: float) -> Models:
    parts = {Role.JUDGE: ModelSettings(name=MINI, base_url=url)}
    return Models(parts, prompts, ledger_of(store, **limits))


async def ask(models: Models, *questions: str) -> list[object]:
    asks = (
        models[Role.JUDGE].ask("test/judge", YesNoJudgement, identity, question=each)
        for each in questions
    )
    outcomes = await asyncio.gather(*asks, return_exceptions=True)
    return [each.label if isinstance(each, YesNoJudgement) else type(each) for each in outcomes]


def test_sessions_add_up_by_role_and_model(tmp_path: Path) -> None:
    for sitting in range(2):
        with ResponseStore(tmp_path / "responses.sqlite") as store:
            ledger = ledger_of(store)
            for prompt in (
                "underspecified/verify",
                "nonsensical/verify",
                "nonsensical/generate",
            ):
                write_usage(store, MINI, prompt, ONE)
            write_usage(store, "openai:other", "nonsensical/verify", ONE)
            found = [(each.role, each.model, each.calls) for each in role_usage(ledger)]
        times = sitting + 1
        assert found == [
            ("generator", MINI, times),
            ("verifier", MINI, 2 * times),
            ("verifier", "openai:other", times),
        ]


def test_an_unknown_price_or_missing_tokens_make_a_cost_unknown_and_never_0(
    store: ResponseStore,
) -> None:
    ledger = ledger_of(store)
    write_usage(store, "openai:other", "nonsensical/verify", ONE)
    write_usage(store, MINI, "nonsensical/generate", ONE + Usage(calls=1, without_usage=1))
    write_usage(store, MINI, "rag/answer", ONE)
    assert [each.cost_usd for each in role_usage(ledger)] == [None, None, 0.4]


def test_calls_of_a_batch_cost_their_share(store: ResponseStore) -> None:
    ledger = ledger_of(store)
    write_usage(store, MINI, "judge/verdict", ONE)
    write_usage(store, MINI, "judge/verdict", ONE, batch=True)
    [judged] = role_usage(ledger)
    assert judged.cost_usd == pytest.approx(0.4 + 0.2)


async def test_a_stored_reply_is_counted_once_and_a_refusal_is_paid_for(
    store: ResponseStore, prompts: PromptLibrary, serve: Serve
) -> None:
    refusing = Said(content=None, refusal="No.")
    server = serve(lambda body: refusing if "bomb" in str(body) else YES)
    models = models_of(store, prompts, server.url)
    assert await ask(models, "a", "bomb") == ["yes", RefusedError]
    assert await ask(models_of(store, prompts, server.url), "a") == ["yes"]
    [used] = role_usage(models.ledger)
    assert (used.calls, used.prompt_tokens) == (2, 22)
    assert used.cost_usd == pytest.approx((22 * 0.4 + 14 * 1.6) / 1e6)


async def test_every_attempt_at_a_call_is_kept_in_the_ledger(
    store: ResponseStore, prompts: PromptLibrary, serve: Serve
) -> None:
    answers: Iterator[Answer] = iter([rate_limited(1), rate_limited(1), YES])
    server = serve(lambda _: next(answers))
    assert await ask(models_of(store, prompts, server.url), "a") == ["yes"]
    [used] = role_usage(models_of(store, prompts, server.url).ledger)
    assert (used.calls, used.retries, used.rate_limited, used.timeouts) == (3, 2, 2, 0)
    assert used.prompt_tokens == 11
    assert used.cost_usd is not None


async def test_no_call_starts_once_as_many_were_made_and_none_is_repeated(
    store: ResponseStore, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    questions = [str(number) for number in range(12)]
    outcomes = await ask(models_of(store, prompts, server.url, max_calls=5), *questions)
    assert outcomes == ["yes"] * 5 + [LimitReached] * 7
    outcomes = await ask(models_of(store, prompts, server.url, max_calls=8), *questions)
    assert outcomes.count("yes") == 8
    assert len(server.requests) == 8


async def test_a_cost_limit_says_what_was_spent_and_is_kept(
    store: ResponseStore, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: Said(content=YES, prompt_tokens=250_000, completion_tokens=0))
    models = models_of(store, prompts, server.url, max_cost=0.45)
    assert await ask(models, "a", "b") == ["yes", "yes"]
    outcomes = await ask(models, *"cdefghij")
    assert outcomes.count("yes") == 3
    with pytest.raises(
        RunAborted, match=r"limit of \$0.45 \(--max-cost\).*5 calls ended, \$0.5000"
    ):
        await models[Role.JUDGE].ask("test/judge", YesNoJudgement, identity, question="z")


async def test_a_cost_limit_stops_the_run_if_tokens_are_not_reported(
    store: ResponseStore, prompts: PromptLibrary, serve: Serve
) -> None:
    server = serve(lambda _: Said(content=YES, prompt_tokens=None))
    models = models_of(store, prompts, server.url, max_cost=5)
    assert await ask(models, "a") == ["yes"]
    with pytest.raises(RunAborted, match="use --max-calls instead"):
        await models[Role.JUDGE].ask("test/judge", YesNoJudgement, identity, question="b")


def test_a_cost_limit_requires_a_price(store: ResponseStore, prompts: PromptLibrary) -> None:
    parts = {Role.JUDGE: ModelSettings(name="openai:other", base_url="http://localhost/v1")}
    models = Models(parts, prompts, ledger_of(store, max_cost=1))
    with pytest.raises(ConfigError, match=r"price of openai:other is unknown.*--prices FILE"):
        models[Role.JUDGE]


async def test_a_call_in_flight_finishes_and_is_stored_when_its_caller_is_gone(
    store: ResponseStore, prompts: PromptLibrary, serve: Serve
) -> None:
    gone = threading.Event()
    server = serve(lambda _: YES if gone.wait(5) else error(500, "too late"))
    models = models_of(store, prompts, server.url)
    model = models[Role.JUDGE]
    asker = asyncio.ensure_future(model.ask("test/judge", YesNoJudgement, identity, question="a"))
    while not server.requests:
        await asyncio.sleep(0.001)
    asker.cancel()
    gone.set()
    await models.settle()
    assert (len(store), len(server.requests)) == (1, 1)
    assert role_usage(models.ledger)[0].calls == 1
