"""One question to one model in one condition: asked, judged, recorded."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final

from uaeval.errors import StorageError
from uaeval.evaluation.judging.calls import Call, as_failure
from uaeval.evaluation.metrics.final_score import ExplainedScore
from uaeval.evaluation.metrics.graded import GRADED, OpenAnswer
from uaeval.grading.records import Cell, JudgeRecord, Sample
from uaeval.llm.model import Model
from uaeval.model_names import file_name
from uaeval.runner import Attempts, all_of
from uaeval.storage import KeyedJournal
from uaeval.systems.conditions import Condition, RunRecord, Thresholds, answer_openly
from uaeval.systems.retrieval import RetrievedPassages
from uaeval.types import Blocked, Failure, Query

ANSWER: Final = "answer"
JUDGE: Final = "judge"


def judge_journal(folder: Path, judge: Model) -> KeyedJournal[JudgeRecord]:
    """Open the journal of what a judge said, with all scores of each record.

    Raises:
        StorageError: it holds records of another judge.
    """
    path = folder / f"judge_records_{file_name(judge.name)}.jsonl"
    journal = KeyedJournal(path, JudgeRecord, attrgetter("id"))
    if others := {record.judge for record in journal.known.values()} - {judge.name}:
        raise StorageError(f"{path} holds records of {min(others)!r}; remove them, or the file")
    return journal


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSources:
    """What all cells of a grading share."""

    folder: Path
    judges: Sequence[tuple[Model, KeyedJournal[JudgeRecord]]]
    """The primary judge first."""
    search: Callable[[str], Awaitable[RetrievedPassages]]
    thresholds: Thresholds
    attempts: Attempts = field(default_factory=Attempts)


class CellGrader:
    """Grades one model in one condition; what its journals hold is not asked again."""

    def __init__(self, model: Model, condition: Condition, shared: SharedSources) -> None:
        self.cell = Cell(model.name, condition.value)
        self.failures: list[Failure] = []
        self._model = model
        self._condition = condition
        self._shared = shared
        path = shared.folder / f"run_records_{file_name(model.name)}_{condition}.jsonl"
        self.runs = KeyedJournal(path, RunRecord, attrgetter("query_id"))

    async def __call__(self, query: Query) -> Sample:
        """Ask and judge one question; a judge is not asked of an answer whose form is broken."""
        run = self.runs.known.get(query.id)
        outcome = run or await self._shared.attempts(ANSWER, query, self._answer)
        sample = partial(Sample, query=query, cell=self.cell)
        if isinstance(outcome, Blocked):
            return sample(blocked=True)
        if not isinstance(outcome, RunRecord):
            return sample(error=self._failed(outcome))
        judges = self._shared.judges if outcome.format_ok else ()
        judged = await all_of(
            [self._judge(outcome, *judge, primary=judge is judges[0]) for judge in judges]
        )
        errors = judged[0].errors if judged else {}
        message = "; ".join(f"{metric}: {error}" for metric, error in errors.items()) or None
        return sample(run=outcome, error=message, judged=tuple(judged))

    async def _answer(self, query: Query) -> RunRecord:
        needed = self._condition is not Condition.NO_RAG
        hits = (await self._shared.search(query.question)).hits if needed else ()
        thresholds = self._shared.thresholds
        record = await answer_openly(query, self._condition, hits, self._model, thresholds)
        self.runs.keep(record)
        return record

    async def _judge(
        self, run: RunRecord, judge: Model, journal: KeyedJournal[JudgeRecord], *, primary: bool
    ) -> JudgeRecord:
        if run.id in journal.known:
            return journal.known[run.id]
        answer = OpenAnswer(
            question=run.question,
            reference=run.reference_answer,
            text=run.answer,
            contexts=run.contexts,
        )
        calls = {
            metric.name: Call(
                f"{run.id}/{judge.name}/{metric.name}", partial(metric.judge, answer, judge)
            )
            for metric in GRADED
            if metric.always or (primary and run.rag_context_used)
        }
        outcomes = await all_of(
            [self._shared.attempts(JUDGE, call, Call.made) for call in calls.values()]
        )
        named = dict(zip(calls, outcomes, strict=True))
        scored = {name: said for name, said in named.items() if isinstance(said, ExplainedScore)}
        record = JudgeRecord(
            id=run.id,
            query_id=run.query_id,
            model=run.model,
            condition=run.condition,
            judge=judge.name,
            scores={name: said.score for name, said in scored.items()},
            rationales={name: said.explanation for name, said in scored.items()},
            errors={name: self._failed(said) for name, said in named.items() if name not in scored},
        )
        if not record.errors:
            journal.keep(record)
        return record

    def _failed(self, outcome: object) -> str:
        """Note a failure, and return what went wrong."""
        assert isinstance(outcome, Failure | Blocked), outcome  # nothing else ends a call
        failure = as_failure(outcome)
        self.failures.append(failure)
        blocked = isinstance(outcome, Blocked)
        return failure.message if blocked else f"{failure.kind}: {failure.message}"
