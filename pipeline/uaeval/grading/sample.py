"""One question to one model in one condition: asked, judged, recorded."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from uaeval.errors import StorageError
from uaeval.evaluation.judging.calls import as_failure
from uaeval.evaluation.metrics.graded import GRADED, GradedMetric, OpenAnswer
from uaeval.evaluation.metrics.relevancy import ExplainedScore
from uaeval.grading.records import JudgeRecord, Sample
from uaeval.llm.model import Model
from uaeval.model_names import file_name
from uaeval.runner import OutageDetector, PendingRecord, Record, all_of, attempt
from uaeval.storage import GrowingJournal, write_journal
from uaeval.systems.conditions import Condition, RunRecord, Thresholds, answer_openly
from uaeval.systems.retrieval import RetrievedPassages
from uaeval.types import Blocked, Failure, Query, Rejection

A = TypeVar("A", bound=Record)
B = TypeVar("B")

ANSWER: Final = "answer"
JUDGE: Final = "judge"


@dataclass(frozen=True, slots=True)
class _MetricCall:
    """One metric of one answer, as a unit of work that may fail alone."""

    id: str
    metric: GradedMetric


class JudgeJournal:
    """What one judge said, in a journal that grows."""

    def __init__(self, folder: Path, judge: Model) -> None:
        self.judge = judge
        self._path = folder / f"judge_records_{file_name(judge.name)}.jsonl"
        self._journal = GrowingJournal(self._path, JudgeRecord)
        self.known = {record.id: record for record in self._journal.read()}
        if others := {record.judge for record in self.known.values()} - {judge.name}:
            message = f"{self._path} holds records of {min(others)!r}; remove them, or the file"
            raise StorageError(message)

    def keep(self, record: JudgeRecord) -> None:
        """Write one record that has all its scores."""
        self._journal.append(record)
        self.known[record.id] = record

    def put_in_order(self) -> None:
        """Write the records anew, sorted by id."""
        if self.known:
            ordered = sorted(self.known.values(), key=lambda record: record.id)
            write_journal(self._path, JudgeRecord, ordered)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSources:
    """What all cells of a grading share."""

    folder: Path
    judges: Sequence[JudgeJournal]
    """The primary judge first."""
    search: Callable[[str], Awaitable[RetrievedPassages]]
    thresholds: Thresholds
    outages: dict[str, OutageDetector] = field(
        default_factory=lambda: {ANSWER: OutageDetector(), JUDGE: OutageDetector()}
    )


class CellGrader:
    """Grades one model in one condition; what its journals hold is not asked again."""

    def __init__(self, model: Model, condition: Condition, shared: SharedSources) -> None:
        self.cell = (model.name, condition.value)
        self.failures: list[Failure] = []
        self._model = model
        self._condition = condition
        self._shared = shared
        self._path = shared.folder / f"run_records_{file_name(model.name)}_{condition}.jsonl"
        self._runs = GrowingJournal(self._path, RunRecord)
        self._known = {record.query_id: record for record in self._runs.read()}

    async def __call__(self, query: Query) -> Sample:
        """Ask and judge one question; a judge is not asked of an answer whose form is broken."""
        run = self._known.get(query.id)
        outcome = run or await self._attempt(ANSWER, query, self._answer)
        if not isinstance(outcome, RunRecord):
            return self._sample(query, outcome)
        judges = self._shared.judges if outcome.format_ok else ()
        judged = await all_of([self._judge(outcome, journal) for journal in judges])
        return self._sample(query, outcome, tuple(judged))

    def put_in_order(self, query_ids: Sequence[str]) -> None:
        """Write the run records anew, in the order of the queries."""
        ordered = [self._known[name] for name in query_ids if name in self._known]
        if ordered:
            write_journal(self._path, RunRecord, ordered)

    async def _answer(self, query: Query) -> RunRecord:
        needed = self._condition is not Condition.NO_RAG
        hits = (await self._shared.search(query.question)).hits if needed else ()
        thresholds = self._shared.thresholds
        record = await answer_openly(query, self._condition, hits, self._model, thresholds)
        self._runs.append(record)
        self._known[query.id] = record
        return record

    async def _judge(self, run: RunRecord, journal: JudgeJournal) -> JudgeRecord:
        record = journal.known.get(run.id)
        if record is None:
            record = await self._ask(run, journal)
            if not record.errors:
                journal.keep(record)
        return record

    async def _ask(self, run: RunRecord, journal: JudgeJournal) -> JudgeRecord:
        judge = journal.judge
        answer = OpenAnswer(
            question=run.question,
            reference=run.reference_answer,
            text=run.answer,
            contexts=run.contexts,
        )
        of_context = journal is self._shared.judges[0] and run.rag_context_used
        calls = [
            _MetricCall(f"{run.id}/{judge.name}/{metric.name}", metric)
            for metric in GRADED
            if metric.always or of_context
        ]

        async def score(call: _MetricCall) -> ExplainedScore:
            return await call.metric.judge(answer, judge)

        outcomes = await all_of([self._attempt(JUDGE, call, score) for call in calls])
        named = [(call.metric.name, said) for call, said in zip(calls, outcomes, strict=True)]
        scored = {name: said for name, said in named if isinstance(said, ExplainedScore)}
        return JudgeRecord(
            id=run.id,
            query_id=run.query_id,
            model=run.model,
            condition=run.condition,
            judge=judge.name,
            scores={name: said.score for name, said in scored.items()},
            rationales={name: said.explanation for name, said in scored.items()},
            errors={name: _error(said) for name, said in named if name not in scored},
        )

    async def _attempt(
        self, stage: str, record: A, work: Callable[[A], Awaitable[B | Rejection]]
    ) -> B | Rejection | Failure | Blocked | PendingRecord:
        outcome = await attempt(stage, record, work)
        self._shared.outages[stage].note(outcome)
        if isinstance(outcome, Failure) or (isinstance(outcome, Blocked) and stage == JUDGE):
            self.failures.append(as_failure(outcome))
        return outcome

    def _sample(
        self, query: Query, outcome: object, judged: tuple[JudgeRecord, ...] = ()
    ) -> Sample:
        errors = judged[0].errors if judged else {}
        message = "; ".join(f"{metric}: {error}" for metric, error in errors.items()) or None
        run = outcome if isinstance(outcome, RunRecord) else None
        blocked = isinstance(outcome, Blocked)
        return Sample(
            query_id=query.id,
            question=query.question,
            reference_answer=query.reference_answer or "",
            document=query.provenance.document_id,
            model=self.cell[0],
            condition=self.cell[1],
            run=run,
            error=message if run else None if blocked else _error(outcome),
            blocked=blocked,
            judged=judged,
        )


def _error(outcome: object) -> str:
    assert isinstance(outcome, Failure | Blocked), outcome  # nothing else ends a call
    failure = as_failure(outcome)
    return failure.message if isinstance(outcome, Blocked) else f"{failure.kind}: {failure.message}"
