"""Synthesize a dataset, or evaluate a system, as the command line and the Python API do."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from importlib.metadata import version

from uaeval.config import EvaluationConfig, SynthesisConfig
from uaeval.evaluation.evaluation import SCORES, Evaluation, write_altered_queries, write_scores
from uaeval.evaluation.judging.further_judges import ask_others
from uaeval.evaluation.leakage import leakage
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.evaluation.metrics.attribution import texts_of
from uaeval.evaluation.metrics.judged import Sources
from uaeval.evaluation.metrics.names import BUILT_IN
from uaeval.evaluation.metrics.on_demand import measure_further
from uaeval.evaluation.metrics.registry import check_judge, judged_metrics
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.evaluation.run import evaluate as run_evaluation
from uaeval.formats.format import read_queries
from uaeval.formats.query_source import QuerySource, dataset_folder, read_query_source
from uaeval.llm.batch.requests import retry_failures
from uaeval.llm.model import Model
from uaeval.llm.names import OFFLINE
from uaeval.llm.roles import ModelSettings, Role
from uaeval.llm.store import ResponseStore
from uaeval.offline.model import TABLE
from uaeval.prompts import JUDGING, PromptLibrary, open_prompts
from uaeval.report.markdown import evaluation_report
from uaeval.run.progress import ProgressListener
from uaeval.run.ray_calls import answer_round
from uaeval.run.run import Run, open_run, reopen_run
from uaeval.run_folder import Manifest, RunFolder
from uaeval.runner import is_undecided
from uaeval.storage import write_text
from uaeval.synthesis.run import roles_of
from uaeval.synthesis.run import synthesize as run_synthesis
from uaeval.systems.kind import RAG, content_hash, kind_of, own_system
from uaeval.systems.rag import embedding_of, indexed_run, open_index, prompts_of, rag_system
from uaeval.systems.retrieval import check_reranker
from uaeval.systems.system import System


async def synthesize_run(
    config: SynthesisConfig, progress: ProgressListener, *, refresh: bool = False
) -> Manifest:
    """Synthesize the dataset of `config`; add the easy-item and leakage figures to its manifest."""
    own_queries = read_queries(config.queries) if config.queries else ()
    earlier = RunFolder(config.output).manifest() if config.on_ray else None
    if earlier and earlier.status != "complete":
        with reopen_run(config.output, earlier) as run:
            retry_failures(run.store)
    manifest = await run_synthesis(config, progress, refresh=refresh, given=own_queries)
    while config.on_ray and manifest.status == "waiting":
        roles = roles_of(config)
        async with open_run(config.output, config, roles, progress, earlier=manifest) as run:
            await answer_round(run, config.engine)
        manifest = await run_synthesis(config, progress, given=own_queries)
    if manifest.status == "complete" and not manifest.leakage:
        folder = RunFolder(config.output)
        manifest.leakage = leakage(folder.queries())
        folder.write_manifest(manifest)
    return manifest


async def evaluate_run(
    config: EvaluationConfig, progress: ProgressListener, opened: System | None = None
) -> Evaluation:
    """Run the evaluation of `config`; write journals, scores and report to the evaluation's folder.

    `opened` is the system under test if it is open already; otherwise the settings name it.
    """
    config = config.model_copy(update={"dataset": dataset_folder(config.dataset)})
    source = read_query_source(finished_run(config), config.controls)
    own = nullcontext(opened) if opened else own_system(config, source.queries)

    @asynccontextmanager
    async def rag(model: Model) -> AsyncIterator[System]:
        progress.started("opening the index")
        run = indexed_run(config)
        with open_index(run, embedding_of(config, run)) as index:
            yield rag_system(config, index, model, timed=not config.queued)

    return await evaluate_with(
        config, source, lambda model: own or rag(model), progress, opened=opened
    )


async def evaluate_with(
    config: EvaluationConfig,
    source: QuerySource,
    open_system: Callable[[Model], AbstractAsyncContextManager[System]],
    progress: ProgressListener,
    *,
    opened: System | None = None,
    store: ResponseStore | None = None,
    sweep: str | None = None,
) -> Evaluation:
    """Evaluate the system that `open_system` returns for the system model, on the queries `source`.

    The cells of a `sweep` share its `store`; on Ray, a cell returns once its requests are queued.
    """
    folder = config.folder
    earlier = read_manifest(folder / "manifest.json")
    asked = {query.category for query in source.queries if query.category}
    open_prompts(config.prompts).check_categories(asked, JUDGING)
    async with open_run(
        folder, config, roles(config), progress, earlier=earlier, store=store
    ) as run:
        manifest = _manifest(config, source, run, opened, sweep)
        if earlier and (earlier.status == "waiting" or config.has_responses):
            manifest.refuse_other(earlier, folder)
        run.start(manifest)
        write_altered_queries(folder, source.queries, altered=source.altered)
        evaluation = Evaluation(folder=folder, manifest=manifest)
        own_rounds = config.on_ray and store is None
        if own_rounds:
            retry_failures(run.store)
        while (
            waiting := await _evaluate_round(config, evaluation, open_system, run)
        ) and own_rounds:
            await answer_round(run, config.engine)
            evaluation = replace(evaluation)  # a new object reads the changed files again
        evaluation = replace(evaluation, waiting=waiting)
        _finish(manifest, evaluation)
    write_text(folder / "report.md", evaluation_report(evaluation))
    return evaluation


async def _evaluate_round(
    config: EvaluationConfig,
    evaluation: Evaluation,
    open_system: Callable[[Model], AbstractAsyncContextManager[System]],
    run: Run,
) -> int:
    """Collect responses, judge and score them, and return the number of pending replies."""
    others = [run.models.built(settings) for settings in other_judges(config)]
    judges = (*run.models.samples(Role.JUDGE), *(others if config.majority else ()))
    queries = evaluation.queries
    async with open_system(run.models[Role.SYSTEM]) as system:
        waiting = await run_evaluation(queries, system, judges, run.folder, config, run.progress)
    index = RunFolder(config.index or config.dataset)
    sources = Sources(
        judge=run.models[Role.JUDGE],
        texts=texts_of(index.chunks_path, queries),
        folder=config.dataset,
        prompts=run.models.prompts,
    )
    further, pending = await measure_further(evaluation, sources, config, run.progress)
    scores = item_scores(evaluation.items, weights=config.weights)
    write_scores(run.folder / SCORES, (*scores, *further))
    if others:
        all_judges = (run.models[Role.JUDGE], *others)
        waiting += await ask_others(evaluation.cases, all_judges, run.folder, config, run.progress)
    return waiting + pending


def finished_run(config: EvaluationConfig) -> RunFolder:
    """Return the run folder of the dataset, after checks of the system and the judge.

    Raise `UsageError` if it is not finished, or the system, its index or its reranker is missing.
    """
    kind = kind_of(config).name
    if config.judge_name == OFFLINE:
        check_judge(config.metrics, frozenset(TABLE))
    run = RunFolder(config.dataset)
    if run.manifest():
        run.finished()
    if kind == RAG:
        indexed_run(config)
        check_reranker(config.reranker)
    return run


def roles(config: EvaluationConfig) -> dict[Role, ModelSettings]:
    """Return the settings of an evaluation's models, by role."""
    return {
        Role.SYSTEM: ModelSettings.of(config, config.model, config.base_url),
        Role.JUDGE: ModelSettings.of(config, config.judge_name, config.judge_url, config.samples),
    }


