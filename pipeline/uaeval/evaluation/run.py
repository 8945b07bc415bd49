"""A whole evaluation: ask the system every query, judge what it says, score, report."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from uaeval.evaluation.judge import JudgeTask, Policy, judge, judge_tasks
from uaeval.evaluation.metrics import scores
from uaeval.evaluation.respond import Answering, respond
from uaeval.llm.model import Model
from uaeval.runner import Outage, Waiting, attempt, run_all
from uaeval.storage import GrowingJournal, write_journal
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What an evaluation found."""

    folder: Path
    queries: tuple[Query, ...]
    responses: tuple[Response, ...]
    judgements: tuple[Judgement, ...]
    failures: tuple[Failure, ...]
    """Of the system under test and of the judge; never among the scores."""
    waiting: int
    """Answers that are still to come (batch mode)."""
    scores: tuple[Score, ...]
    blocked: tuple[Blocked, ...] = ()
    """What a content filter stopped without a response; no failures."""

    @property
    def blocked_counts(self) -> dict[str, dict[str, int]]:
        """Count what was blocked by stage (`respond`, `judge`) and by category of the pair."""
        of_judge = [one.id.rpartition("/")[0] for one in self.blocked if one.stage == "judge"]
        of_system = [one.id for one in self.blocked if one.stage == "respond"]
        stopped = [one for one in self.responses if one.status is ResponseStatus.BLOCKED]
        of_system += [response.query_id for response in stopped]
        category = {query.id: query.pair_category.value for query in self.queries}
        return {
            stage: dict(Counter(category[query_id] for query_id in query_ids))
            for stage, query_ids in (("respond", of_system), ("judge", of_judge))
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to evaluate."""

    policy: Policy
    weights: tuple[float, float]
    concurrency: int


async def evaluate(
    queries: Sequence[Query],
    system: Answering,
    judge_model: Model,
    folder: Path,
    settings: Settings,
    *,
    phase: Callable[[str, int], None],
    done: Callable[[object], None],
) -> Evaluation:
    """Evaluate `system`; responses that `folder` holds already are not asked for again.

    `phase` is told what starts and how many records it has, `done` of each that ends.
    """
    responses, unanswered = await _respond(queries, system, folder, settings, phase, done)
    tasks = judge_tasks(queries, responses)
    phase("judging responses", len(tasks))

    async def work(task: JudgeTask) -> Judgement | Rejection:
        return await judge(task, judge_model, settings.policy)

    outage = Outage()

    async def one(task: JudgeTask) -> Judgement | Rejection | Failure | Blocked | Waiting:
        outcome = await attempt("judge", task, work)
        outage.note(outcome)
        return outcome

    judged = await run_all(tasks, one, concurrency=settings.concurrency, done=done)
    judgements = tuple(outcome for outcome in judged if isinstance(outcome, Judgement))
    ended = (*unanswered, *judged)
    _leave(folder, "judge", judged)
    write_journal(folder / "judgements.jsonl", Judgement, judgements)
    return Evaluation(
        folder=folder,
        queries=tuple(queries),
        responses=responses,
        judgements=judgements,
        failures=tuple(outcome for outcome in ended if isinstance(outcome, Failure)),
        blocked=tuple(outcome for outcome in ended if isinstance(outcome, Blocked)),
        waiting=sum(isinstance(outcome, Waiting) for outcome in ended),
        scores=scores(queries, responses, judgements, weights=settings.weights),
    )


async def _respond(
    queries: Sequence[Query],
    system: Answering,
    folder: Path,
    settings: Settings,
    phase: Callable[[str, int], None],
    done: Callable[[object], None],
) -> tuple[tuple[Response, ...], tuple[Failure | Blocked | Waiting, ...]]:
    """Return all responses in the order of the queries, and what has none."""
    path = folder / "responses.jsonl"
    journal = GrowingJournal(path, Response)
    known = {response.query_id: response for response in journal.read()}
    missing = [query for query in queries if query.id not in known]
    phase(f"asking {system.name}", len(missing))

    async def work(query: Query) -> Response | Rejection:
        response = await respond(query, system)
        journal.append(response)
        return response

    outage = Outage()

    async def one(query: Query) -> Response | Rejection | Failure | Blocked | Waiting:
        outcome = await attempt("respond", query, work)
        outage.note(outcome)
        return outcome

    outcomes = await run_all(missing, one, concurrency=settings.concurrency, done=done)
    known |= {one.query_id: one for one in outcomes if isinstance(one, Response)}
    responses = tuple(known[query.id] for query in queries if query.id in known)
    write_journal(path, Response, responses)
    _leave(folder, "respond", outcomes)
    return responses, tuple(one for one in outcomes if isinstance(one, Failure | Blocked | Waiting))


def _leave(folder: Path, stage: str, outcomes: Sequence[object]) -> None:
    """Write the journals of what failed and of what was blocked."""
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    blocked = [outcome for outcome in outcomes if isinstance(outcome, Blocked)]
    write_journal(folder / f"{stage}.failed.jsonl", Failure, failures)
    write_journal(folder / f"{stage}.blocked.jsonl", Blocked, blocked)
