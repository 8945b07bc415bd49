"""Run a grading: every model answers the twins in every condition, and judges grade."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from itertools import product
from typing import Literal

from uaeval.config import GradingConfig
from uaeval.errors import ConfigError
from uaeval.evaluation.judging.agreement import (
    LabelAgreement,
    ScoreAgreement,
    compared,
    label_agreement,
    score_agreement,
)
from uaeval.evaluation.manifest import WorkManifest
from uaeval.evaluation.metrics.graded import GRADED, Grade, grade
from uaeval.grading.files import append_row, start_review, write_tables
from uaeval.grading.grader import CellGrader, judge_journal
from uaeval.grading.sample import ANSWER, JUDGE, Cell, Sample
from uaeval.knowledge.embedding import embedding_named
from uaeval.llm.batch.requests import retry_failures
from uaeval.llm.roles import ModelSettings
from uaeval.prompts import GRADING, open_prompts
from uaeval.records import Failure, Query
from uaeval.run.progress import ProgressListener
from uaeval.run.ray_calls import answer_round
from uaeval.run.run import open_run
from uaeval.run_folder import RunFolder
from uaeval.runner import Attempts, PendingRecord, is_undecided, keep_busy, of_kind
from uaeval.storage import file_print, write_journal, write_json
from uaeval.systems.conditions import PROMPTS, Condition
from uaeval.systems.context_gate import Thresholds
from uaeval.systems.rag import open_index
from uaeval.systems.retrieval import Retrieval

_SHARED = tuple(metric.name for metric in GRADED if metric.always)


class GradingManifest(WorkManifest):
    """The manifest of a grading, written before the first question and after the last."""

    described = "grading"
    status: Literal["running", "lacking", "complete"]
    """`lacking`: calls failed, which the next session repeats."""
    embedding: str
    questions: int
    answers: int = 0
    blocked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """The agreement of every two judges on the answers that both have judged."""

    passes: tuple[LabelAgreement, ...]
    """Agreement on whether an answer passes."""
    scores: tuple[ScoreAgreement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """The samples of a grading, and the agreement of its judges."""

    samples: tuple[Sample, ...]
    """The samples, cell after cell in the order of the queries."""
    failures: tuple[Failure, ...]
    agreement: JudgeAgreement
    manifest: GradingManifest


async def run_grading(config: GradingConfig, progress: ProgressListener) -> Grading:
    """Run the grading of `config`; write records and tables to the grading's folder.

    Raises:
        UsageError: the dataset, a setting or the folder cannot be used.
        RunAborted: no further model call can succeed; call again to resume.
    """
    dataset, folder = RunFolder(config.dataset), config.folder
    synthesis = dataset.finished()
    queries = [query for query in dataset.queries() if query.reference_answer is not None]
    if not queries:
        raise ConfigError(f"{dataset.path} has no query with a reference answer to grade by")
    embedding = embedding_named(config.embedding or synthesis.knowledge_base.embedding)
    earlier = GradingManifest.read(folder / "manifest.json")
    manifest = _manifest(config, dataset, embedding.name, len(queries))
    if earlier:
        manifest.refuse_other(earlier, folder)
    async with open_run(folder, config, {}, progress, earlier=earlier) as run:
        model = partial(ModelSettings.of, config)
        answering = [run.models.built(model(name, config.base_url)) for name in config.models]
        judges = [run.models.built(model(name, config.judge_base_url)) for name in config.judges]
        run.start(manifest)
        progress.started("opening the index")
        with open_index(dataset, embedding) as index:
            journals = [judge_journal(folder, judge) for judge in judges]
            retrieval = Retrieval(retriever=index.ranked_by(config.retriever), k=config.k, cache={})
            thresholds = Thresholds(
                characters=config.min_characters,
                chunks=config.min_chunks,
                similarity=config.similarity(embedding.name),
            )
            attempts, unfinished = Attempts(), list[Failure | PendingRecord]()
            graders = [
                CellGrader(
                    model=model,
                    condition=Condition(condition),
                    folder=folder,
                    judges=[*zip(judges, journals, strict=True)],
                    search=retrieval.find,
                    thresholds=thresholds,
                    attempts=attempts,
                    unfinished=unfinished,
                )
                for model, condition in product(answering, config.conditions)
            ]
            if config.on_ray:
                retry_failures(run.store)
            try:
                samples = await _grade(graders, queries, config, progress)
                while of_kind(unfinished, PendingRecord):
                    await answer_round(run, config.engine)
                    unfinished.clear()
                    samples = await _grade(graders, queries, config, progress)
            finally:
                for journal in journals:
                    if journal.known:
                        journal.put_in_order(sorted(journal.known))
        failures = of_kind(unfinished, Failure)
        manifest.status = "complete" if all(map(is_undecided, failures)) else "lacking"
        manifest.answers = sum(sample.run is not None for sample in samples)
        manifest.blocked = sum(sample.blocked for sample in samples)
        manifest.failures = {ANSWER: 0, JUDGE: 0} | Counter(failed.stage for failed in failures)
        agreed = agreement(samples)
        write_json(folder / "agreement.json", asdict(agreed))
    return Grading(samples=samples, failures=tuple(failures), agreement=agreed, manifest=manifest)


async def _grade(
    graders: Sequence[CellGrader],
    queries: Sequence[Query],
    config: GradingConfig,
    progress: ProgressListener,
) -> tuple[Sample, ...]:
    """Grade one cell after another, and write the tables after each, even if it is aborted."""
    folder, cells = config.folder, [grader.cell for grader in graders]
    graded, samples = dict[tuple[Cell, str], Sample](), list[Sample]()

    def record(sample: Sample) -> None:
        graded[sample.cell, sample.query.id] = sample
        append_row(folder, sample)
        progress.advanced(sample.run or sample)

    start_review(folder)
    for grader in graders:
        progress.started(" in ".join(grader.cell), len(queries))
        take = partial(next, iter(queries), None)
        try:
            await keep_busy(take, grader, concurrency=config.concurrency, done=record)
        finally:
            order = [(cell, query.id) for cell, query in product(cells, queries)]
            samples = [graded[place] for place in order if place in graded]
            grader.runs.put_in_order(query.id for query in queries)
            write_tables(folder, samples, cells)
            write_journal(folder / "failed.jsonl", Failure, of_kind(grader.unfinished, Failure))
    return tuple(samples)


def _manifest(
    config: GradingConfig, run: RunFolder, embedding: str, questions: int
) -> GradingManifest:
    library = open_prompts(config.prompts)
    return GradingManifest(
        status="running",
        settings=config.decisive(),
        dataset=file_print(run.queries_path).sha256,
        versions={name: version(name) for name in ("uaeval", "bm25s", "langchain-core")},
        prompts=library.hashes(GRADING) | library.hashes_of(PROMPTS),
        embedding=embedding,
        questions=questions,
    )


def agreement(samples: Sequence[Sample]) -> JudgeAgreement:
    """Return the agreement of every two judges; passing is compared if a judge gave all scores."""
    records = [record for sample in samples for record in sample.judged]
    passes = (
        ("pass", record.judge, record.id, "pass" if passed else "fail")
        for record in records
        if record.scores.keys() >= set(_SHARED)
        for passed in [grade(True, record.scores) is Grade.PASS]
    )
    scores = (
        (metric, record.judge, record.id, record.scores[metric])
        for metric in _SHARED
        for record in records
        if metric in record.scores
    )
    return JudgeAgreement(
        passes=tuple(label_agreement(*pair) for pair in compared(passes)),
        scores=tuple(score_agreement(*pair) for pair in compared(scores)),
    )
