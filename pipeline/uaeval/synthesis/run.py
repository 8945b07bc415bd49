"""A whole synthesis: from settings to a dataset folder, resumed where it was left."""

import math
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Literal

from uaeval.config import SynthesisConfig
from uaeval.knowledge.language import language_of
from uaeval.llm.roles import Models, ModelSettings, Role, with_usage
from uaeval.llm.store import ResponseStore
from uaeval.prompts import SYNTHESIS, PromptLibrary, open_prompts
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import make_folder, write_journal
from uaeval.synthesis.attempts import Built, Line
from uaeval.synthesis.build import build
from uaeval.synthesis.dataset import Authorship, rows
from uaeval.synthesis.generate import Generate
from uaeval.synthesis.journals import stage_counts, write_journals
from uaeval.synthesis.material import Material, prepare
from uaeval.synthesis.plan import plan, quotas
from uaeval.synthesis.sittings import earlier_sitting, fingerprints
from uaeval.synthesis.verify import Verify
from uaeval.synthesis.watcher import Watcher
from uaeval.types import Category, Query

LIBRARIES = ("uaeval", "chromadb", "bm25s", "langchain-core", "scikit-learn", "spacy")


async def synthesize(
    config: SynthesisConfig, watcher: Watcher, *, refresh: bool = False
) -> Manifest:
    """Write the dataset into `config.output`, or go on where an earlier sitting stopped.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
        StopRun: the models cannot be asked any more; what they answered is kept.
    """
    folder = RunFolder(config.output)
    library = open_prompts(config.prompts)
    prints = fingerprints(config)
    earlier = earlier_sitting(config, library, prints, refresh=refresh)
    if earlier and earlier.status == "complete":
        return earlier
    make_folder(folder.path)
    with ResponseStore(folder.store_path) as store:
        models = _models(config, library, store)
        material = prepare(config, folder, prints, watcher)
        manifest = _manifest(config, material, library, models, earlier)
        folder.write_manifest(manifest)
        return await _fill(config, folder, material, models, manifest, watcher)


def _models(config: SynthesisConfig, library: PromptLibrary, store: ResponseStore) -> Models:
    parts = {
        Role.GENERATOR: ModelSettings.of(config, config.model),
        Role.VERIFIER: ModelSettings.of(config, config.verifier_name),
    }
    return Models(parts, library, store=store)


def _manifest(
    config: SynthesisConfig,
    material: Material,
    library: PromptLibrary,
    models: Models,
    earlier: Manifest | None,
) -> Manifest:
    return Manifest(
        status="running",
        settings=config.decisive(),
        knowledge_base=material.facts,
        versions={name: version(name) for name in LIBRARIES},
        prompts=library.hashes(SYNTHESIS),
        models={role: models[role].name for role in (Role.GENERATOR, Role.VERIFIER)},
        asked={str(name): count for name, count in _quotas(config).items()},
        usage=earlier.usage if earlier else {},
    )


def _quotas(config: SynthesisConfig) -> Mapping[Category, int]:
    return quotas(config.size, config.categories)


async def _fill(
    config: SynthesisConfig,
    folder: RunFolder,
    material: Material,
    models: Models,
    manifest: Manifest,
    watcher: Watcher,
) -> Manifest:
    """Build the dataset; leave journals and manifest up to date after each round."""
    index = material.index
    before = manifest.usage
    authorship = Authorship(
        generator=models[Role.GENERATOR].name,
        verifier=models[Role.VERIFIER].name,
        prompt_hash=manifest.prompts.__getitem__,
    )

    def save(built: Built) -> None:
        write_journals(folder, built)
        manifest.stages = stage_counts(built)
        manifest.chosen = {name: len(one.chosen) for name, one in built.selections.items()}
        count()

    def count() -> None:
        manifest.usage = with_usage(before, models.usage())
        folder.write_manifest(manifest)

    try:
        built = await build(
            _lines(config, material),
            Generate(index, models[Role.GENERATOR], config.language, models[Role.FALLBACK]),
            Verify(index, models[Role.VERIFIER], config.modalities, config.passages_shown),
            concurrency=config.concurrency,
            watcher=watcher,
            save=save,
        )
    finally:
        count()
    queries = rows(built, index, authorship, language_of)
    write_journal(folder.queries_path, Query, queries)
    manifest.status = _status(built)
    folder.write_manifest(manifest)
    return manifest


def _status(built: Built) -> Literal["waiting", "lacking", "complete"]:
    if built.waiting:
        return "waiting"
    return "lacking" if built.lacking else "complete"


def _lines(config: SynthesisConfig, material: Material) -> Sequence[Line]:
    """Return each category's plan; categories with fewer documents get a looser cap on each."""
    supported = re.findall(r"\w+", config.modalities)
    lines = []
    for category, quota in _quotas(config).items():
        outside = category is Category.OUT_OF_DATABASE
        source = material.articles if outside else material.chunks
        documents = len({chunk.document_id for chunk in source})
        cap = max(config.per_document, math.ceil(2 * quota / max(1, documents)))
        line = Line(
            category=category,
            quota=quota,
            plan=plan(source, category, config.seed, supported=supported),
            per_document=cap,
        )
        lines.append(line)
    return lines
