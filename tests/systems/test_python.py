"""Functions and runnables of the user's own, whatever they do."""

import asyncio
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from pydantic import JsonValue
from tests.evaluation.records import unanswerable
from tests.systems.settings import configured

from uaeval.errors import ConfigError, TargetError
from uaeval.records import Context, ResponseStatus
from uaeval.systems.extract import Paths, contexts
from uaeval.systems.langchain import LangChainSystem
from uaeval.systems.python import KIND, PythonSystem
from uaeval.systems.system import Answer
from uaeval.text.conversation import Turn
from uaeval.user_code import imported

ASK = "python:app:ask"
CHAIN = "langchain:app:chain"
QUERY = unanswerable(1, question="How long?")


async def call(function: object, paths: Paths | None = None, **limits: Any) -> Answer:
    return await PythonSystem(configured(ASK, paths, **limits), function).answer(QUERY)


async def slowly(question: str) -> str:
    await asyncio.sleep(0)
    return f"async {question}"


class Bot:
    def __call__(self, question: str) -> object:
        return {"answer": f"bot {question}", "contexts": ["a", {"id": "d#1", "text": "b"}]}

    async def ask(self, question: str) -> dict[str, object]:
        return {"answer": question, "contexts": None}


async def test_a_function_or_a_graph_that_takes_them_gets_the_earlier_turns() -> None:
    def ask(question: str, history: list[dict[str, str]]) -> str:
        return f"{[turn['content'] for turn in history]} {question}"

    turns = (Turn(role="user", content="For how long?"), Turn(role="assistant", content="What?"))
    query = replace(QUERY, history=turns)
    answers = [await PythonSystem(configured(ASK), ask).answer(q) for q in (query, QUERY)]
    assert [a.text for a in answers] == ["['For how long?', 'What?'] How long?", "[] How long?"]
    body: JsonValue = ["{history}", {"role": "user", "content": "{question}"}]

    def joined(sent: list[dict[str, str]]) -> str:
        return " / ".join(turn["content"] for turn in sent)

    said = RunnableLambda(joined)
    system = LangChainSystem(configured(CHAIN, body=body), said)
    assert (await system.answer(query)).text == "For how long? / What? / How long?"
    for deaf in (PythonSystem(configured(ASK), slowly), LangChainSystem(configured(CHAIN), said)):
        with pytest.raises(TargetError, match="the query has earlier turns"):
            await deaf.answer(query)


@pytest.mark.parametrize(
    "returned",
    [
        {"answer": "I do not", "finish_reason": "length"},
        AIMessage("I do not", response_metadata={"finish_reason": "length"}),
        {"messages": [AIMessage("I do not", response_metadata={"stop_reason": "max_tokens"})]},
    ],
)
async def test_an_answer_cut_off_at_the_token_limit_is_not_an_answer(returned: object) -> None:
    with pytest.raises(TargetError, match="cut off at the model's limit of tokens"):
        await call(lambda _: returned)


async def test_an_answer_that_a_filter_stopped_is_blocked() -> None:
    stopped = AIMessage("I can", response_metadata={"finish_reason": "content_filter"})
    answer = await call(lambda _: stopped)
    assert (answer.text, answer.status) == ("", ResponseStatus.BLOCKED)


@pytest.mark.parametrize(
    ("function", "text", "contexts"),
    [
        (lambda question: f"sync {question}", "sync How long?", ()),
        (slowly, "async How long?", ()),
        (lambda question: slowly(question), "async How long?", ()),
        (Bot(), "bot How long?", (Context(id=None, text="a"), Context(id="d#1", text="b"))),
        (Bot().ask, "How long?", ()),
        (lambda _: {"answer": "no contexts"}, "no contexts", ()),
    ],
)
async def test_a_function_may_be_sync_or_async_and_return_its_contexts(
    function: object, text: str, contexts: tuple[Context, ...]
) -> None:
    answer = await call(function)
    assert (answer.text, answer.contexts, answer.status) == (text, contexts, ResponseStatus.OK)
    assert answer.latency_s is not None


def raising(error: BaseException) -> Callable[[str], str]:
    def ask(_question: str) -> str:
        raise error

    return ask


@pytest.mark.parametrize(
    "error",
    [
        ValueError("broken"),
        SystemExit(3),
        StopIteration(),
        KeyError("x"),
        RuntimeError(),
        asyncio.CancelledError("the tool was cancelled"),
    ],
)
async def test_a_function_that_raises_gives_no_response_and_does_not_count_as_an_outage(
    error: BaseException,
) -> None:
    async def async_ask(_question: str) -> str:
        raise error

    for function in (raising(error), async_ask):
        with pytest.raises(TargetError, match="python:app:ask: ") as caught:
            await call(function)
        assert caught.value.raw is not None


async def test_a_lost_connection_is_tried_again_and_another_error_is_not() -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        if len(asked) < 3:
            raise ConnectionResetError("peer")
        return "there"

    assert (await call(ask)).text == "there"
    assert len(asked) == 3

    def broken(question: str) -> str:
        asked.append(question)
        raise FileNotFoundError("index.faiss")

    with pytest.raises(TargetError, match=r"index\.faiss"):
        await call(broken)
    assert len(asked) == 4


async def test_a_function_that_hangs_is_abandoned_and_not_called_again() -> None:
    asked: list[str] = []
    release = threading.Event()

    def hang(question: str) -> str:
        asked.append(question)
        release.wait(20)
        return "late"

    with pytest.raises(TargetError, match="timed out"):
        await call(hang, timeout=0.1, max_retries=3)
    release.set()
    assert len(asked) == 1


