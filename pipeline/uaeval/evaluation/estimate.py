"""What an evaluation will take before it runs: every prompt is rendered, and nothing is asked."""

from collections.abc import Awaitable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from uaeval.errors import PendingReply
from uaeval.evaluation.judging.judge import Policy, judge, judge_tasks
from uaeval.llm.sizing import REPLY_CHARACTERS, SizingModel
from uaeval.systems.system import System
from uaeval.types import Query, Response, ResponseStatus

RESPONSE = ("word " * REPLY_CHARACTERS["rag/answer"])[: REPLY_CHARACTERS["rag/answer"]]
"""Stands in for a response, in its typical length."""


class EstimatableSystem(System, Protocol):
    """A system that can say what it asks of models (the built-in RAG does)."""

    def asks(self, query: Query) -> Iterable[Awaitable[object]]:
        """Put each question that a query leads to."""
        ...


async def measure(
    queries: Sequence[Query], system: EstimatableSystem, judge_model: SizingModel, policy: Policy
) -> None:
    """Put every question, and every judgement of a response, to models that note its size."""
    for query in queries:
        for asked in system.asks(query):
            with suppress(PendingReply):
                await asked
    responses = [
        Response(
            id=query.id,
            query_id=query.id,
            text=RESPONSE,
            status=ResponseStatus.OK,
            retrieved_contexts=(),
            system=system.name,
            condition=None,
            latency_s=None,
        )
        for query in queries
    ]
    for task in judge_tasks(queries, responses):
        with suppress(PendingReply):
            await judge(task, judge_model, policy)
