"""What is measured after an evaluation: why responses are bad, and metrics on demand."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

from uaeval.evaluation.metrics.answer_quality import judge_final_score
from uaeval.evaluation.metrics.attribution import Attribution, BadResponse, attribute, bad_responses
from uaeval.evaluation.metrics.final_score import FinalScore
from uaeval.evaluation.metrics.on_demand_scores import final_means, quest_means
from uaeval.evaluation.metrics.outcomes import read_items
from uaeval.evaluation.metrics.quest_eval_questions import (
    GroundTruths,
    QuestEvalResult,
    judge_quest_eval,
)
from uaeval.llm.model import Model
from uaeval.runner import OutageDetector, PendingRecord, attempt, keep_busy
from uaeval.storage import write_journal
from uaeval.types import (
    Blocked,
    Failure,
    Judgement,
    Query,
    Rejection,
    Response,
    ResponseStatus,
    Score,
)

R = TypeVar("R")

ATTRIBUTION: Final = "attribution"
FINAL_SCORE: Final = "final_score"
QUEST_EVAL: Final = "quest_eval"


class EvaluationData(Protocol):
    """What an evaluation found, as far as this goes on from it."""

    @property
    def queries(self) -> tuple[Query, ...]:
        """All queries."""
        ...

    @property
    def responses(self) -> tuple[Response, ...]:
        """What the system said."""
        ...

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """What the judge said of it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What the metrics draw on."""

    judge: Model
    texts: Mapping[str, str]
    """Of the chunks that a right response rests on, by id."""
    truths: GroundTruths


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditionalResults:
    """What was found."""

    attributions: tuple[Attribution, ...]
    """One for each bad response, in the order of the queries."""
    final_scores: tuple[FinalScore, ...] = ()
    quested: tuple[QuestEvalResult, ...] = ()
    failures: tuple[Failure, ...] = ()
    """Of the judge, stage `judge`."""
    blocked: tuple[Blocked, ...] = ()
    waiting: int = 0
    scores: tuple[Score, ...] = ()


@dataclass(frozen=True, slots=True)
class _Job(Generic[R]):
    """One unit of work that may fail alone."""

    id: str
    work: Callable[[], Awaitable[R]]


@dataclass(slots=True)
class _JobRunner:
    """Runs jobs, and keeps apart what did not get through."""

    concurrency: int
    phase: Callable[[str, int], None]
    done: Callable[[object], None]
    failures: list[Failure]
    blocked: list[Blocked]
    waiting: int = 0

    async def run(self, title: str, jobs: Sequence[_Job[R]]) -> dict[str, R]:
        """Return the results by job id; failures, blocked and awaited ones are noted."""
        if not jobs:
            return {}
        outage, results = OutageDetector(), dict[str, R]()
        self.phase(title, len(jobs))
        left = iter(jobs)

        async def work(
            job: _Job[R],
        ) -> tuple[str, R | Rejection | Failure | Blocked | PendingRecord]:
            return job.id, await attempt("judge", job, lambda one: one.work())

        def note(ended: tuple[str, R | Rejection | Failure | Blocked | PendingRecord]) -> None:
            name, outcome = ended
            self.done(outcome)
            outage.note(outcome)
            match outcome:
                case Failure():
                    self.failures.append(outcome)
                case Blocked():
                    self.blocked.append(outcome)
                case PendingRecord():
                    self.waiting += 1
                case Rejection():
                    raise AssertionError(f"{name}: no check turns a measurement down")
                case _:
                    results[name] = outcome

        await keep_busy(lambda: next(left, None), work, concurrency=self.concurrency, done=note)
        return results


async def measure_further(
    found: EvaluationData,
    metrics: Collection[str],
    sources: Sources,
    *,
    concurrency: int,
    phase: Callable[[str, int], None],
    done: Callable[[object], None],
) -> AdditionalResults:
    """Attribute the bad responses, by code or with the judge, and take the other `metrics`."""
    desk = _JobRunner(concurrency, phase, done, [], [])
    responses = {one.query_id: one for one in found.responses}
    spoken = {name: one for name, one in responses.items() if one.status is ResponseStatus.OK}
    attributions = await _attributions(found, responses, ATTRIBUTION in metrics, sources, desk)
    finals, quests = dict[str, FinalScore](), dict[str, QuestEvalResult]()
    scores = list[Score]()
    unblocked = [
        query for query in found.queries if query.id not in responses or query.id in spoken
    ]
    if FINAL_SCORE in metrics:
        finals = await _finals(unblocked, spoken, sources, desk)
        scores += final_means(unblocked, finals)
    if QUEST_EVAL in metrics:
        controls = [query for query in unblocked if query.reference_answer is not None]
        quests = await _quests(controls, spoken, sources, desk)
        scores += quest_means(controls, quests)
    place = {query.id: number for number, query in enumerate(found.queries)}
    return AdditionalResults(
        attributions=attributions,
        final_scores=tuple(sorted(finals.values(), key=lambda one: place[one.question_id])),
        quested=tuple(sorted(quests.values(), key=lambda one: place[one.query_id])),
        failures=tuple(sorted(desk.failures, key=lambda one: one.id)),
        blocked=tuple(sorted(desk.blocked, key=lambda one: one.id)),
        waiting=desk.waiting,
        scores=tuple(scores),
    )


async def _attributions(
    found: EvaluationData,
    responses: Mapping[str, Response],
    ask: bool,
    sources: Sources,
    desk: _JobRunner,
) -> tuple[Attribution, ...]:
    items = read_items(found.queries, found.responses, found.judgements)
    queries = {query.id: query for query in found.queries}
    bad = list(bad_responses(items, queries, responses, sources.texts))
    jobs = [_attribution_job(one, sources.judge) for one in bad if ask and one.open]
    judged = await desk.run("attributing bad responses", jobs)
    asked = {job.id for job in jobs}
    return tuple(
        one.found if one.id not in asked else judged.get(one.id, one.undecided) for one in bad
    )


def _attribution_job(bad: BadResponse, judge: Model) -> _Job[Attribution]:
    return _Job(bad.id, lambda: attribute(bad, judge))


async def _finals(
    queries: Sequence[Query], spoken: Mapping[str, Response], sources: Sources, desk: _JobRunner
) -> dict[str, FinalScore]:
    def job(query: Query) -> _Job[FinalScore]:
        response = spoken[query.id]
        return _Job(
            f"{query.id}/{FINAL_SCORE}",
            lambda: judge_final_score(query, response, sources.judge, sources.texts),
        )

    jobs = [job(query) for query in queries if query.id in spoken]
    results = await desk.run("scoring answers and contexts", jobs)
    return {one.question_id: one for one in results.values()}


async def _quests(
    queries: Sequence[Query], spoken: Mapping[str, Response], sources: Sources, desk: _JobRunner
) -> dict[str, QuestEvalResult]:
    def job(query: Query) -> _Job[QuestEvalResult]:
        response = spoken[query.id]
        return _Job(
            f"{query.id}/{QUEST_EVAL}",
            lambda: judge_quest_eval(query, response, sources.judge, sources.truths),
        )

    jobs = [job(query) for query in queries if query.id in spoken]
    results = await desk.run("asking for what the references say", jobs)
    return {one.query_id: one for one in results.values()}


FILES: Final = {
    ATTRIBUTION: "attributions.jsonl",
    FINAL_SCORE: "final_scores.jsonl",
    QUEST_EVAL: "quest_eval.jsonl",
}


def write_further(folder: Path, further: AdditionalResults) -> None:
    """Write what was found beside the evaluation's other journals."""
    write_journal(folder / FILES[ATTRIBUTION], Attribution, further.attributions)
    if further.final_scores:
        write_journal(folder / FILES[FINAL_SCORE], FinalScore, further.final_scores)
    if further.quested:
        write_journal(folder / FILES[QUEST_EVAL], QuestEvalResult, further.quested)
    write_journal(folder / "further.failed.jsonl", Failure, further.failures)
    write_journal(folder / "further.blocked.jsonl", Blocked, further.blocked)
