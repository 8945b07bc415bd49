"""A whole grading: every model in every condition answers the controls, judges grade."""

from dataclasses import asdict
from functools import partial
from importlib.metadata import version

from uaeval.config import GradingConfig
from uaeval.errors import ConfigError
from uaeval.evaluation.manifest import dataset_hash
from uaeval.grading.manifest import GradingManifest
from uaeval.grading.sample import ANSWER, JUDGE
from uaeval.grading.work import Grading, GradingWork
from uaeval.knowledge.embedding import embedding_named
from uaeval.knowledge.index import HybridIndex
from uaeval.knowledge.retriever import Ranking
from uaeval.llm.roles import ModelSettings
from uaeval.prompts import GRADING, open_prompts
from uaeval.run.progress import ProgressListener
from uaeval.run.run import open_run
from uaeval.run_folder import RunFolder
from uaeval.storage import write_json
from uaeval.systems.conditions import PROMPTS
from uaeval.systems.context_gate import Thresholds
from uaeval.systems.rag_index import open_index
from uaeval.systems.retrieval import Retrieval, RetrievedPassages
from uaeval.types import Query


async def run_grading(config: GradingConfig, progress: ProgressListener) -> Grading:
    """Grade as `config` says; leave records and tables in the grading's folder.

    Raises:
        UsageError: the dataset, a setting or the folder cannot be used.
        RunAborted: the models cannot be asked any more; call again to resume.
    """
    dataset = RunFolder(config.dataset)
    synthesis = dataset.finished()
    queries = _controls(dataset)
    embedding = embedding_named(config.embedding or synthesis.knowledge_base.embedding)
    earlier = GradingManifest.read(config.folder / "manifest.json")
    manifest = _manifest(config, dataset, embedding.name, len(queries))
    if earlier:
        manifest.refuse_other(earlier, config.folder)
    async with open_run(config.folder, config, {}, progress, earlier=earlier) as run:
        model = partial(ModelSettings.of, config)
        answering = [run.models.built(model(name, config.base_url)) for name in config.models]
        judges = [run.models.built(model(name, config.judge_base_url)) for name in config.judges]
        run.start(manifest)
        progress.started("opening the index")
        with open_index(dataset, embedding) as index:
            gate = _thresholds(config, embedding.name)
            work = GradingWork(config, config.folder, judges, _retrieval(config, index), gate)
            await work.run(answering, queries, progress)
        grading = work.found(manifest)
        _finish(manifest, grading)
    return grading


def _controls(run: RunFolder) -> list[Query]:
    queries = [query for query in run.queries() if query.reference_answer is not None]
    if not queries:
        raise ConfigError(f"{run.path} has no query with a reference answer to grade by")
    return queries


def _thresholds(config: GradingConfig, embedding: str) -> Thresholds:
    return Thresholds(
        characters=config.min_characters,
        chunks=config.min_chunks,
        similarity=config.similarity(embedding),
    )


def _retrieval(config: GradingConfig, index: HybridIndex) -> Retrieval:
    """Return the retrieval that all cells share; each question is searched for once."""
    retriever, cache = index.ranked_by(Ranking(config.retriever)), dict[str, RetrievedPassages]()
    return Retrieval(retriever=retriever, k=config.k, cache=cache)


def _manifest(
    config: GradingConfig, run: RunFolder, embedding: str, questions: int
) -> GradingManifest:
    library = open_prompts(config.prompts)
    return GradingManifest(
        status="running",
        settings=config.decisive(),
        dataset=dataset_hash(run.queries_path),
        versions={name: version(name) for name in ("uaeval", "chromadb", "langchain-core")},
        prompts=library.hashes(GRADING) | library.hashes_of(PROMPTS),
        embedding=embedding,
        questions=questions,
    )


def _finish(manifest: GradingManifest, found: Grading) -> None:
    manifest.status = "lacking" if found.failures else "complete"
    manifest.answers = sum(sample.run is not None for sample in found.samples)
    manifest.blocked = sum(sample.blocked for sample in found.samples)
    stages = [failure.stage for failure in found.failures]
    manifest.failures = {stage: stages.count(stage) for stage in (ANSWER, JUDGE)}
    write_json(found.folder / "agreement.json", asdict(found.agreement))
