"""Run a synthesis from its settings to the dataset folder, or resume an earlier session."""

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from uaeval.categories.base import CategorySpec
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category as category_of
from uaeval.config import SynthesisConfig
from uaeval.errors import StorageError
from uaeval.knowledge.index import HybridIndex
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.llm.names import OFFLINE
from uaeval.llm.roles import Models, ModelSettings, Role
from uaeval.offline.model import RANK
from uaeval.prompts import open_prompts
from uaeval.records import Assignment, Candidate, Chunk, Query, Rejection
from uaeval.run.progress import ProgressListener
from uaeval.run.run import Run, open_run
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import write_journal
from uaeval.synthesis.build import Authoring, build
from uaeval.synthesis.category_progress import BuildResult, CategoryProgress
from uaeval.synthesis.dataset import easy_pairs, rows, stage_counts, without, write_journals
from uaeval.synthesis.generate import author_context, complete, generate
from uaeval.synthesis.material import Material, prepare
from uaeval.synthesis.plan import choices, plan, plan_given, quotas
from uaeval.synthesis.related import by_shared_subjects
from uaeval.synthesis.sessions import Session, earlier_session, prompt_hashes
from uaeval.synthesis.verify import Panel, Verify, ask_closed_book, ask_rag
from uaeval.text.telling_apart import Easy

LIBRARIES = ("uaeval", "bm25s", "langchain-core", "spacy")
_REMEDY = "restore the files from a copy, or make a new dataset with --refresh"


async def synthesize(
    config: SynthesisConfig,
    progress: ProgressListener,
    *,
    refresh: bool = False,
    given: Sequence[Query] = (),
) -> Manifest:
    """Write the dataset into `config.output`, or resume an earlier session.

    `given` are the queries of the file that `config.queries` names; with them no query is written.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
        RunAborted: the models cannot be called any more; their replies so far are stored.
    """
    session = Session.of(config, progress, refresh=refresh)
    folder, earlier = session.folder, earlier_session(session)
    finished = earlier if earlier and earlier.status == "complete" else None
    damage = folder.damage(finished) if finished else ""
    if finished and not damage:
        return finished
    if damage:
        if not folder.store_path.exists():
            raise StorageError(f"{damage}; {folder.store_path} is missing as well: {_REMEDY}")
        progress.started(f"{damage}; rebuilding from the stored answers")
    asked = {query.category for query in given if query.category} or config.categories
    open_prompts(config.prompts).check_categories(asked)
    async with open_run(folder.path, config, roles_of(config), progress, earlier=earlier) as run:
        # The first call loads language detector and tokenizer, while documents are read.
        loading = asyncio.get_running_loop().run_in_executor(None, key_phrases, "a", 1)
        loading.add_done_callback(asyncio.Future.exception)  # errors of `prepare` come first
        material = await prepare(session)
        await loading
        index = material.index
        categories = plan_given(given, index) if given else plan_categories(config, material)
        manifest = Manifest(
            status="running",
            settings=config.decisive(),
            knowledge_base=material.facts,
            versions={name: version(name) for name in LIBRARIES},
            prompts=prompt_hashes(config, run.models.prompts),
            models={role: run.models[role].name for role in (Role.GENERATOR, Role.VERIFIER)},
            asked={str(category.name): category.quota for category in categories},
            queries=session.queries_print,
            ended_early=earlier is not None and earlier.ended_early,
        )
        run.start(manifest)
        author = _author(config, material, run.models, given)
        await _fill(config, folder, index, run, manifest, categories, author)
    if finished and finished.files and manifest.files != finished.files:
        folder.write_manifest(finished)
        raise StorageError(f"{damage}; the stored answers now give another dataset: {_REMEDY}")
    return manifest


def roles_of(config: SynthesisConfig) -> dict[Role, ModelSettings]:
    """Return the settings of the model of each role."""
    author = ModelSettings.of(config, config.model, config.base_url)
    verifier = (config.verifier_name, config.verifier_url, config.samples)
    return {
        Role.GENERATOR: author,
        Role.VERIFIER: ModelSettings.of(config, *verifier),
        Role.SYSTEM: author,
    }


