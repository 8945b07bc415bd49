"""The whole job, as the command line and Python programs call it."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from uaeval.config import EvaluationConfig, SynthesisConfig, build
from uaeval.errors import ConfigError, StorageError
from uaeval.evaluation.leakage import leakage
from uaeval.evaluation.manifest import (
    EvaluationManifest,
    dataset_hash,
    read_manifest,
    refuse_other,
    write_manifest,
)
from uaeval.evaluation.run import Evaluation, Settings
from uaeval.evaluation.run import evaluate as run_evaluation
from uaeval.knowledge.embedding import embedding_named
from uaeval.knowledge.index import build_or_open
from uaeval.llm.roles import Models, ModelSettings, Role, with_usage
from uaeval.llm.store import ResponseStore
from uaeval.prompts import EVALUATION, PromptLibrary, open_prompts
from uaeval.report.markdown import About, evaluation_report
from uaeval.report.scores import write_scores
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import make_folder, read_journal, write_text
from uaeval.synthesis.run import synthesize as run_synthesis
from uaeval.synthesis.watcher import Silent, Watcher
from uaeval.systems.rag import RagSystem
from uaeval.types import Chunk

SYSTEMS = ("rag",)


def synthesize(knowledge_base: str | Path, output: str | Path, **settings: object) -> Manifest:
    """Write a dataset into `output`; settings are those of `SynthesisConfig`.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
        StopRun: the models cannot be asked any more; call again to go on.
    """
    config = build(
        SynthesisConfig, knowledge_base=str(knowledge_base), output=Path(output), **settings
    )
    return asyncio.run(synthesize_run(config, Silent()))


def evaluate(dataset: str | Path, **settings: object) -> Evaluation:
    """Evaluate a system on the dataset of a run; settings are those of `EvaluationConfig`.

    Raises:
        UsageError: the dataset or a setting cannot be used.
        StopRun: the models cannot be asked any more; call again to go on.
    """
    config = build(EvaluationConfig, dataset=Path(dataset), **settings)
    return asyncio.run(evaluate_run(config, lambda _text, _count: None, lambda _outcome: None))


async def synthesize_run(
    config: SynthesisConfig, watcher: Watcher, *, refresh: bool = False
) -> Manifest:
    """Synthesize as `config` says; add the easy-item and leakage figures to the manifest."""
    manifest = await run_synthesis(config, watcher, refresh=refresh)
    if manifest.status == "complete" and not manifest.leakage:
        run = RunFolder(config.output)
        manifest.leakage = [asdict(figures) for figures in leakage(run.queries())]
        run.write_manifest(manifest)
    return manifest


async def evaluate_run(
    config: EvaluationConfig, phase: Callable[[str, int], None], done: Callable[[object], None]
) -> Evaluation:
    """Evaluate as `config` says; leave journals, scores and report in the evaluation's folder."""
    if config.system not in SYSTEMS:
        raise ConfigError(f"unknown system {config.system!r}; known systems: {', '.join(SYSTEMS)}")
    run = RunFolder(config.dataset)
    synthesis = run.manifest()
    if synthesis is None:
        raise StorageError(f"{run.path} is not the folder of a run: it has no manifest.json")
    if synthesis.status not in {"complete", "lacking"}:
        raise StorageError(f"{run.path} is not finished; run its synthesize command to the end")
    queries = run.queries()
    folder = run.path / "evaluations" / (config.name or config.system)
    library = open_prompts(config.prompts)
    make_folder(folder)
    with ResponseStore(folder / "responses.sqlite") as store:
        models = _models(config, library, store)
        manifest = _manifest(config, run, library, models, len(queries))
        _start(folder, manifest)
        phase("opening the index", 0)
        vectors = embedding_named(synthesis.knowledge_base.embedding)
        index = build_or_open(read_journal(run.chunks_path, Chunk), run.index_path, vectors)
        system = RagSystem(index, models[Role.SYSTEM], k=config.k)
        settings = Settings(
            policy=config.policy, weights=config.weights, concurrency=config.concurrency
        )
        try:
            found = await run_evaluation(
                queries, system, models[Role.JUDGE], folder, settings, phase=phase, done=done
            )
        finally:
            manifest.usage = with_usage(manifest.usage, models.usage())
            write_manifest(folder / "manifest.json", manifest)
        _finish(manifest, found)
    write_manifest(folder / "manifest.json", manifest)
    write_scores(folder / "scores.json", found.scores)
    write_text(folder / "report.md", evaluation_report(found, _about(config, manifest, found)))
    return found


def _about(config: EvaluationConfig, manifest: EvaluationManifest, found: Evaluation) -> About:
    return About(
        dataset=str(config.dataset),
        system=config.system,
        system_model=manifest.models[Role.SYSTEM],
        judge=manifest.models[Role.JUDGE],
        policy=config.policy,
        weights=config.weights,
        leakage=leakage(found.queries),
    )


def _models(config: EvaluationConfig, library: PromptLibrary, store: ResponseStore) -> Models:
    parts = {
        Role.SYSTEM: ModelSettings.of(config, config.model),
        Role.JUDGE: ModelSettings.of(config, config.judge or config.model),
    }
    return Models(parts, library, store=store)


def _manifest(
    config: EvaluationConfig, run: RunFolder, library: PromptLibrary, models: Models, queries: int
) -> EvaluationManifest:
    return EvaluationManifest(
        status="running",
        settings=config.decisive(),
        dataset=dataset_hash(run.queries_path),
        versions={name: version(name) for name in ("uaeval", "chromadb", "langchain-core")},
        prompts=library.hashes(EVALUATION),
        models={role: models[role].name for role in (Role.SYSTEM, Role.JUDGE)},
        queries=queries,
    )


def _start(folder: Path, manifest: EvaluationManifest) -> None:
    path = folder / "manifest.json"
    earlier = read_manifest(path)
    if earlier:
        refuse_other(earlier, manifest, folder)
        manifest.usage = earlier.usage
    write_manifest(path, manifest)


def _finish(manifest: EvaluationManifest, found: Evaluation) -> None:
    manifest.status = "waiting" if found.waiting else "lacking" if found.failures else "complete"
    manifest.responses = len(found.responses)
    manifest.blocked = found.blocked_counts
    manifest.judgements = len(found.judgements)
    stages = [failure.stage for failure in found.failures]
    manifest.failures = {stage: stages.count(stage) for stage in ("respond", "judge")}