def other_judges(config: EvaluationConfig) -> list[ModelSettings]:
    """Return the settings of the judges after the first."""
    return [ModelSettings.of(config, name, config.judge_url) for name in config.other_judges]


def _manifest(
    config: EvaluationConfig,
    source: QuerySource,
    run: Run,
    opened: System | None,
    sweep: str | None,
) -> EvaluationManifest:
    synthesis = RunFolder(config.dataset).manifest()
    roles = (Role.SYSTEM, Role.JUDGE) if kind_of(config).name == RAG else (Role.JUDGE,)
    return EvaluationManifest(
        status="running",
        settings=config.decisive(),
        dataset=source.digest,
        recorded=content_hash(config, opened),
        versions={name: version(name) for name in ("uaeval", "bm25s", "langchain-core")},
        prompts=prompt_hashes(config, run.models.prompts, source),
        models={role: run.models[role].name for role in roles},
        queries=len(source.queries),
        marked_invalid=source.marked_invalid,
        sweep=sweep,
        omissions=[*synthesis.knowledge_base.omissions] if synthesis else [],
    )


def prompt_hashes(
    config: EvaluationConfig, library: PromptLibrary, source: QuerySource
) -> dict[str, str]:
    """Return the SHA-256 of each prompt that an evaluation of these queries may use, by name."""
    categories = {query.category for query in source.queries}
    rag_prompts = prompts_of(config) if kind_of(config).name == RAG else ()
    metrics = judged_metrics()
    metric_names = [metric.name for metric in BUILT_IN] + [*config.metrics]
    metric_prompts = sorted({prompt for name in metric_names for prompt in metrics[name].prompts})
    return library.hashes(JUDGING, categories) | library.hashes_of([*metric_prompts, *rag_prompts])


def _finish(manifest: EvaluationManifest, evaluation: Evaluation) -> None:
    is_lacking = not all(map(is_undecided, evaluation.failures))
    manifest.status = "waiting" if evaluation.waiting else "lacking" if is_lacking else "complete"
    manifest.responses = len(evaluation.responses)
    manifest.blocked = evaluation.blocked_counts
    manifest.stopped_parts = evaluation.stopped_parts
    manifest.judgements = len(evaluation.judgements)
    manifest.undecided = evaluation.undecided_counts
    manifest.latency = evaluation.latency
    failures = Counter(failure.stage for failure in evaluation.failures)
    expected = ("respond", "judge", *(("other_judge",) if evaluation.others else ()))
    manifest.failures = dict.fromkeys(expected, 0) | failures