async def _fill(
    config: SynthesisConfig,
    folder: RunFolder,
    index: HybridIndex,
    run: Run,
    manifest: Manifest,
    categories: Sequence[CategoryProgress],
    author: Authoring,
) -> None:
    """Build the dataset, and update journals and manifest as it grows."""
    easy: dict[str, tuple[Easy, ...]] = {}

    def save(built: BuildResult) -> None:
        built = without(built, easy) if config.drop_easy else built
        write_journals(folder, built)
        manifest.stages = stage_counts(built)
        manifest.selected = {name: len(each.selected) for name, each in built.selections.items()}
        run.save()

    def write_dataset(built: BuildResult) -> None:
        run.models.close()
        easy.update(easy_pairs(built))
        built = without(built, easy) if config.drop_easy else built
        queries = rows(built, index, manifest, easy)
        write_journal(folder.queries_path, Query, queries)
        if config.drop_easy:
            save(built)

    if manifest.ended_early:
        run.models.close()
    system = run.models[Role.SYSTEM]
    panel = Panel(
        tuple(
            Verify(index, model, config.modalities, config.shown_to_verifier)
            for model in run.models.samples(Role.VERIFIER)
        ),
        rag=partial(ask_rag, index, system) if config.ask_rag else None,
        closed_book=partial(ask_closed_book, system) if config.closed_book_check else None,
        drop_easy=config.drop_easy,
    )
    built = await build(
        categories,
        author,
        panel,
        concurrency=config.concurrency,
        batch=config.queued,
        progress=run.progress,
        save=save,
        on_final=write_dataset,
        end_now=manifest.ended_early,
    )
    manifest.status = "waiting" if built.waiting else "lacking" if built.lacking else "complete"
    if manifest.ended_early:
        manifest.status = "complete"
    manifest.files = folder.finished_files()


def _author(
    config: SynthesisConfig, material: Material, models: Models, given: Sequence[Query]
) -> Authoring:
    index, author = material.index, models[Role.GENERATOR]
    if given:
        queries = {query.id: query for query in given}
        return partial(complete, index, author, config.language, queries)
    usable = frozenset(chunk.id for chunk in material.chunks)
    context = author_context(index, usable, material.parallels, offline=config.model == OFFLINE)
    offline = models.built(ModelSettings())
    starting = asyncio.Lock()

    async def write_in_turn(assignment: Assignment) -> Candidate | Rejection:
        async with starting:  # so that calls are sent while others are still prepared
            await asyncio.sleep(0)
        return await generate(context, author, config.language, assignment, fallback=offline)

    return write_in_turn


def plan_categories(config: SynthesisConfig, material: Material) -> Sequence[CategoryProgress]:
    """Return each category with its plan; with few documents, more queries of each are allowed."""
    supported = re.findall(r"\w+", config.modalities)
    categories = []
    for name, quota in quotas(config.size, config.categories).items():
        spec = category_of(name)
        source = material.articles if spec.outside else material.chunks
        documents = len({chunk.document_id for chunk in source})
        order = plan(
            source,
            name,
            config.seed,
            choices=choices(spec, len(source), quota) if config.model != OFFLINE else 1,
            supported=supported,
            voices=config.voices,
            arrange=_arrangement(config, material, spec),
        )
        category = CategoryProgress(
            name=name,
            quota=quota,
            plan=order,
            per_document=max(config.per_document, math.ceil(2 * quota / max(1, documents))),
            skip_rejected=config.model == OFFLINE,
            calls=2 + (spec.prove is not None),
        )
        categories.append(category)
    return categories


def _arrangement(
    config: SynthesisConfig, material: Material, spec: CategorySpec[Any]
) -> Callable[[Sequence[Chunk]], Sequence[Chunk]]:
    """Return a function that puts the passages first that suit a category best, if some do."""
    if spec.compares:
        return material.parallels.arrange
    if spec.outside and config.model != OFFLINE:
        return by_shared_subjects(material.chunks)
    rank = RANK.get(spec.name) if config.model == OFFLINE else None
    if rank is None:
        return tuple
    return lambda chunks: sorted(
        chunks, key=lambda chunk: rank(*NumberedPassages((chunk,)).passages)
    )
