"""Whole jobs: synthesize a dataset, evaluate a system; the command line and the API call them."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from importlib.metadata import version

from uaeval.config import EvaluationConfig, SynthesisConfig
from uaeval.evaluation.evaluation import SCORES, Evaluation, note_asked, write_scores
from uaeval.evaluation.judging.agreement import ask_others
from uaeval.evaluation.leakage import leakage
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.evaluation.metrics.attribution import texts_of
from uaeval.evaluation.metrics.judged import Sources
from uaeval.evaluation.metrics.names import BUILT_IN
from uaeval.evaluation.metrics.on_demand import measure_further
from uaeval.evaluation.metrics.registry import check_judge, judged_metrics
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.evaluation.run import evaluate as run_evaluation
from uaeval.evaluation.run import has_responses
from uaeval.formats.export import read_queries
from uaeval.formats.query_source import QuerySource, laid_out, what_is_asked
from uaeval.llm.batch.requests import retry_failures
from uaeval.llm.model import Model
from uaeval.llm.names import OFFLINE
from uaeval.llm.roles import ModelSettings, Role
from uaeval.llm.store import ResponseStore
from uaeval.offline.model import ANSWERED
from uaeval.prompts import JUDGING, PromptLibrary
from uaeval.report.markdown import evaluation_report
from uaeval.run.progress import ProgressListener
from uaeval.run.ray_calls import answer_round
from uaeval.run.run import Run, open_run, reopen_run
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import write_text
from uaeval.synthesis.run import roles_of
from uaeval.synthesis.run import synthesize as run_synthesis
from uaeval.systems.named import RAG, kind_of, own_system, recorded_hash
from uaeval.systems.rag import index_of, indexed_run, prompts_of, rag_system
from uaeval.systems.reranking import check_reranker
from uaeval.systems.system import System


async def synthesize_run(
    config: SynthesisConfig, progress: ProgressListener, *, refresh: bool = False
) -> Manifest:
    """Synthesize as `config` says; add the easy-item and leakage figures to the manifest."""
    given = read_queries(config.queries) if config.queries else ()
    earlier = RunFolder(config.output).manifest() if config.on_ray else None
    if earlier and earlier.status != "complete":
        with reopen_run(config.output, earlier) as run:
            retry_failures(run.store)
    manifest = await run_synthesis(config, progress, refresh=refresh, given=given)
    while config.on_ray and manifest.status == "waiting":
        roles = roles_of(config)
        async with open_run(config.output, config, roles, progress, earlier=manifest) as run:
            await answer_round(run, config.engine)
        manifest = await run_synthesis(config, progress, given=given)
    if manifest.status == "complete" and not manifest.leakage:
        folder = RunFolder(config.output)
        manifest.leakage = leakage(folder.queries())
        folder.write_manifest(manifest)
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

    @asynccontextmanager
    async def rag(model: Model) -> AsyncIterator[System]:
        progress.started("opening the index")
        with index_of(config) as index:
            yield rag_system(config, index, model, timed=not config.queued)

    return await evaluate_with(config, asked, lambda model: system or rag(model), progress)


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

    The cells of a `sweep` share its `store`. On Ray these return once their requests are queued.
    """
    folder = config.folder
    earlier = read_manifest(folder / "manifest.json")
    async with open_run(
        folder, config, roles(config), progress, earlier=earlier, store=store
    ) as run:
        manifest = _manifest(config, asked, run, sweep)
        if earlier and (earlier.status == "waiting" or has_responses(folder)):
            manifest.refuse_other(earlier, folder)
        run.start(manifest)
        note_asked(folder, asked.queries, altered=asked.altered)
        evaluation = Evaluation(folder=folder, manifest=manifest)
        own_rounds = config.on_ray and store is None
        if own_rounds:
            retry_failures(run.store)
        while (waiting := await _evaluated(config, evaluation, opened, run)) and own_rounds:
            await answer_round(run, config.engine)
            evaluation = replace(evaluation)  # it caches what it has read
        evaluation = replace(evaluation, waiting=waiting)
        _finish(manifest, evaluation)
    write_text(folder / "report.md", evaluation_report(evaluation))
    return evaluation


