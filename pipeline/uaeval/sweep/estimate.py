"""Estimate what an evaluation or a sweep takes, without a call to a model."""

from collections.abc import Sequence
from contextlib import ExitStack

from uaeval.config import EvaluationConfig
from uaeval.evaluation.judging.judge import judge, judge_tasks
from uaeval.formats.query_source import laid_out, what_is_asked
from uaeval.jobs import finished_run, roles
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import REPLY_CHARACTERS, RoleForecast, SizingModel, forecast
from uaeval.prompts import open_prompts
from uaeval.records import Query, Response, ResponseStatus
from uaeval.run.progress import ProgressListener
from uaeval.sweep.grid import Grid
from uaeval.sweep.run import SharedRetrieval, is_complete
from uaeval.systems.named import RAG, kind_of
from uaeval.systems.rag import index_of, rag_system

_RESPONSE = ("word " * REPLY_CHARACTERS["rag/answer"])[: REPLY_CHARACTERS["rag/answer"]]
"""Stands in for a response, in its typical length."""


async def estimate_evaluation(config: EvaluationConfig) -> tuple[RoleForecast, ...]:
    """Return what the evaluation of a finished run takes, by role; no model is called.

    The calls of a system other than the built-in RAG are not known, and not counted.

    Raises:
        UsageError: the dataset or a setting cannot be used.
    """
    config = config.model_copy(update={"dataset": laid_out(config.dataset)})
    run = finished_run(config)
    queries = what_is_asked(run, config.controls).queries
    asked = SizingModel(open_prompts(config.prompts))
    if kind_of(config).name == RAG:
        with index_of(config) as index:
            await _ask(config, index, queries, asked)
    return (*_forecast(config, asked), *_forecast(config, await _judged(config, queries)))


async def estimate_sweep(grid: Grid, progress: ProgressListener) -> tuple[RoleForecast, ...]:
    """Return what each cell of a sweep that is left takes, by role; no model is called.

    A call that several cells share counts once. As responses are not known yet, each cell is taken
    to need all its judgements: those of equal responses are in fact asked once.

    Raises:
        UsageError: the dataset or a cell cannot be used.
    """
    run, *_ = [finished_run(cell.config) for cell in grid.cells]
    source = what_is_asked(run, grid.cells[0].config.controls)
    left = [cell.config for cell in grid.cells if not is_complete(cell, source)]
    asked = dict[tuple[object, ...], tuple[EvaluationConfig, SizingModel]]()
    forecasts = list[RoleForecast]()
    with ExitStack() as stack:
        shared = SharedRetrieval(run, stack)
        for number, config in enumerate(left, 1):
            progress.started(f"measuring cell {number} of {len(left)}")
            if kind_of(config).name == RAG:
                model = (config.model, config.base_url, config.prompts)
                sizing = SizingModel(open_prompts(config.prompts))
                _, sizing = asked.setdefault(model, (config, sizing))
                await _ask(config, shared.index(config), source.queries, sizing)
            forecasts += _forecast(config, await _judged(config, source.queries))
    forecasts += [each for config, sizing in asked.values() for each in _forecast(config, sizing)]
    return tuple(forecasts)


async def _ask(
    config: EvaluationConfig, index: HybridIndex, queries: Sequence[Query], sizing: SizingModel
) -> None:
    """Have the built-in RAG put its questions to `sizing`."""
    asks = rag_system(config, index, sizing).asks
    await sizing.measure(asked for query in queries for asked in asks(query))


async def _judged(config: EvaluationConfig, queries: Sequence[Query]) -> SizingModel:
    """Return the size of what the judge is asked about responses of typical length."""
    sizing = SizingModel(open_prompts(config.prompts))
    responses = [
        Response(
            id=query.id,
            query_id=query.id,
            text=_RESPONSE,
            status=ResponseStatus.OK,
            retrieved_contexts=(),
            system=RAG,
            condition=None,
            latency_s=None,
        )
        for query in queries
    ]
    tasks = judge_tasks(queries, responses)
    await sizing.measure(judge(task, sizing, config.policy) for task in tasks)
    return sizing


def _forecast(config: EvaluationConfig, sizing: SizingModel) -> tuple[RoleForecast, ...]:
    calls = {
        prompt: count * (config.samples if role_of(prompt) is Role.JUDGE else 1)
        for prompt, count in sizing.calls().items()
    }
    return forecast(calls, sizing.sizes(), roles(config), open_prices(config.prices))
