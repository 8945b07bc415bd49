"""A whole grading: every model in every condition answers the controls, judges grade."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.metadata import version

from uaeval.config import GradingConfig
from uaeval.errors import ConfigError, RunAborted, UsageError
from uaeval.evaluation.manifest import dataset_hash, write_manifest
from uaeval.grading.manifest import GradingManifest
from uaeval.grading.sample import ANSWER, JUDGE
from uaeval.grading.work import Grading, GradingWork
from uaeval.knowledge.embedding import embedding_named
from uaeval.knowledge.index import Index
from uaeval.knowledge.retriever import Ranking
from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Models, ModelSettings
from uaeval.llm.store import ResponseStore
from uaeval.prompts import GRADING, PromptLibrary, open_prompts
from uaeval.run_folder import RunFolder
from uaeval.storage import make_folder, write_json
from uaeval.systems.conditions import PROMPTS
from uaeval.systems.context_gate import Thresholds
from uaeval.systems.rag_index import open_index
from uaeval.systems.retrieval import Retrieval, RetrievedPassages
from uaeval.types import Query


async def run_grading(
    config: GradingConfig, phase: Callable[[str, int], None], done: Callable[[object], None]
) -> Grading:
    """Grade as `config` says; leave records and tables in the grading's folder.

    Raises:
        UsageError: the dataset, a setting or the folder cannot be used.
        RunAborted: the models cannot be asked any more; call again to go on.
    """
    run, folder = RunFolder(config.dataset), config.folder
    synthesis = run.finished()
    queries = _controls(run)
    embedding = embedding_named(config.embedding or synthesis.knowledge_base.embedding)
    make_folder(folder)
    library = open_prompts(config.prompts)
    path = folder / "manifest.json"
    earlier = GradingManifest.read(path)
    manifest = _manifest(config, run, library, embedding.name, len(queries))
    if earlier:
        manifest.refuse_other(earlier, folder)
    prices = open_prices(config.prices, earlier.prices if earlier else None)
    with ResponseStore(folder / "responses.sqlite") as store:
        ledger = Ledger(store, prices, config)
        models = Models({}, library, store=store, ledger=ledger, concurrency=config.concurrency)
        own, url = partial(ModelSettings.of, config), config.judge_base_url
        answering = [models.built(own(name, config.base_url)) for name in config.models]
        judges = [models.built(own(name, url)) for name in config.judges]
        write_manifest(path, manifest)
        phase("opening the index", 0)
        try:
            with open_index(run, embedding) as index:
                gate = _thresholds(config, embedding.name)
                work = GradingWork(config, folder, judges, _retrieval(config, index), gate)
                await work.run(answering, queries, phase, done)
        except (RunAborted, UsageError):
            await models.settle()
            manifest.usage, manifest.prices = models.usage(), models.prices()
            write_manifest(path, manifest)
            raise
        manifest.usage, manifest.prices = models.usage(), models.prices()
    found = work.found(manifest)
    _finish(manifest, found)
    return found


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


def _retrieval(config: GradingConfig, index: Index) -> Retrieval:
    """Return the retrieval that all cells share; each question is searched for once."""
    retriever, found = index.ranked_by(Ranking(config.retriever)), dict[str, RetrievedPassages]()
    return Retrieval(retriever=retriever, k=config.k, found=found)


def _manifest(
    config: GradingConfig, run: RunFolder, library: PromptLibrary, embedding: str, questions: int
) -> GradingManifest:
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
    write_manifest(found.folder / "manifest.json", manifest)