async def _evaluated(
    config: EvaluationConfig,
    evaluation: Evaluation,
    opened: Callable[[Model], AbstractAsyncContextManager[System]],
    run: Run,
) -> int:
    """Ask and judge, measure further, score, and ask the other judges.

    Return how many answers are still to come.
    """
    others = [run.models.built(each) for each in other_judges(config)]
    judges = (*run.models.samples(Role.JUDGE), *(others if config.majority else ()))
    queries = evaluation.queries
    async with opened(run.models[Role.SYSTEM]) as system:
        waiting = await run_evaluation(queries, system, judges, run.folder, config, run.progress)
    index = RunFolder(config.index or config.dataset)
    sources = Sources(
        judge=run.models[Role.JUDGE],
        texts=texts_of(index.chunks_path, queries),
        folder=config.dataset,
        prompts=run.prompts,
    )
    further, awaited = await measure_further(
        evaluation, config.metrics, sources, concurrency=config.concurrency, progress=run.progress
    )
    scores = item_scores(evaluation.items, weights=config.weights)
    write_scores(run.folder / SCORES, (*scores, *further))
    if others:
        everyone, responses = (run.models[Role.JUDGE], *others), evaluation.responses
        waiting += await ask_others(queries, responses, everyone, run.folder, config, run.progress)
    return waiting + awaited


def finished_run(config: EvaluationConfig) -> RunFolder:
    """Return the folder of the dataset.

    Raises:
        UsageError: the run is not finished, the system is unknown, or its index or reranker is
            missing.
    """
    kind = kind_of(config).name
    if config.judge_name == OFFLINE:
        check_judge(config.metrics, ANSWERED)
    run = RunFolder(config.dataset)
    if run.manifest():
        run.finished()
    if kind == RAG:
        indexed_run(config)
        check_reranker(config.reranker)
    return run


def roles(config: EvaluationConfig) -> dict[Role, ModelSettings]:
    """Return the models that an evaluation asks, by role."""
    return {
        Role.SYSTEM: ModelSettings.of(config, config.model, config.base_url),
        Role.JUDGE: ModelSettings.of(config, config.judge_name, config.judge_url, config.samples),
    }


def other_judges(config: EvaluationConfig) -> list[ModelSettings]:
    """Return the judges beside the first."""
    return [ModelSettings.of(config, name, config.judge_url) for name in config.other_judges]


def _manifest(
    config: EvaluationConfig, asked: QuerySource, run: Run, sweep: str | None
) -> EvaluationManifest:
    synthesis = RunFolder(config.dataset).manifest()
    roles = (Role.SYSTEM, Role.JUDGE) if kind_of(config).name == RAG else (Role.JUDGE,)
    return EvaluationManifest(
        status="running",
        settings=config.decisive(),
        dataset=asked.digest,
        recorded=recorded_hash(config),
        versions={name: version(name) for name in ("uaeval", "bm25s", "langchain-core")},
        prompts=prompt_hashes(config, run.prompts, asked),
        models={role: run.models[role].name for role in roles},
        queries=len(asked.queries),
        sweep=sweep,
        omissions=[*synthesis.knowledge_base.omissions] if synthesis else [],
    )


def prompt_hashes(
    config: EvaluationConfig, library: PromptLibrary, asked: QuerySource
) -> dict[str, str]:
    """Return the SHA-256 of each prompt that an evaluation of these queries may put, by name."""
    categories = {query.category for query in asked.queries}
    own = prompts_of(config) if kind_of(config).name == RAG else ()
    metrics = judged_metrics()
    names = [entry.name for entry in BUILT_IN] + [*config.metrics]
    further = sorted({prompt for name in names for prompt in metrics[name].prompts})
    return library.hashes(JUDGING, categories) | library.hashes_of([*further, *own])


def _finish(manifest: EvaluationManifest, evaluation: Evaluation) -> None:
    manifest.status = (
        "waiting" if evaluation.waiting else "lacking" if evaluation.failures else "complete"
    )
    manifest.responses = len(evaluation.responses)
    manifest.blocked = evaluation.blocked_counts
    manifest.stopped_parts = evaluation.stopped_parts
    manifest.judgements = len(evaluation.judgements)
    manifest.undecided = evaluation.undecided_counts
    manifest.latency = evaluation.latency
    stages = Counter(failure.stage for failure in evaluation.failures)
    asked = ("respond", "judge", *(("other_judge",) if evaluation.others else ()))
    manifest.failures = dict.fromkeys(asked, 0) | stages
