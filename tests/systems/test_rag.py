from collections.abc import Sequence

import pytest
from tests.evaluation.records import unanswerable
from tests.scripted import ScriptedModel

from uaeval.errors import (
    BlockedError,
    ModelError,
    RefusedError,
    ReplyError,
    RunAborted,
    TargetError,
    UaevalError,
)
from uaeval.knowledge.retriever import Hit, Retriever
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import CheckedRagAnswer, RagAnswer, Reply
from uaeval.prompts import PromptLibrary
from uaeval.records import Chunk, Context, Passage, ResponseStatus
from uaeval.systems.rag import ANSWERING, RagSystem
from uaeval.systems.retrieval import Retrieval
from uaeval.systems.system import System


def rag(shelf: Retriever, model: Model, k: int = 5) -> RagSystem:
    return RagSystem(retrieval=Retrieval(retriever=shelf, k=k), model=model)


class Shelf:
    """A retriever that returns its chunks in the order in which it holds them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._chunks = [
            Chunk(
                id=f"leave.md#{place}",
                document_id="leave.md",
                title="Leave",
                heading="Sick leave",
                text=text,
                start=0,
                end=len(text),
            )
            for place, text in enumerate(texts)
        ]

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        return tuple(Hit(chunk=chunk, similarity=0.5) for chunk in self._chunks[:k])

    def get(self, chunk_id: str) -> Chunk:
        return {chunk.id: chunk for chunk in self._chunks}[chunk_id]


SHELF = Shelf(["Borrow up to 240 hours.", "Ask your supervisor.", "Fill in the form."])


async def test_the_answer_has_the_passages_that_the_model_saw() -> None:
    model = ScriptedModel({"rag/answer": RagAnswer(answer="240 hours.")})
    system: System = rag(SHELF, model, k=2)
    answer = await system.answer(unanswerable(1))
    assert (answer.text, answer.status) == ("240 hours.", ResponseStatus.OK)
    assert answer.contexts == (
        Context(id="leave.md#0", text="Borrow up to 240 hours.", heading="Leave › Sick leave"),
        Context(id="leave.md#1", text="Ask your supervisor.", heading="Leave › Sick leave"),
    )
    (ask,) = model.history
    PromptLibrary().get(ask.prompt).check(ask.fields)
    assert ask.fields == {
        "question": "How many hours may I borrow?",
        "passages": (
            Passage(number=1, title="Leave", heading="Sick leave", text="Borrow up to 240 hours."),
            Passage(number=2, title="Leave", heading="Sick leave", text="Ask your supervisor."),
        ),
    }


def _raising(error: UaevalError) -> ScriptedModel:
    def fail(**fields: Field) -> Reply:
        raise error

    return ScriptedModel({"rag/answer": fail})


async def test_a_content_filter_blocks_the_response() -> None:
    answer = await rag(SHELF, _raising(BlockedError("filtered"))).answer(unanswerable(1))
    assert (answer.text, answer.status) == ("", ResponseStatus.BLOCKED)
    assert len(answer.contexts) == 3


async def test_a_refusal_by_the_model_is_what_the_system_says() -> None:
    refusal = RefusedError("I can't help with that.")
    answer = await rag(SHELF, _raising(refusal)).answer(unanswerable(1))
    assert (answer.text, answer.status) == ("I can't help with that.", ResponseStatus.OK)
    assert len(answer.contexts) == 3


@pytest.mark.parametrize("error", [ModelError("timed out"), ReplyError("no JSON")])
async def test_a_model_that_fails_gives_no_response(error: UaevalError) -> None:
    with pytest.raises(TargetError, match=f"rag: {error}"):
        await rag(SHELF, _raising(error)).answer(unanswerable(1))


async def test_a_malformed_reply_is_kept_with_its_error() -> None:
    with pytest.raises(TargetError) as caught:
        await rag(SHELF, _raising(ReplyError("no JSON", raw="Hm."))).answer(unanswerable(1))
    assert caught.value.raw == "Hm."


async def test_errors_that_abort_a_run_abort_it_here_too() -> None:
    with pytest.raises(RunAborted):
        await rag(SHELF, _raising(RunAborted("wrong key"))).answer(unanswerable(1))


async def test_an_empty_knowledge_base_still_asks_the_model() -> None:
    model = ScriptedModel({"rag/answer": RagAnswer(answer="I have no passages.")})
    answer = await rag(Shelf([]), model).answer(unanswerable(1))
    assert (answer.text, answer.contexts) == ("I have no passages.", ())


@pytest.mark.parametrize("prompt", ANSWERING)
async def test_each_answering_prompt_is_asked_and_only_its_answer_is_returned(prompt: str) -> None:
    name, reply_type = ANSWERING[prompt]
    reply = (
        RagAnswer(answer="240 hours.")
        if reply_type is RagAnswer
        else CheckedRagAnswer(rationale="Passage 1 says so.", answer="240 hours.")
    )
    model = ScriptedModel({name: reply})
    system = RagSystem(retrieval=Retrieval(retriever=SHELF), model=model, prompt=prompt)
    answer = await system.answer(unanswerable(1))
    assert answer.text == "240 hours."
    assert answer.latency_s is not None
    [ask] = model.history
    PromptLibrary().get(ask.prompt).check(ask.fields)


async def test_recorded_responses_have_no_latency() -> None:
    model = ScriptedModel({"rag/answer": RagAnswer(answer="240 hours.")})
    system = RagSystem(retrieval=Retrieval(retriever=SHELF), model=model, timed=False)
    assert (await system.answer(unanswerable(1))).latency_s is None
