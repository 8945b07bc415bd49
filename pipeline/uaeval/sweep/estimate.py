"""Estimate what an evaluation or a sweep takes, without a call to a model."""

from collections.abc import Sequence
from contextlib import ExitStack

from uaeval.config import EvaluationConfig
from uaeval.evaluation.judging.judge import judge, judge_tasks
from uaeval.formats.query_source import dataset_folder, read_query_source
from uaeval.jobs import finished_run, roles
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import REPLY_CHARACTERS, RoleForecast, SizingModel, forecast
from uaeval.prompts import open_prompts
from uaeval.records import Query, Response, ResponseStatus
from uaeval.run.progress import ProgressListener
from uaeval.sweep.grid import Grid
from uaeval.sweep.run import SharedRetrieval, is_complete
from uaeval.systems.named import RAG, kind_of
from uaeval.systems.rag import rag_system

_RESPONSE = ("word " * REPLY_CHARACTERS["rag/answer"])[: REPLY_CHARACTERS["rag/answer"]]
"""Stands in for a response, in its typical length."""


async def estimate_evaluation(config: EvaluationConfig) -> tuple[RoleForecast, ...]:
    """Return what the evaluation of a finished run takes, by role; no model is called.

    The calls of a system other than the built-in RAG are not known, and not counted.

    Raises:
        UsageError: the dataset or a setting cannot be used.
    """
    config = config.model_copy(update={"dataset": dataset_folder(config.dataset)})
    asked = read_query_source(finished_run(config), config.controls)
    return await _estimated([config], asked.queries, ProgressListener())


async def estimate_sweep(grid: Grid, progress: ProgressListener) -> tuple[RoleForecast, ...]:
    """Return what each cell of a sweep that is left takes, by role; no model is called.

    A call that several cells share counts once. As responses are not known yet, each cell is taken
    to need all its judgements: those of equal responses are in fact asked once.

    Raises:
        UsageError: the dataset or a cell cannot be used.
    """
    run, *_ = [finished_run(cell.config) for cell in grid.cells]
    source = read_query_source(run, grid.cells[0].config.controls)
    left = [cell.config for cell in grid.cells if not is_complete(cell, source)]
    return await _estimated(left, source.queries, progress)


async def _estimated(
    cells: Sequence[EvaluationConfig], queries: Sequence[Query], progress: ProgressListener
) -> tuple[RoleForecast, ...]:
    asked = dict[tuple[object, ...], tuple[EvaluationConfig, SizingModel]]()
    judged = list[RoleForecast]()
    with ExitStack() as stack:
        shared = SharedRetrieval(stack)
        for number, config in enumerate(cells, 1):
            progress.started(f"measuring cell {number} of {len(cells)}")
            if kind_of(config).name == RAG:
                model = (config.model, config.base_url, config.prompts)
                sizing = SizingModel(open_prompts(config.prompts))
                _, sizing = asked.setdefault(model, (config, sizing))
                asks = rag_system(config, shared.index(config), sizing).asks
                await sizing.measure(each for query in queries for each in asks(query))
            judged += _forecast(config, await _judged(config, queries))
    of_systems = [each for config, sizing in asked.values() for each in _forecast(config, sizing)]
    return (*of_systems, *judged)


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
