"""Answers of RAG frameworks, as they return them."""

from dataclasses import dataclass, field
from typing import Any, TypedDict

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.func import entrypoint
from langgraph.graph import START, MessagesState, StateGraph
from tests.evaluation.records import unanswerable
from tests.systems.settings import configured

from uaeval.errors import ConfigError, TargetError
from uaeval.records import Context
from uaeval.systems.langchain import LangChainSystem
from uaeval.systems.python import PythonSystem
from uaeval.systems.system import Answer

QUERY = unanswerable(1, question="How long?")


async def call(value: object) -> Answer:
    settings = configured("python:app:ask", max_retries=0)
    return await PythonSystem(settings, lambda _: value).answer(QUERY)


@dataclass
class NodeWithScore:
    """As LlamaIndex has it: text and id are properties of the node."""

    text: str
    node_id: str
    score: float = 0.5


@dataclass
class LlamaIndexResponse:
    response: object
    source_nodes: list[NodeWithScore] = field(default_factory=list)


@dataclass
class HaystackDocument:
    content: str
    id: str


@dataclass
class GeneratedAnswer:
    data: str
    documents: list[HaystackDocument]


@dataclass
class ChatMessage:
    """As Haystack has it."""

    text: str


NODES = [NodeWithScore("a", "n1")]
DOCUMENTS = [HaystackDocument("a", "n1")]
STATE: dict[str, Any] = {"messages": [HumanMessage("How long?"), AIMessage("Two days.")]}


@pytest.mark.parametrize(
    ("value", "contexts"),
    [
        (STATE, ()),
        ({**STATE, "context": [Document(id="n1", page_content="a")]}, ("n1",)),
        ({"messages": [{"role": "assistant", "content": "Two days."}]}, ()),
        ({"messages": [AIMessage([{"type": "text", "text": "Two "}, "days."])]}, ()),
        (LlamaIndexResponse("Two days.", NODES), ("n1",)),
        (LlamaIndexResponse(ChatMessage("Two days.")), ()),
        ({"llm": {"replies": ["Two days."]}, "retriever": {"documents": DOCUMENTS}}, ("n1",)),
        ({"llm": {"replies": [ChatMessage("Two days.")], "meta": [{}]}}, ()),
        ({"replies": ["Two days."]}, ()),
        (
            {
                "llm": {"replies": ["Draft."]},
                "answer_builder": {"answers": [GeneratedAnswer("Two days.", DOCUMENTS)]},
            },
            ("n1",),
        ),
    ],
)
async def test_what_frameworks_return_needs_no_wrapper(
    value: object, contexts: tuple[str, ...]
) -> None:
    answer = await call(value)
    assert answer.text == "Two days."
    assert answer.contexts == tuple(Context(id=name, text="a") for name in contexts)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"messages": [HumanMessage("How long?")]}, "the last of `messages` has the role 'human'"),
        ({"messages": [ToolMessage("x", tool_call_id="1")]}, "has the role 'tool'"),
        (
            {"a": {"replies": ["x"]}, "b": {"replies": ["y"]}},
            "more than one answer under `replies`",
        ),
        ({"llm": {"replies": ["x", "y"]}}, "more than one answer under `replies`"),
        (LlamaIndexResponse(7), "the answer should be a text"),
        (LlamaIndexResponse("Empty Response"), "found no passage and asked no model"),
        ({"llm": {"replies": [7]}}, "the answer should be a text"),
    ],
)
async def test_what_holds_no_answer_or_several_is_an_error(value: object, message: str) -> None:
    with pytest.raises(TargetError, match=message):
        await call(value)


async def test_a_graph_gets_the_question_as_a_message() -> None:
    def reply(state: MessagesState) -> dict[str, Any]:
        asked = state["messages"][-1]
        return {"messages": [AIMessage(f"{type(asked).__name__} {asked.text}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("reply", reply)
    graph.add_edge(START, "reply")
    system = LangChainSystem(configured("langchain:app:graph"), graph.compile())
    assert (await system.answer(QUERY)).text == "HumanMessage How long?"


class Retrieval(TypedDict):
    """The state of a graph without messages."""

    question: str
    answer: str


async def test_a_graph_without_messages_needs_a_body() -> None:
    graph = StateGraph(Retrieval)
    graph.add_node("reply", lambda state: {"answer": f"About {state['question']}"})
    graph.add_edge(START, "reply")
    compiled = graph.compile()
    with pytest.raises(ConfigError, match=r"\(question, answer\) has no `messages`; .* --body"):
        LangChainSystem(configured("langchain:app:graph"), compiled)
    given = configured("langchain:app:graph", body={"question": "{question}"})
    assert (await LangChainSystem(given, compiled).answer(QUERY)).text == "About How long?"


async def test_a_graph_that_takes_any_value_gets_the_question() -> None:
    @entrypoint()
    def flow(question: str) -> str:
        return f"About {question}"

    answer = await LangChainSystem(configured("langchain:app:flow"), flow).answer(QUERY)
    assert answer.text == "About How long?"


async def test_the_tool_calls_of_a_graph_are_recorded() -> None:
    called = AIMessage("", tool_calls=[{"name": "search", "args": {"q": "gate"}, "id": "1"}])
    messages = [HumanMessage("How long?"), called, ToolMessage("a", tool_call_id="1")]
    answer = await call({"messages": [*messages, AIMessage("Two days.")]})
    assert (answer.text, answer.tool_calls) == ("Two days.", ('search({"q": "gate"})',))
