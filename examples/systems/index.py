"""LlamaIndex (`pip install llama-index-core`): `--system python:index:answer`."""

from llama_index.core import Document, Response, SummaryIndex
from llama_index.core.llms import MockLLM  # your model

index = SummaryIndex.from_documents([Document(text="The harbour closes at six.")])
engine = index.as_query_engine(llm=MockLLM(max_tokens=8))


def answer(question: str) -> Response:
    return engine.query(question)
