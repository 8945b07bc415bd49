"""One question before one model in one condition: asked, judged, written down."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from uaeval.errors import StorageError
from uaeval.evaluation.judging.grades import ALWAYS, OF_CONTEXT, GradedMetric
from uaeval.evaluation.judging.open_answers import OpenAnswer, judge_metric
from uaeval.evaluation.metrics.final_score import ExplainedScore
from uaeval.grading.records import JudgeRecord, Sample
from uaeval.llm.model import Model
from uaeval.model_names import file_name
from uaeval.runner import OutageDetector, PendingRecord, Record, all_of, attempt
from uaeval.storage import GrowingJournal, write_journal
from uaeval.systems.conditions import Condition, RunRecord, answer_openly
from uaeval.systems.context_gate import Thresholds
from uaeval.systems.retrieval import RetrievedPassages
from uaeval.types import Blocked, Failure, Query, Rejection

A = TypeVar("A", bound=Record)
B = TypeVar("B")

ANSWER: Final = "answer"
JUDGE: Final = "judge"
Searching = Callable[[str], Awaitable[RetrievedPassages]]


@dataclass(frozen=True, slots=True)
class _MetricCall:
    """One metric of one answer, as a unit of work that may fail alone."""

    id: str
    metric: GradedMetric


class CellGrader:
    """Grades one model in one condition; what its journals hold is not asked again."""

    def __init__(
        self,
        model: Model,
        condition: Condition,
        judges: Sequence[Model],
        folder: Path,
        search: Searching,
        thresholds: Thresholds,
        outages: Mapping[str, OutageDetector],
        judged: Mapping[str, "Judgements"],
    ) -> None:
        self.cell = (model.name, condition.value)
        self._model = model
        self._condition = condition
        self._judges = judges
        self._search = search
        self._thresholds = thresholds
        self._outages = outages
        self._judged = judged
        self._path = folder / f"run_records_{file_name(model.name)}_{condition}.jsonl"
        self._runs = GrowingJournal(self._path, RunRecord)
        self._known = {record.query_id: record for record in self._runs.read()}
        self.failures: list[Failure] = []

    async def __call__(self, query: Query) -> Sample:
        """Ask and judge one question."""
        run = self._known.get(query.id)
        outcome = run or await self._attempt(ANSWER, query, self._answer)
        if not isinstance(outcome, RunRecord):
            return self._sample(query, outcome)
        judged = await all_of([self._judge(outcome, judge) for judge in self._askable(outcome)])
        return self._sample(query, outcome, tuple(judged))

    def put_in_order(self, query_ids: Sequence[str]) -> None:
        """Write the run records anew, in the order of the queries."""
        ordered = [self._known[name] for name in query_ids if name in self._known]
        if ordered:
            write_journal(self._path, RunRecord, ordered)

    async def _answer(self, query: Query) -> RunRecord:
        needed = self._condition is not Condition.NO_RAG
        hits = (await self._search(query.question)).hits if needed else ()
        record = await answer_openly(query, self._condition, hits, self._model, self._thresholds)
        self._runs.append(record)
        self._known[query.id] = record
        return record

    def _askable(self, run: RunRecord) -> Sequence[Model]:
        """Return the judges of an answer; one whose form is broken fails without them."""
        return self._judges if run.format_ok else ()

    async def _judge(self, run: RunRecord, judge: Model) -> JudgeRecord:
        kept = self._judged[judge.name]
        record = kept.known.get(run.id)
        if record is None:
            record = await self._asked(run, judge)
            if not record.errors:
                kept.keep(record)
        return record

    async def _asked(self, run: RunRecord, judge: Model) -> JudgeRecord:
        answer = OpenAnswer(
            question=run.question,
            reference=run.reference_answer,
            text=run.answer,
            contexts=run.contexts,
        )
        primary = judge is self._judges[0]
        metrics = (*ALWAYS, *(OF_CONTEXT if primary and run.rag_context_used else ()))

        async def one(question: _MetricCall) -> ExplainedScore:
            return await judge_metric(question.metric, answer, judge)

        questions = [_MetricCall(f"{run.id}/{judge.name}/{each}", each) for each in metrics]
        outcomes = await all_of([self._attempt(JUDGE, each, one) for each in questions])
        found = dict(zip(metrics, outcomes, strict=True))
        scored = {
            metric: said for metric, said in found.items() if isinstance(said, ExplainedScore)
        }
        return JudgeRecord(
            id=run.id,
            query_id=run.query_id,
            model=run.model,
            condition=run.condition,
            judge=judge.name,
            scores={metric: said.score for metric, said in scored.items()},
            rationales={metric: said.explanation for metric, said in scored.items()},
            errors={
                m: _told(said) for m, said in found.items() if not isinstance(said, ExplainedScore)
            },
        )

    async def _attempt(
        self, stage: str, record: A, work: Callable[[A], Awaitable[B | Rejection]]
    ) -> B | Rejection | Failure | Blocked | PendingRecord:
        outcome = await attempt(stage, record, work)
        self._outages[stage].note(outcome)
        if isinstance(outcome, Failure):
            self.failures.append(outcome)
        elif isinstance(outcome, Blocked) and stage == JUDGE:
            message = f"blocked by a content filter: {outcome.message}"
            failure = Failure(id=outcome.id, stage=stage, kind="BlockedError", message=message)
            self.failures.append(failure)
        return outcome

    def _sample(
        self, query: Query, outcome: object, judged: tuple[JudgeRecord, ...] = ()
    ) -> Sample:
        errors = judged[0].errors if judged else {}
        told = "; ".join(f"{metric}: {message}" for metric, message in errors.items()) or None
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
            error=told if run else None if blocked else _told(outcome),
            blocked=blocked,
            judged=judged,
        )


class Judgements:
    """What one judge said, in a journal that grows."""

    def __init__(self, folder: Path, judge: str) -> None:
        self._path = folder / f"judge_records_{file_name(judge)}.jsonl"
        self._journal = GrowingJournal(self._path, JudgeRecord)
        self.known = {record.id: record for record in self._journal.read()}
        if others := {record.judge for record in self.known.values()} - {judge}:
            message = f"{self._path} holds records of {min(others)!r}; remove them, or the file"
            raise StorageError(message)

    def put_in_order(self) -> None:
        """Write the records anew, sorted by id."""
        if self.known:
            ordered = sorted(self.known.values(), key=lambda record: record.id)
            write_journal(self._path, JudgeRecord, ordered)

    def keep(self, record: JudgeRecord) -> None:
        """Write one record that has all its scores."""
        self._journal.append(record)
        self.known[record.id] = record


def _told(outcome: object) -> str:
    if isinstance(outcome, Failure):
        return f"{outcome.kind}: {outcome.message}"
    if isinstance(outcome, Blocked):
        return f"blocked by a content filter: {outcome.message}"
    raise AssertionError(f"nothing else ends a call: {outcome!r}")
