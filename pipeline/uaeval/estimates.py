"""Estimate what an evaluation takes, without a call to a model."""

from collections.abc import Awaitable, Iterable
from contextlib import suppress
from functools import partial

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError, PendingReply
from uaeval.evaluation.judging.judge import judge, judge_tasks
from uaeval.formats.query_source import laid_out, what_is_asked
from uaeval.jobs import finished_run, roles
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import REPLY_CHARACTERS, RoleForecast, RolePrices, SizingModel, amounts
from uaeval.prompts import open_prompts
from uaeval.records import Response, ResponseStatus
from uaeval.systems.named import RAG, kind_of
from uaeval.systems.rag import index_of, rag_system

_RESPONSE = ("word " * REPLY_CHARACTERS["rag/answer"])[: REPLY_CHARACTERS["rag/answer"]]
"""Stands in for a response, in its typical length."""


async def estimate_evaluation(config: EvaluationConfig) -> tuple[RoleForecast, ...]:
    """Return what the evaluation of a finished run takes, by role; no model is called.

    Raises:
        UsageError: the dataset or a setting cannot be used.
    """
    config = config.model_copy(update={"dataset": laid_out(config.dataset)})
    run = finished_run(config)
    if kind_of(config).name != RAG:
        raise ConfigError("only the evaluation of `rag` can be estimated: it alone calls a model")
    sizing = SizingModel(open_prompts(config.prompts))
    queries = what_is_asked(run, config.controls).queries
    response = partial(
        Response,
        text=_RESPONSE,
        status=ResponseStatus.OK,
        retrieved_contexts=(),
        system=RAG,
        condition=None,
        latency_s=None,
    )
    with index_of(config) as index:
        system = rag_system(config, index, sizing)
        await _measure(asked for query in queries for asked in system.asks(query))
    responses = [response(id=query.id, query_id=query.id) for query in queries]
    tasks = judge_tasks(queries, responses)
    await _measure(judge(task, sizing, config.policy) for task in tasks)
    models = {role: settings.name for role, settings in roles(config).items()}
    batch = config.mode == "batch"
    terms = RolePrices(models=models, prices=open_prices(config.prices), batch=batch)
    calls = {
        prompt: count * (config.samples if role_of(prompt) is Role.JUDGE else 1)
        for prompt, count in sizing.calls().items()
    }
    return amounts(calls, sizing.sizes(), terms)


async def _measure(asks: Iterable[Awaitable[object]]) -> None:
    """Put each question to a model that notes its size."""
    for asked in asks:
        with suppress(PendingReply):
            await asked
