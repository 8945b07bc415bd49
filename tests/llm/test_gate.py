"""The bound on calls in flight holds over models, over questions of one candidate, and in time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from uaeval.errors import ModelError
from uaeval.llm.gate import GatedModel
from uaeval.llm.replies import Reply, YesNoJudgement
from uaeval.llm.store import ResponseStore, StoredModel
from uaeval.prompts import Field, PromptLibrary
from uaeval.runner import all_of, keep_busy

R = TypeVar("R", bound=Reply)
YES = YesNoJudgement(rationale="r", label="yes")


class CountingModel:
    """Takes a moment and counts the calls in flight; fails for questions that end in `!`."""

    name = "counting"

    def __init__(self) -> None:
        self.in_flight = self.peak = self.calls = 0

    async def ask(
        self,
        prompt_name: str,
        kind: type[R],
        check: Callable[[R], object] | None = None,
        /,
        **fields: Field,
    ) -> R:
        self.calls += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        await asyncio.sleep(0.001)
        self.in_flight -= 1
        if str(fields["question"]).endswith("!"):
            raise ModelError("no answer")
        return kind.model_validate(YES.model_dump())


@pytest.mark.parametrize("most", [1, 3])
async def test_a_candidate_that_asks_several_questions_at_once_stays_within_the_bound(
    tmp_path: Path, prompts: PromptLibrary, most: int
) -> None:
    inner = CountingModel()
    gate = asyncio.Semaphore(most)
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        author, verifier = (StoredModel(GatedModel(inner, gate), store, prompts) for _ in range(2))

        async def work(number: int) -> int:
            await author.ask("test/judge", YesNoJudgement, question=f"{number}")
            await all_of(
                [
                    verifier.ask("test/judge", YesNoJudgement, question=f"{number} {part}")
                    for part in range(4)
                ]
            )
            return number

        done: list[int] = []
        numbers = iter(range(6))
        await keep_busy(lambda: next(numbers, None), work, concurrency=most, done=done.append)
    assert sorted(done) == list(range(6))
    assert (inner.peak, inner.calls) == (most, 30)


async def test_a_call_that_fails_makes_room_for_the_next() -> None:
    inner = CountingModel()
    model = GatedModel(inner, asyncio.Semaphore(1))
    assert model.name == "counting"
    for _ in range(3):
        with pytest.raises(ModelError):
            await model.ask("test/judge", YesNoJudgement, question="?!")
    assert (await model.ask("test/judge", YesNoJudgement, question="?")).label == "yes"
