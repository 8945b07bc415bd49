"""Ask one model one question in one condition, and judge the answer."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path

from uaeval.errors import StorageError
from uaeval.evaluation.metrics.final_score import AnsweredQuestion, ExplainedScore
from uaeval.evaluation.metrics.graded import GRADED
from uaeval.grading.sample import ANSWER, JUDGE, Cell, JudgeRecord, Sample
from uaeval.llm.model import Model
from uaeval.llm.names import file_name
from uaeval.records import Blocked, Failure, Query
from uaeval.runner import Attempts, PendingRecord, all_of, as_failure
from uaeval.storage import KeyedJournal
from uaeval.systems.conditions import Condition, RunRecord, answer_openly
from uaeval.systems.context_gate import Thresholds
from uaeval.systems.retrieval import RetrievedPassages


def judge_journal(folder: Path, judge: Model) -> KeyedJournal[JudgeRecord]:
    """Open the journal of one judge's records; raise `StorageError` if it is another judge's."""
    path = folder / f"judge_records_{file_name(judge.name)}.jsonl"
    journal = KeyedJournal(path, JudgeRecord, attrgetter("id"))
    if others := {record.judge for record in journal.known.values()} - {judge.name}:
        raise StorageError(f"{path} holds records of {min(others)!r}; remove them, or the file")
    return journal


@dataclass(kw_only=True)
class CellGrader:
    """Grades one model in one condition; answers and scores in its journals are reused."""

    model: Model
    condition: Condition
    folder: Path
    judges: Sequence[tuple[Model, KeyedJournal[JudgeRecord]]]
    """The primary judge first."""
    search: Callable[[str], Awaitable[RetrievedPassages]]
    thresholds: Thresholds
    attempts: Attempts
    """Shared by all cells of a grading, as is `unfinished`."""
    unfinished: list[Failure | PendingRecord]
    """Failed calls, and replies that are still to come from Ray."""

    def __post_init__(self) -> None:
        self.cell = Cell(self.model.name, self.condition.value)
        path = self.folder / f"run_records_{file_name(self.model.name)}_{self.condition}.jsonl"
        self.runs = KeyedJournal(path, RunRecord, attrgetter("query_id"))

    async def __call__(self, query: Query) -> Sample:
        """Ask one question and judge the answer, unless its format is wrong."""
        run = self.runs.known.get(query.id)
        outcome = run or await self.attempts(ANSWER, query.id, partial(self._answer, query))
        sample = partial(Sample, query=query, cell=self.cell)
        if isinstance(outcome, Blocked):
            return sample(blocked=True)
        if not isinstance(outcome, RunRecord):
            return sample(error=self._failure(outcome))
        judges = self.judges if outcome.format_ok else ()
        judged = await all_of(
            [self._judge(outcome, *judge, primary=judge is judges[0]) for judge in judges]
        )
        errors = judged[0].errors if judged else {}
        message = "; ".join(f"{metric}: {error}" for metric, error in errors.items()) or None
        return sample(run=outcome, error=message, judged=tuple(judged))

    async def _answer(self, query: Query) -> RunRecord:
        needs_context = self.condition is not Condition.NO_RAG
        hits = (await self.search(query.conversation)).hits if needs_context else ()
        record = await answer_openly(query, self.condition, hits, self.model, self.thresholds)
        await self.runs.keep(record)
        return record

    async def _judge(
        self, run: RunRecord, judge: Model, journal: KeyedJournal[JudgeRecord], *, primary: bool
    ) -> JudgeRecord:
        if run.id in journal.known:
            return journal.known[run.id]
        answered = AnsweredQuestion(run.question, run.reference_answer, run.answer)
        calls = {
            metric.name: self.attempts(
                JUDGE,
                f"{run.id}/{judge.name}/{metric.name}",
                partial(metric.judge, judge, answered, run.contexts),
            )
            for metric in GRADED
            if metric.always or (primary and run.rag_context_used)
        }
        outcomes = dict(zip(calls, await all_of([*calls.values()]), strict=True))
        scored = {name: got for name, got in outcomes.items() if isinstance(got, ExplainedScore)}
        record = JudgeRecord(
            id=run.id,
            query_id=run.query_id,
            model=run.model,
            condition=run.condition,
            judge=judge.name,
            scores={name: score.score for name, score in scored.items()},
            rationales={name: score.explanation for name, score in scored.items()},
            errors={name: self._failure(outcomes[name]) for name in outcomes if name not in scored},
        )
        if not record.errors:
            await journal.keep(record)
        return record

    def _failure(self, outcome: object) -> str:
        """Record a failed or pending call; return its error message."""
        if isinstance(outcome, PendingRecord):
            self.unfinished.append(outcome)
            return "the answer is still to come"
        assert isinstance(outcome, Failure | Blocked), outcome  # the only other outcomes
        failure = as_failure(outcome)
        self.unfinished.append(failure)
        blocked = isinstance(outcome, Blocked)
        return failure.message if blocked else f"{failure.kind}: {failure.message}"
