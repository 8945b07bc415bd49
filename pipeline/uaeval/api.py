"""The whole job, as the command line and Python programs call it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path

from uaeval.config import EvaluationConfig, SynthesisConfig, build
from uaeval.errors import ConfigError, StorageError
from uaeval.evaluation.estimate import measure
from uaeval.evaluation.judging.other_judges import ask_others, write_others
from uaeval.evaluation.leakage import leakage
from uaeval.evaluation.manifest import (
    EvaluationManifest,
    read_manifest,
    refuse_other,
)
from uaeval.evaluation.metrics.expected import texts_of
from uaeval.evaluation.metrics.judged import Sources
from uaeval.evaluation.metrics.on_demand import measure_further, write_further
from uaeval.evaluation.metrics.registry import check_judge, judged_metrics
from uaeval.evaluation.recorded_evaluation import note_asked
from uaeval.evaluation.run import Evaluation, has_responses
from uaeval.evaluation.run import evaluate as run_evaluation
from uaeval.formats.export import read_queries
from uaeval.formats.query_source import QuerySource, laid_out, what_is_asked
from uaeval.llm.forecast import RoleForecast, RolePrices, amounts
from uaeval.llm.model import Model
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import ModelSettings, Role, role_of
from uaeval.llm.sizing import SizingModel
from uaeval.llm.store import ResponseStore
from uaeval.metric_names import BUILT_IN
from uaeval.model_names import OFFLINE
from uaeval.offline.model import ANSWERED
from uaeval.prompts import JUDGING, PromptLibrary, open_prompts
from uaeval.report.context import context_of
from uaeval.report.markdown import evaluation_report
from uaeval.report.scores import write_scores
from uaeval.run.progress import NoProgress, ProgressListener
from uaeval.run.run import Run, open_run
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import stream_journal, write_text
from uaeval.synthesis.run import synthesize as run_synthesis
from uaeval.systems.named import RAG, from_object, kind_of, name_of, own_system, recorded_hash
from uaeval.systems.rag import prompts_of, rag_system
from uaeval.systems.rag_index import index_of, indexed_run
from uaeval.systems.reranking import check_reranker
from uaeval.systems.system import System
from uaeval.types import Chunk, Query


def synthesize(knowledge_base: str | Path, output: str | Path, **settings: object) -> Manifest:
    """Write a dataset into `output`; settings are those of `SynthesisConfig`.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
        RunAborted: the models cannot be asked any more; call again to resume.
    """
    config = build(
        SynthesisConfig, knowledge_base=str(knowledge_base), output=Path(output), **settings
    )
    return asyncio.run(synthesize_run(config, NoProgress()))


def evaluate(dataset: str | Path, system: object = "rag", **settings: object) -> Evaluation:
    """Evaluate a system on the dataset of a run; settings are those of `EvaluationConfig`.

    `system` is a name as on the command line, or a function or LangChain runnable itself; of two
    of these that are called alike, `name` keeps the evaluations apart.

    Raises:
        UsageError: the dataset or a setting cannot be used.
        RunAborted: the models cannot be asked any more; call again to resume.
    """
    called = system if isinstance(system, str) else name_of(system)
    config = build(EvaluationConfig, dataset=Path(dataset), system=called, **settings)
    own = None if isinstance(system, str) else from_object(config, system)
    return asyncio.run(evaluate_run(config, NoProgress(), own=own))


async def synthesize_run(
    config: SynthesisConfig, progress: ProgressListener, *, refresh: bool = False
) -> Manifest:
    """Synthesize as `config` says; add the easy-item and leakage figures to the manifest."""
    given = read_queries(config.queries) if config.queries else ()
    manifest = await run_synthesis(config, progress, refresh=refresh, given=given)
    if manifest.status == "complete" and not manifest.leakage:
        run = RunFolder(config.output)
        manifest.leakage = [asdict(figures) for figures in leakage(run.queries())]
        run.write_manifest(manifest)
    return manifest


async def evaluate_run(
    config: EvaluationConfig, progress: ProgressListener, own: System | None = None
) -> Evaluation:
    """Evaluate as `config` says; leave journals, scores and report in the evaluation's folder.

    `own` is the system that the settings name, if it is open already.
    """
    config = config.model_copy(update={"dataset": laid_out(config.dataset)})
    asked = what_is_asked(finished_run(config), config.controls)
    system = nullcontext(own) if own else own_system(config, asked.queries)

    def opened(model: Model) -> AbstractAsyncContextManager[System]:
        return system or _rag(config, model, progress)

    return await evaluate_with(config, asked, opened, progress)


async def evaluate_with(
    config: EvaluationConfig,
    asked: QuerySource,
    opened: Callable[[Model], AbstractAsyncContextManager[System]],
    progress: ProgressListener,
    *,
    store: ResponseStore | None = None,
    sweep: str | None = None,
) -> Evaluation:
    """Evaluate the system that `opened` opens, given its model, on the queries `asked`.

    The cells of a `sweep` share its `store`.
    """
    folder = evaluation_folder(config)
    earlier = read_manifest(folder / "manifest.json")
    async with open_run(
        folder, config, _roles(config), progress, earlier=earlier, store=store
    ) as run:
        manifest = _manifest(config, asked, run, sweep)
        if earlier and (earlier.status == "waiting" or has_responses(folder)):
            refuse_other(earlier, manifest, folder)
        run.start(manifest)
        note_asked(folder, asked.queries, altered=asked.altered)
        found = await _evaluated(config, asked.queries, opened, run)
        _finish(manifest, found)
    write_scores(folder / "scores.json", found.scores)
    about = context_of(manifest, folder.name, str(config.dataset), leakage(found.queries))
    write_text(folder / "report.md", evaluation_report(found, about))
    return found


async def _evaluated(
    config: EvaluationConfig,
    queries: Sequence[Query],
    opened: Callable[[Model], AbstractAsyncContextManager[System]],
    run: Run,
) -> Evaluation:
    """Ask and judge, measure further, and ask the other judges."""
    others = [
        run.models.built(ModelSettings.of(config, name, config.judge_url))
        for name in config.other_judges
    ]
    judges = (*run.models.samples(Role.JUDGE), *(others if config.majority else ()))
    async with opened(run.models[Role.SYSTEM]) as system:
        found = await run_evaluation(queries, system, judges, run.folder, config, run.progress)
    found = await _with_further(found, config, run)
    if not others:
        return found
    judgements = await ask_others(
        queries,
        found.responses,
        (run.models[Role.JUDGE], *others),
        config.policy,
        concurrency=config.concurrency,
        progress=run.progress,
    )
    write_others(run.folder, judgements)
    return found.with_others(judgements)


def evaluation_folder(config: EvaluationConfig) -> Path:
    """Return the folder that the evaluation is written into."""
    return config.dataset / "evaluations" / config.folder_name


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
        await measure(queries, rag_system(config, index, sizing), sizing, config.policy)
    models = {role: settings.name for role, settings in _roles(config).items()}
    batch = config.mode == "batch"
    terms = RolePrices(models=models, prices=open_prices(config.prices), batch=batch)
    calls = {
        prompt: count * (config.samples if role_of(prompt) is Role.JUDGE else 1)
        for prompt, count in sizing.calls().items()
    }
    return amounts(calls, sizing.sizes(), terms)


async def _with_further(found: Evaluation, config: EvaluationConfig, run: Run) -> Evaluation:
    """Add the attribution of bad responses, and the metrics on demand."""
    judge = run.models[Role.JUDGE]
    path = RunFolder(config.index or config.dataset).chunks_path
    chunks = stream_journal(path, Chunk) if path.exists() else ()
    sources = Sources(
        judge=judge,
        texts=texts_of(chunks, found.queries),
        folder=config.dataset,
        prompts=run.prompts,
    )
    further = await measure_further(
        found.queries,
        found.responses,
        found.judgements,
        config.metrics,
        sources,
        concurrency=config.concurrency,
        progress=run.progress,
    )
    write_further(found.folder, further)
    return replace(
        found,
        further=further,
        scores=(*found.scores, *further.scores),
        failures=(*found.failures, *further.failures),
        blocked=(*found.blocked, *further.blocked),
        waiting=found.waiting + further.waiting,
    )


def finished_run(config: EvaluationConfig) -> RunFolder:
    """Return the folder of the dataset.

    Raises:
        UsageError: it is no finished run, or the system cannot be meant, has no index or lacks
            its reranker.
    """
    kind = kind_of(config)
    if config.judge_name == OFFLINE:
        check_judge(config.metrics, ANSWERED)
    run = RunFolder(config.dataset)
    synthesis = run.manifest()
    if kind == RAG:
        indexed_run(config)
        check_reranker(config.reranker)
    if synthesis and synthesis.status not in {"complete", "lacking"}:
        raise StorageError(f"{run.path} is not finished; run its synthesize command to the end")
    return run


@asynccontextmanager
async def _rag(
    config: EvaluationConfig, model: Model, progress: ProgressListener
) -> AsyncIterator[System]:
    progress.started("opening the index")
    with index_of(config) as index:
        yield rag_system(config, index, model, timed=config.mode == "live")


def _roles(config: EvaluationConfig) -> dict[Role, ModelSettings]:
    return {
        Role.SYSTEM: ModelSettings.of(config, config.model, config.base_url),
        Role.JUDGE: ModelSettings.of(config, config.judge_name, config.judge_url, config.samples),
    }


def _manifest(
    config: EvaluationConfig, asked: QuerySource, run: Run, sweep: str | None
) -> EvaluationManifest:
    roles = (Role.SYSTEM, Role.JUDGE) if kind_of(config) == RAG else (Role.JUDGE,)
    return EvaluationManifest(
        status="running",
        settings=config.decisive(),
        dataset=asked.digest,
        recorded=recorded_hash(config),
        versions={name: version(name) for name in ("uaeval", "chromadb", "langchain-core")},
        prompts=prompt_hashes(config, run.prompts, asked),
        models={role: run.models[role].name for role in roles},
        queries=len(asked.queries),
        sweep=sweep,
    )


def prompt_hashes(
    config: EvaluationConfig, library: PromptLibrary, asked: QuerySource
) -> dict[str, str]:
    """Return the SHA-256 of each prompt that an evaluation of these queries may put, by name."""
    categories = {query.category for query in asked.queries}
    own = prompts_of(config) if kind_of(config) == RAG else ()
    metrics = judged_metrics()
    names = [entry.name for entry in BUILT_IN] + [*config.metrics]
    further = sorted({prompt for name in names for prompt in metrics[name].prompts})
    return library.hashes(JUDGING, categories) | library.hashes_of([*further, *own])


def _finish(manifest: EvaluationManifest, found: Evaluation) -> None:
    manifest.status = "waiting" if found.waiting else "lacking" if found.failures else "complete"
    manifest.responses = len(found.responses)
    manifest.blocked = found.blocked_counts
    manifest.stopped_parts = found.stopped_parts
    manifest.judgements = len(found.judgements)
    manifest.undecided = found.undecided_counts
    manifest.latency = found.latency
    stages = Counter(failure.stage for failure in found.failures)
    asked = ("respond", "judge", *(("other_judge",) if found.others else ()))
    manifest.failures = dict.fromkeys(asked, 0) | stages
