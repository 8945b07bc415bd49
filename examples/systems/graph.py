"""LangGraph: `--system langchain:graph:graph`."""

from langchain_core.language_models import FakeListChatModel  # your model
from langgraph.graph import START, MessagesState, StateGraph

model = FakeListChatModel(responses=["I don't know."])


def respond(state: MessagesState) -> dict[str, object]:
    return {"messages": [model.invoke(state["messages"])]}


builder = StateGraph(MessagesState)
builder.add_node("respond", respond)
builder.add_edge(START, "respond")
graph = builder.compile()
