"""The bound on requests in flight holds over models and over questions of one candidate.

What only waits takes no place.
"""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.llm.conftest import Serve, unlimited
from tests.scripted import identity
from tests.servers.openai_server import Answer, Body, error, rate_limited, slow, unauthorized

from uaeval.errors import ModelError, RunAborted
from uaeval.llm.ledger import Ledger
from uaeval.llm.model import Model
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.roles import Models, ModelSettings, Role
from uaeval.llm.store import ResponseStore
from uaeval.prompts import PromptLibrary
from uaeval.runner import all_of, keep_busy

YES = '{"rationale": "r", "label": "yes"}'


async def ask(model: Model, question: object) -> None:
    reply = await model.ask("test/judge", YesNoJudgement, identity, question=str(question))
    assert reply.label == "yes"


def of_two(author: Answer, verifier: Answer) -> Callable[[Body], Answer]:
    """Answer by the model's name."""

    def answer(body: Body) -> Answer:
        return author if body["model"] == "author" else verifier

    return answer


def two_models(
    url: str, prompts: PromptLibrary, ledger: Ledger, most: int, per_minute: int | None = None
) -> tuple[Model, Model]:
    author = ModelSettings(name="openai:author", base_url=url, requests_per_minute=per_minute)
    verifier = ModelSettings(name="openai:verifier", base_url=url)
    parts = {Role.GENERATOR: author, Role.VERIFIER: verifier}
    models = Models(parts, prompts, ledger, concurrency=most)
    return models[Role.GENERATOR], models[Role.VERIFIER]


@pytest.mark.parametrize("most", [1, 3])
async def test_a_candidate_that_asks_several_questions_at_once_stays_within_the_bound(
    tmp_path: Path, prompts: PromptLibrary, serve: Serve, most: int
) -> None:
    server = serve(lambda _: slow(YES, 0.01))
    parts = {
        role: ModelSettings(name=f"openai:{role}", base_url=server.url)
        for role in (Role.GENERATOR, Role.VERIFIER)
    }
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        models = Models(parts, prompts, unlimited(store), concurrency=most)

        async def work(number: int) -> int:
            await ask(models[Role.GENERATOR], number)
            await all_of([ask(models[Role.VERIFIER], f"{number} {part}") for part in range(4)])
            return number

        done: list[int] = []
        numbers = iter(range(6))
        await keep_busy(lambda: next(numbers, None), work, concurrency=2 * most, done=done.append)
    assert sorted(done) == list(range(6))
    assert (server.peak, len(server.requests)) == (most, 30)


async def test_a_failed_call_frees_its_slot_for_the_next(
    prompts: PromptLibrary, ledger: Ledger, serve: Serve
) -> None:
    answers: Iterator[Answer] = iter([error(400, "no"), error(400, "no"), YES])
    server = serve(lambda _: next(answers))
    author, verifier = two_models(server.url, prompts, ledger, most=1)
    for model in (author, verifier):
        with pytest.raises(ModelError):
            await ask(model, "?")
    await ask(author, "?")


@pytest.mark.parametrize(
    "waits",
    [rate_limited(60_000), error(500, "try later", headers={"retry-after": "60"})],
)
async def test_a_model_that_asks_for_a_pause_does_not_delay_other_models(
    prompts: PromptLibrary, ledger: Ledger, serve: Serve, waits: Answer
) -> None:
    server = serve(of_two(author=waits, verifier=YES))
    author, verifier = two_models(server.url, prompts, ledger, most=2)
    waiting = [asyncio.create_task(ask(author, number)) for number in range(4)]
    while not server.requests:
        await asyncio.sleep(0.01)
    async with asyncio.timeout(10):
        await asyncio.gather(*(ask(verifier, number) for number in range(6)))
    assert not any(task.done() for task in waiting)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_rate_limit_of_one_model_does_not_delay_the_other(
    prompts: PromptLibrary, ledger: Ledger, serve: Serve
) -> None:
    server = serve(lambda _: YES)
    author, verifier = two_models(server.url, prompts, ledger, most=2, per_minute=2)
    waiting = [asyncio.create_task(ask(author, number)) for number in range(4)]
    async with asyncio.timeout(10):
        await asyncio.gather(*(ask(verifier, number) for number in range(6)))
    assert sum(body["model"] == "author" for body in server.requests) <= 1
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_two_models_take_turns_where_both_want_every_place(
    prompts: PromptLibrary, ledger: Ledger, serve: Serve
) -> None:
    server = serve(lambda _: slow(YES, 0.01))
    author, verifier = two_models(server.url, prompts, ledger, most=1)
    await asyncio.gather(*(ask(each, n) for each in (author, verifier) for n in range(10)))
    first = [body["model"] for body in server.requests[:10]]
    assert first.count("author") == pytest.approx(5, abs=1)
    assert server.peak == 1


async def test_a_key_that_is_not_accepted_stops_the_calls_of_all_models(
    prompts: PromptLibrary, ledger: Ledger, serve: Serve
) -> None:
    server = serve(of_two(author=slow(YES, 0.2), verifier=unauthorized("k")))
    author, verifier = two_models(server.url, prompts, ledger, most=2)
    asked = [asyncio.create_task(ask(each, n)) for n in range(9) for each in (author, verifier)]
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert len(server.requests) <= 4
    told = {str(one) for one in ended if isinstance(one, RunAborted)}
    assert len(told) == 1
    assert "the key is not accepted" in told.pop()
    assert sum(one is None for one in ended) == len(server.requests) - 1
