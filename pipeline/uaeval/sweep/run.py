"""Run a sweep: evaluate the cells of a grid one after another, and write the table."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import cache

import numpy as np

from uaeval.config import RESPONSES, EvaluationConfig, RagSettings
from uaeval.evaluation.compare import Comparison, compare
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.run import JUDGEMENTS
from uaeval.formats.query_source import QuerySource, read_query_source
from uaeval.jobs import evaluate_with, finished_run, other_judges, prompt_hashes, roles
from uaeval.knowledge.embedding import Embedding, Vectors
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.batch.requests import retry_failures
from uaeval.llm.model import Model
from uaeval.llm.roles import role_usage
from uaeval.prompts import open_prompts
from uaeval.records import Failure, Query
from uaeval.report.sweep import RankedCell, write_sweep
from uaeval.run.progress import ProgressListener
from uaeval.run.ray_calls import answer_round, check_model
from uaeval.run.run import open_run
from uaeval.run_folder import ModelUsage
from uaeval.storage import file_print
from uaeval.sweep.grid import Cell, Grid
from uaeval.systems.kind import content_hash, own_system
from uaeval.systems.rag import embedding_of, indexed_run, open_index, rag_system
from uaeval.systems.retrieval import RetrievedPassages, check_reranker
from uaeval.systems.system import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The ranked cells of a sweep, and their comparisons."""

    ranked: tuple[RankedCell, ...]
    """The cells, by descending joint score."""
    comparisons: tuple[Comparison, ...]
    """Comparisons of the joint scores of every two cells, corrected together."""
    failures: tuple[Failure, ...]
    usage: tuple[ModelUsage, ...]


async def run_sweep(grid: Grid, progress: ProgressListener) -> Sweep:
    """Run the cells that are not complete, compare all of them, and write the table.

    Raises:
        UsageError: the dataset or a cell cannot be used.
        RunAborted: no further model call can succeed; run it again to resume.
    """
    by_system = {cell.config.system: cell.config for cell in grid.cells}
    dataset, *_ = [finished_run(config) for config in by_system.values()]
    for reranker in sorted({cell.config.reranker for cell in grid.cells}):
        check_reranker(reranker)
    config = grid.cells[0].config
    source = read_query_source(dataset, config.controls)
    todo = {n: cell for n, cell in enumerate(grid.cells, 1) if not is_complete(cell, source)}
    configs = [cell.config for cell in todo.values()]
    models = dict.fromkeys(
        model for each in configs for model in (*roles(each).values(), *other_judges(each))
    )
    for model in models:
        # Before any call, check that every model has a known name, its package and its key.
        check_model(model)
    async with open_run(grid.folder, config, {}, progress) as run:
        if config.on_ray:
            retry_failures(run.store)
            for model in models:
                run.models.built(model)
        with ExitStack() as stack:
            shared = SharedRetrieval(stack)

            async def evaluate_cell(number: int, cell: Cell) -> int:
                title = ", ".join(map(str, cell.values.values()))
                progress.started(f"cell {number} of {len(grid.cells)}: {title}")
                opener = shared.opener(cell.config, source.queries)
                evaluation = await evaluate_with(
                    cell.config, source, opener, progress, store=run.store, sweep=grid.name
                )
                return evaluation.waiting

            # On Ray one round answers the requests of all cells.
            while todo := {n: cell for n, cell in todo.items() if await evaluate_cell(n, cell)}:
                await answer_round(run, config.engine)
        usage = role_usage(run.models.ledger)
    progress.started("comparing the cells")
    sweep = _compare_cells(grid.cells, usage)
    write_sweep(grid.folder, grid.axes, sweep.ranked, sweep.comparisons, sweep.usage)
    return sweep


def is_complete(cell: Cell, source: QuerySource) -> bool:
    """Return whether the cell has been evaluated with these settings, prompts and queries."""
    folder = cell.config.folder
    manifest = read_manifest(folder / "manifest.json")
    if manifest is None or manifest.status != "complete":
        return False
    records = {folder / RESPONSES: manifest.responses, folder / JUDGEMENTS: manifest.judgements}
    if any(not path.exists() or file_print(path).records != n for path, n in records.items()):
        return False
    prompts = prompt_hashes(cell.config, open_prompts(cell.config.prompts), source)
    inputs = source.digest, prompts, content_hash(cell.config)
    has_same_inputs = (manifest.dataset, manifest.prompts, manifest.recorded) == inputs
    return has_same_inputs and not manifest.other_settings(cell.config.decisive())


def _compare_cells(cells: Sequence[Cell], usage: Sequence[ModelUsage]) -> Sweep:
    ranked = [
        RankedCell(
            evaluation=read_evaluation(cell.config.folder),
            values={axis: str(value) for axis, value in cell.values.items()},
        )
        for cell in cells
    ]
    evaluations = [cell.evaluation for cell in ranked]
    return Sweep(
        ranked=tuple(sorted(ranked, key=RankedCell.place)),
        comparisons=compare(evaluations, primary_only=True) if len(evaluations) > 1 else (),
        failures=tuple(failure for each in evaluations for failure in each.failures),
        usage=tuple(usage),
    )


class CachingEmbedding:
    """An embedding that caches the vectors of queries."""

    def __init__(self, inner: Embedding) -> None:
        self.name = inner.name
        self.passages = inner.passages
        self._query = cache(lambda text: inner.queries([text])[0])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per query, of shape (queries, dimensions)."""
        return np.stack([self._query(text) for text in texts])


class SharedRetrieval:
    """Opens the system of each cell; cells with the same retrieval share their results."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._indexes: dict[str | None, HybridIndex] = {}
        self._key: object = None
        self._retrieved: dict[str, RetrievedPassages] = {}

    def opener(
        self, config: EvaluationConfig, queries: Sequence[Query]
    ) -> Callable[[Model], AbstractAsyncContextManager[System]]:
        """Return a function that opens the cell's system, given the built-in RAG's model."""
        own = own_system(config, queries)

        def open_rag(model: Model) -> AbstractAsyncContextManager[System]:
            index, cache = self.index(config), self._passages(config)
            return nullcontext(rag_system(config, index, model, cache=cache))

        return (lambda _: own) if own else open_rag

    def index(self, config: EvaluationConfig) -> HybridIndex:
        """Return the index of the cell's embedding; each is opened once."""
        if config.embedding not in self._indexes:
            run = indexed_run(config)
            index = open_index(run, CachingEmbedding(embedding_of(config, run)))
            self._indexes[config.embedding] = self._stack.enter_context(index)
        return self._indexes[config.embedding]

    def _passages(self, config: EvaluationConfig) -> dict[str, RetrievedPassages]:
        """Return the cache of the cell's retrieval; only the latest retrieval has one."""
        settings = RagSettings.model_fields.keys() - {"answer_prompt"}
        key: list[object] = [config.model_dump(include=settings)]
        if config.rewriting != "none" or config.reranker == "model":
            key += [config.model, config.base_url, config.prompts]
        if key != self._key:
            self._key, self._retrieved = key, {}
        return self._retrieved