async def test_a_content_filter_behind_the_function_blocks_the_response() -> None:
    request = httpx.Request("POST", "http://localhost")
    filtered = openai.BadRequestError(
        "The response was filtered: content_filter",
        response=httpx.Response(400, request=request),
        body=None,
    )
    for function in (raising(filtered), lambda _: {"blocked": True}):
        answer = await call(function)
        assert (answer.text, answer.status) == ("", ResponseStatus.BLOCKED)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (7, "it returned int"),
        ({"text": "x"}, "answer_path 'answer' leads nowhere"),
        ({"answer": ["x"]}, "the answer should be a text"),
        ({"answer": "x", "contexts": [1]}, "each context should be a text"),
    ],
)
async def test_only_unusable_replies_from_the_start_end_the_run(value: object, told: str) -> None:
    system = PythonSystem(configured(ASK), lambda _: value)
    for _ in range(2):
        with pytest.raises(TargetError) as caught:
            await system.answer(QUERY)
        assert told in str(caught.value)
    with pytest.raises(ConfigError, match="nothing was answered so far"):
        await system.answer(QUERY)


@pytest.mark.parametrize("function", [Bot, "text", lambda: "no question", lambda a, b: "two"])
def test_a_function_without_a_parameter_is_refused_before_it_is_called(function: object) -> None:
    with pytest.raises(ConfigError, match="python:app:ask"):
        PythonSystem(configured(ASK), function)


# --- importing --------------------------------------------------------------------------------


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def test_modules_of_the_working_directory_are_found(modules: Path) -> None:
    (modules / "my_rag_app.py").write_text("class A:\n    def ask(q): return q\n")
    found = imported("python:my_rag_app:A.ask", KIND.form)
    assert callable(found)


@pytest.mark.parametrize(
    ("name", "source", "told"),
    [
        ("nowhere_at_all:ask", "", "cannot import nowhere_at_all (ModuleNotFoundError"),
        ("half_app:ask", "", "half_app has no ask"),
        ("bad_app:ask", "1/0", "cannot import bad_app (ZeroDivisionError"),
        ("worse_app:ask", "raise SystemExit('bye')", "cannot import worse_app (SystemExit: bye)"),
        ("torn_app:ask", "def ask(", "cannot import torn_app (SyntaxError"),
        ("no_function", "", "write python:<module>:<function>"),
    ],
)
def test_a_module_that_cannot_be_imported_gets_one_sentence(
    modules: Path, name: str, source: str, told: str
) -> None:
    module = name.partition(":")[0]
    if module != "nowhere_at_all":
        (modules / f"{module}.py").write_text(source)
    with pytest.raises(ConfigError) as refused:
        imported(f"python:{name}", KIND.form)
    assert told in str(refused.value)


# --- LangChain --------------------------------------------------------------------------------


async def invoke(runnable: object, template: object = None, paths: Paths | None = None) -> Answer:
    return await LangChainSystem(configured(CHAIN, paths, body=template), runnable).answer(QUERY)


def _retrieve(asked: object) -> list[Document]:
    return [Document(id="d1", page_content=f"about {asked}"), Document(page_content="more")]


async def test_a_chain_that_gives_text_a_message_or_a_mapping() -> None:
    model = FakeListChatModel(responses=["Two days."])
    assert (await invoke(RunnableLambda(lambda q: f"echo {q}"))).text == "echo How long?"
    assert (await invoke(model)).text == "Two days."
    chain: Runnable[object, object] = RunnablePassthrough.assign(
        context=lambda given: _retrieve(given["input"])
    ).assign(answer=lambda given: f"{len(given['context'])} passages")
    answer = await invoke(chain, {"input": "{question}"})
    assert answer.text == "2 passages"
    assert answer.contexts == (
        Context(id="d1", text="about How long?"),
        Context(id=None, text="more"),
    )


async def test_an_agents_last_message_is_found_by_a_path() -> None:
    model = FakeListChatModel(responses=["Two days."])
    agent: Runnable[Any, Any] = RunnableLambda(
        lambda state: {"messages": [*state["messages"], model.invoke("x")]}
    )
    template = {"messages": [{"role": "user", "content": "{question}"}]}
    assert (await invoke(agent, template, Paths(answer="messages[-1]"))).text == "Two days."


async def test_a_chain_that_raises_gives_no_response() -> None:
    with pytest.raises(TargetError, match="ZeroDivisionError"):
        await invoke(RunnableLambda(lambda _: 1 / 0))


def test_an_object_that_is_not_runnable_is_refused() -> None:
    with pytest.raises(ConfigError, match="function is not a LangChain Runnable"):
        LangChainSystem(configured(CHAIN), lambda q: q)


def test_a_context_may_have_a_heading() -> None:
    told = [{"text": "Down the hall.", "id": 7, "heading": "Chicago"}, "On each floor."]
    assert contexts(told) == (
        Context(id="7", text="Down the hall.", heading="Chicago"),
        Context(id=None, text="On each floor."),
    )


async def test_a_mapping_that_reports_an_error_is_not_an_answer() -> None:
    def ask(question: str) -> dict[str, object]:
        return {"answer": "I'm sorry, I can't answer that.", "error": TimeoutError("index")}

    with pytest.raises(TargetError, match="the function reports an error"):
        await call(ask, max_retries=0)
