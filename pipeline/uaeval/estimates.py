"""Estimate what an evaluation takes, without a call to a model."""

from collections.abc import Sequence
from contextlib import suppress

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError, PendingReply
from uaeval.evaluation.judging.judge import Policy, judge, judge_tasks
from uaeval.formats.query_source import laid_out, what_is_asked
from uaeval.jobs import finished_run, roles
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import REPLY_CHARACTERS, RoleForecast, RolePrices, SizingModel, amounts
from uaeval.prompts import open_prompts
from uaeval.records import Query, Response, ResponseStatus
from uaeval.systems.named import RAG, kind_of
from uaeval.systems.rag import RagSystem, index_of, rag_system

_RESPONSE = ("word " * REPLY_CHARACTERS["rag/answer"])[: REPLY_CHARACTERS["rag/answer"]]
"""Stands in for a response, in its typical length."""


async def estimate_evaluation(config: EvaluationConfig) -> tuple[RoleForecast, ...]:
    """Return what the evaluation of a finished run takes, by role; no model is called.

    Raises:
        UsageError: the dataset or a setting cannot be used.
    """
    config = config.model_copy(update={"dataset": laid_out(config.dataset)})
    run = finished_run(config)
    if kind_of(config) != RAG:
        raise ConfigError("only the evaluation of `rag` can be estimated: it alone calls a model")
    sizing = SizingModel(open_prompts(config.prompts))
    with index_of(config) as index:
        queries = what_is_asked(run, config.controls).queries
        await _measure(queries, rag_system(config, index, sizing), sizing, config.policy)
    models = {role: settings.name for role, settings in roles(config).items()}
    batch = config.mode == "batch"
    terms = RolePrices(models=models, prices=open_prices(config.prices), batch=batch)
    calls = {
        prompt: count * (config.samples if role_of(prompt) is Role.JUDGE else 1)
        for prompt, count in sizing.calls().items()
    }
    return amounts(calls, sizing.sizes(), terms)


async def _measure(
    queries: Sequence[Query], system: RagSystem, judge_model: SizingModel, policy: Policy
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
            text=_RESPONSE,
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
