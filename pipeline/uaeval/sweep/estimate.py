"""Estimate the model calls of an evaluation or a sweep, without calling a model."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain

from uaeval.config import EvaluationConfig
from uaeval.evaluation.judging.judge import judge, judge_tasks
from uaeval.formats.query_source import dataset_folder, read_query_source
from uaeval.jobs import finished_run, roles
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import REPLY_CHARACTERS, RoleForecast, SizingModel, forecast
from uaeval.prompts import open_prompts
from uaeval.records import Query
from uaeval.run.progress import ProgressListener
from uaeval.sweep.grid import Grid
from uaeval.sweep.run import is_complete
from uaeval.sweep.shared_retrieval import SharedRetrieval
from uaeval.systems.kind import RAG, kind_of
from uaeval.systems.rag import rag_system

_RESPONSE = ("word " * REPLY_CHARACTERS["rag/answer"])[: REPLY_CHARACTERS["rag/answer"]]
"""A placeholder for a response, with its typical length."""


async def estimate_evaluation(config: EvaluationConfig) -> tuple[RoleForecast, ...]:
    """Return the forecast for the evaluation of a finished run, by role.

    The calls of a system other than the built-in RAG are unknown, and not counted. Raise
    `UsageError` if the dataset or a setting cannot be used.
    """
    config = config.model_copy(update={"dataset": dataset_folder(config.dataset)})
    source = read_query_source(finished_run(config), config.controls)
    return await _estimate([config], source.queries, ProgressListener())


async def estimate_sweep(grid: Grid, progress: ProgressListener) -> tuple[RoleForecast, ...]:
    """Return the forecasts for the incomplete cells of a sweep, by role.

    A call that cells share counts once, except judgements, which count for each cell. Raise
    `UsageError` if the dataset or a cell cannot be used.
    """
    run, *_ = [finished_run(cell.config) for cell in grid.cells]
    source = read_query_source(run, grid.cells[0].config.controls)
    incomplete = [cell.config for cell in grid.cells if not is_complete(cell, source)]
    return await _estimate(incomplete, source.queries, progress)


async def _estimate(
    cells: Sequence[EvaluationConfig], queries: Sequence[Query], progress: ProgressListener
) -> tuple[RoleForecast, ...]:
    sizings = dict[tuple[object, ...], tuple[EvaluationConfig, SizingModel]]()
    judge_forecasts = list[RoleForecast]()
    with ExitStack() as stack:
        shared = SharedRetrieval(stack)
        for number, config in enumerate(cells, 1):
            progress.started(f"measuring cell {number} of {len(cells)}")
            if kind_of(config).name == RAG:
                model = (config.model, config.base_url, config.prompts)
                sizing = SizingModel(open_prompts(config.prompts))
                _, sizing = sizings.setdefault(model, (config, sizing))
                asks = rag_system(config, shared.index(config), sizing).asks
                await sizing.measure(call for query in queries for call in asks(query))
            judging = SizingModel(open_prompts(config.prompts))
            tasks = (judge_tasks(query, _RESPONSE, config.policy) for query in queries)
            await judging.measure(judge(task, judging) for task in chain.from_iterable(tasks))
            judge_forecasts += _forecast(config, judging)
    forecasts = [role for config, sizing in sizings.values() for role in _forecast(config, sizing)]
    return (*forecasts, *judge_forecasts)


def _forecast(config: EvaluationConfig, sizing: SizingModel) -> tuple[RoleForecast, ...]:
    calls = {
        prompt: count * (config.samples if role_of(prompt) is Role.JUDGE else 1)
        for prompt, count in sizing.calls().items()
    }
    return forecast(calls, sizing.sizes(), roles(config), open_prices(config.prices))
