"""Running a grid: cell after cell, each an evaluation of its own, and then the table."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from uaeval.config import EvaluationConfig, RagSettings
from uaeval.evaluation.compare import Comparison, compare
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.run import JUDGEMENTS, RESPONSES
from uaeval.formats.query_source import QuerySource, read_query_source
from uaeval.jobs import evaluate_with, finished_run, other_judges, prompt_hashes, roles
from uaeval.knowledge.embedding import Embedding, Vectors
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.batch.requests import retry_failures
from uaeval.llm.model import Model
from uaeval.llm.roles import ModelSettings, role_usage
from uaeval.prompts import open_prompts
from uaeval.records import Query
from uaeval.report.sweep import RankedCell, write_sweep
from uaeval.run.progress import ProgressListener
from uaeval.run.ray_calls import answer_round, check_model
from uaeval.run.run import open_run
from uaeval.run_folder import ModelUsage
from uaeval.storage import file_print
from uaeval.sweep.grid import Cell, Grid
from uaeval.systems.named import own_system
from uaeval.systems.rag import embedding_of, indexed_run, open_index, rag_system
from uaeval.systems.reranking import check_reranker
from uaeval.systems.retrieval import RetrievedPassages
from uaeval.systems.system import System

_OF_RETRIEVAL: Final = frozenset(RagSettings.model_fields) - {"answer_prompt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The cells of a sweep, compared."""

    ranked: tuple[RankedCell, ...]
    """The cells, the best joint score first."""
    comparisons: tuple[Comparison, ...]
    """Of the joint scores of every two cells, corrected together."""
    failures: int
    """Calls that failed, over all cells."""
    usage: tuple[ModelUsage, ...]


async def run_sweep(grid: Grid, progress: ProgressListener) -> Sweep:
    """Run the cells that are not complete, compare all of them, and write the table.

    Raises:
        UsageError: the dataset or a cell cannot be used.
        RunAborted: the models cannot be asked any more; run it again to resume.
    """
    by_system = {cell.config.system: cell.config for cell in grid.cells}
    dataset, *_ = [finished_run(config) for config in by_system.values()]
    for reranker in sorted({cell.config.reranker for cell in grid.cells}):
        check_reranker(reranker)
    config = grid.cells[0].config
    asked = read_query_source(dataset, config.controls)
    left = {n: each for n, each in enumerate(grid.cells, 1) if not is_complete(each, asked)}
    models = dict.fromkeys(each for cell in left.values() for each in _models(cell.config))
    for model in models:
        # Nothing is asked if a model cannot be had: its name is unknown, a package or key missing.
        check_model(model)
    async with open_run(grid.folder, config, {}, progress) as run:
        if config.on_ray:
            retry_failures(run.store)
            for model in models:
                run.models.built(model)
        with ExitStack() as stack:
            shared = SharedRetrieval(stack)

            async def evaluated(number: int, cell: Cell) -> int:
                progress.started(f"cell {number} of {len(grid.cells)}: {cell.title}")
                opener = shared.opener(cell.config, asked.queries)
                evaluation = await evaluate_with(
                    cell.config, asked, opener, progress, store=run.store, sweep=grid.name
                )
                return evaluation.waiting

            # On Ray one round answers what all cells wait for.
            while left := {n: cell for n, cell in left.items() if await evaluated(n, cell)}:
                await answer_round(run, config.engine)
        usage = role_usage(run.ledger)
    progress.started("comparing the cells")
    sweep = _compared(grid.cells, usage)
    write_sweep(grid.folder, grid.axes, sweep.ranked, sweep.comparisons, sweep.usage)
    return sweep


def _models(config: EvaluationConfig) -> list[ModelSettings]:
    return [*roles(config).values(), *other_judges(config)]


def is_complete(cell: Cell, asked: QuerySource) -> bool:
    """Return whether the cell was evaluated before, with these settings, prompts and queries."""
    folder = cell.config.folder
    manifest = read_manifest(folder / "manifest.json")
    if manifest is None or manifest.status != "complete":
        return False
    written = {folder / RESPONSES: manifest.responses, folder / JUDGEMENTS: manifest.judgements}
    if any(not path.exists() or file_print(path).records != n for path, n in written.items()):
        return False
    if manifest.other_settings(cell.config.decisive()):
        return False
    return (manifest.dataset, manifest.prompts) == (
        asked.digest,
        prompt_hashes(cell.config, open_prompts(cell.config.prompts), asked),
    )


def _compared(cells: Sequence[Cell], usage: Sequence[ModelUsage]) -> Sweep:
    recorded = [read_evaluation(cell.config.folder) for cell in cells]
    ranked = [
        RankedCell(evaluation=each, values={axis: str(at) for axis, at in cell.values.items()})
        for cell, each in zip(cells, recorded, strict=True)
    ]
    return Sweep(
        ranked=tuple(sorted(ranked, key=RankedCell.place)),
        comparisons=compare(recorded, primary_only=True) if len(recorded) > 1 else (),
        failures=sum(sum(each.manifest.failures.values()) for each in recorded),
        usage=tuple(usage),
    )


class RememberingEmbedding:
    """An embedding that embeds each query once."""

    def __init__(self, inner: Embedding) -> None:
        self.name = inner.name
        self.passages = inner.passages
        self._query = cache(lambda text: inner.queries([text])[0])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed queries, one row each."""
        return np.stack([self._query(text) for text in texts])


class SharedRetrieval:
    """Opens the RAG of each cell over what the cells before it have retrieved."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._indexes: dict[str | None, HybridIndex] = {}
        self._key: object = None
        self._retrieved: dict[str, RetrievedPassages] = {}

    def opener(
        self, config: EvaluationConfig, queries: Sequence[Query]
    ) -> Callable[[Model], AbstractAsyncContextManager[System]]:
        """Return a function that opens the cell's system, given the model of the built-in RAG."""
        own = own_system(config, queries)

        def opened(model: Model) -> AbstractAsyncContextManager[System]:
            index, cache = self.index(config), self._passages(config)
            return nullcontext(rag_system(config, index, model, cache=cache))

        return (lambda _: own) if own else opened

    def index(self, config: EvaluationConfig) -> HybridIndex:
        """Return the index of the cell's embedding, opened once."""
        if config.embedding not in self._indexes:
            run = indexed_run(config)
            index = open_index(run, RememberingEmbedding(embedding_of(config, run)))
            self._indexes[config.embedding] = self._stack.enter_context(index)
        return self._indexes[config.embedding]

    def _passages(self, config: EvaluationConfig) -> dict[str, RetrievedPassages]:
        """Return what the same retrieval returned so far; only the latest one is kept."""
        key: list[object] = [config.model_dump(include=set(_OF_RETRIEVAL))]
        if config.rewriting != "none" or config.reranker == "model":
            key += [config.model, config.base_url, config.prompts]
        if key != self._key:
            self._key, self._retrieved = key, {}
        return self._retrieved
