"""From cell to cell of a grading, with the tables written after each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uaeval.config import GradingConfig
from uaeval.grading.agreement import JudgeAgreement, agreement
from uaeval.grading.files import Cell, append_row, start_review, write_tables
from uaeval.grading.manifest import GradingManifest
from uaeval.grading.records import Sample
from uaeval.grading.sample import ANSWER, JUDGE, CellGrader, Judgements
from uaeval.llm.model import Model
from uaeval.run.progress import ProgressListener
from uaeval.runner import OutageDetector, keep_busy
from uaeval.storage import write_journal
from uaeval.systems.conditions import Condition
from uaeval.systems.context_gate import Thresholds
from uaeval.systems.retrieval import Retrieval
from uaeval.types import Failure, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """What a grading found."""

    folder: Path
    cells: tuple[Cell, ...]
    samples: tuple[Sample, ...]
    """By cell, in the order of the queries."""
    failures: tuple[Failure, ...]
    agreement: JudgeAgreement
    manifest: GradingManifest


class GradingWork:
    """Goes from cell to cell, and writes the tables after each, however it ends."""

    def __init__(
        self,
        config: GradingConfig,
        folder: Path,
        judges: Sequence[Model],
        retrieval: Retrieval,
        thresholds: Thresholds,
    ) -> None:
        self._config = config
        self._folder = folder
        self._judges = judges
        self._retrieval = retrieval
        self._thresholds = thresholds
        self._judged = {judge.name: Judgements(folder, judge.name) for judge in judges}
        self._samples: dict[Cell, dict[str, Sample]] = {}
        self._order: list[str] = []
        self._failures: list[Failure] = []

    async def run(
        self,
        models: Sequence[Model],
        queries: Sequence[Query],
        progress: ProgressListener,
    ) -> None:
        """Grade cell after cell."""
        self._order = [query.id for query in queries]
        outages = {ANSWER: OutageDetector(), JUDGE: OutageDetector()}
        graders = [
            CellGrader(
                model,
                Condition(condition),
                self._judges,
                self._folder,
                self._retrieval.find,
                self._thresholds,
                outages,
                self._judged,
            )
            for model in models
            for condition in self._config.conditions
        ]
        self._samples = {grader.cell: {} for grader in graders}
        start_review(self._folder)
        for grader in graders:
            progress.started(f"{' in '.join(grader.cell)}", len(queries))
            await self._cell(grader, queries, progress)

    async def _cell(
        self, grader: CellGrader, queries: Sequence[Query], progress: ProgressListener
    ) -> None:
        samples = self._samples[grader.cell]
        left = iter(queries)

        def note(sample: Sample) -> None:
            samples[sample.query_id] = sample
            append_row(self._folder, sample)
            progress.advanced(sample.run or sample)

        try:
            await keep_busy(
                lambda: next(left, None), grader, concurrency=self._config.concurrency, done=note
            )
        finally:
            self._failures += grader.failures
            grader.put_in_order(self._order)
            for kept in self._judged.values():
                kept.put_in_order()
            write_tables(self._folder, self._ordered(), tuple(self._samples))
            write_journal(self._folder / "failed.jsonl", Failure, self._failures)

    def _ordered(self) -> tuple[Sample, ...]:
        return tuple(
            samples[name]
            for samples in self._samples.values()
            for name in self._order
            if name in samples
        )

    def found(self, manifest: GradingManifest) -> Grading:
        """Return what there is now, with how far the judges agree."""
        samples = self._ordered()
        return Grading(
            folder=self._folder,
            cells=tuple(self._samples),
            samples=samples,
            failures=tuple(self._failures),
            agreement=agreement([judge.name for judge in self._judges], samples),
            manifest=manifest,
        )
