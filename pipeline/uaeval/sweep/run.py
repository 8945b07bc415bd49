"""Run a sweep: evaluate the cells of a grid one after another, and write the table."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from uaeval.config import RESPONSES
from uaeval.evaluation.compare import Comparison, compare
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.run import JUDGEMENTS
from uaeval.formats.query_source import QuerySource, read_query_source
from uaeval.jobs import evaluate_with, finished_run, other_judges, prompt_hashes, roles
from uaeval.llm.batch.requests import retry_failures
from uaeval.llm.roles import role_usage
from uaeval.prompts import open_prompts
from uaeval.records import Failure
from uaeval.report.sweep import RankedCell, write_sweep
from uaeval.run.progress import ProgressListener
from uaeval.run.ray_calls import answer_round, check_model
from uaeval.run.run import open_run
from uaeval.run_folder import ModelUsage
from uaeval.storage import file_print
from uaeval.sweep.grid import Cell, Grid
from uaeval.sweep.shared_retrieval import SharedRetrieval
from uaeval.systems.kind import content_hash
from uaeval.systems.retrieval import check_reranker


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
