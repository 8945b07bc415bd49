from dataclasses import dataclass

import pytest
from tests.evaluation.records import unanswerable

from uaeval.errors import TargetError
from uaeval.evaluation.respond import respond
from uaeval.records import Context, Query, ResponseStatus
from uaeval.systems.system import Answer, System


@dataclass(frozen=True)
class Fixed:
    """A system that always gives the same answer."""

    reply: Answer
    name: str = "mine"

    async def answer(self, query: Query) -> Answer:
        return self.reply


async def test_a_response_keeps_what_the_system_said_and_used() -> None:
    context = Context(id="leave.md#2", text="Up to 240 hours.")
    system: System = Fixed(Answer(text="240 hours.", contexts=(context,), latency_s=1.25))
    response = await respond(unanswerable(7), system)
    assert (response.id, response.query_id) == ("underspecified-0007/mine", "underspecified-0007")
    assert (response.text, response.retrieved_contexts) == ("240 hours.", (context,))
    assert (response.status, response.system, response.condition) == (
        (ResponseStatus.OK, "mine", None)
    )
    assert response.latency_s == 1.25


@pytest.mark.parametrize("text", ["", " \n\t"])
async def test_an_empty_response_is_an_error_and_no_refusal(text: str) -> None:
    with pytest.raises(TargetError, match="mine: empty response to underspecified-0007") as caught:
        await respond(unanswerable(7), Fixed(Answer(text=text)))
    assert caught.value.raw == text, "it was there, however often it says nothing"


@pytest.mark.parametrize("opening", ["<think>", "", "\n<thinking>"])
async def test_reasoning_before_a_response_is_no_part_of_it(opening: str) -> None:
    end = opening.strip("\n").replace("<", "</") or "</think>"
    said = f"{opening}The pages do not say it. {{Perhaps}} 240?{end}\n\n240 hours."
    assert (await respond(unanswerable(7), Fixed(Answer(text=said)))).text == "240 hours."


async def test_a_response_about_the_tags_of_reasoning_is_kept() -> None:
    said = "Reasoning stands between <think> and </think>, before the answer."
    assert (await respond(unanswerable(7), Fixed(Answer(text=said)))).text == said


@pytest.mark.parametrize("text", ["<think>I cannot find it, so", "<think>Hm.</think> "])
async def test_a_response_that_is_only_reasoning_is_an_error(text: str) -> None:
    with pytest.raises(TargetError, match="underspecified-0007") as caught:
        await respond(unanswerable(7), Fixed(Answer(text=text)))
    assert caught.value.raw is not None


async def test_a_blocked_response_is_a_response() -> None:
    response = await respond(unanswerable(7), Fixed(Answer(text="", status=ResponseStatus.BLOCKED)))
    assert (response.status, response.text) == (ResponseStatus.BLOCKED, "")


async def test_a_lone_surrogate_is_written_as_a_whole_character() -> None:
    said = Answer(text="a \ud800 b", contexts=(Context(id="c\udfff", text="\ud83d\ude00 \udc00"),))
    response = await respond(unanswerable(7), Fixed(said))
    assert response.text == "a \ufffd b"
    assert response.retrieved_contexts == (Context(id="c\ufffd", text="\U0001f600 \ufffd"),)
    with pytest.raises(TargetError, match="empty response"):
        await respond(unanswerable(7), Fixed(Answer(text="\ud800")))
