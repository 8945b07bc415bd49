"""A whole evaluation: ask the system every query, judge what it says, score, report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from uaeval.evaluation.judge import JudgeTask, Policy, judge_tasks
from uaeval.evaluation.jury import judge_by_majority
from uaeval.evaluation.metrics import scores
from uaeval.evaluation.respond import Answering, respond
from uaeval.llm.model import Model
from uaeval.runner import Outage, Waiting, attempt, run_all
from uaeval.storage import GrowingJournal, write_journal
from uaeval.types import Failure, Judgement, Query, Rejection, Response, Score


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to evaluate."""

    policy: Policy
    weights: tuple[float, float]
    concurrency: int


async def evaluate(
    queries: Sequence[Query],
    system: Answering,
    judges: Sequence[Model],
    folder: Path,
    settings: Settings,
    *,
    phase: Callable[[str, int], None],
    done: Callable[[object], None],
) -> Evaluation:
    """Evaluate `system`; responses that `folder` holds already are not asked for again.

    Each of `judges` judges every response, and the majority counts.

    `phase` is told what starts and how many records it has, `done` of each that ends.
    """
    responses, unanswered = await _respond(queries, system, folder, settings, phase, done)
    tasks = judge_tasks(queries, responses)
    phase("judging responses", len(tasks))

    async def work(task: JudgeTask) -> Judgement | Rejection:
        return await judge_by_majority(task, judges, settings.policy)

    outage = Outage()

    async def one(task: JudgeTask) -> Judgement | Rejection | Failure | Waiting:
        outcome = await attempt("judge", task, work)
        outage.note(outcome)
        return outcome

    judged = await run_all(tasks, one, concurrency=settings.concurrency, done=done)
    judgements = tuple(outcome for outcome in judged if isinstance(outcome, Judgement))
    ended = (*unanswered, *judged)
    failures = tuple(outcome for outcome in ended if isinstance(outcome, Failure))
    write_journal(folder / "judgements.jsonl", Judgement, judgements)
    write_journal(folder / "judge.failed.jsonl", Failure, _of_stage(failures, "judge"))
    return Evaluation(
        folder=folder,
        queries=tuple(queries),
        responses=responses,
        judgements=judgements,
        failures=failures,
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
) -> tuple[tuple[Response, ...], tuple[Failure | Waiting, ...]]:
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

    async def one(query: Query) -> Response | Rejection | Failure | Waiting:
        outcome = await attempt("respond", query, work)
        outage.note(outcome)
        return outcome

    outcomes = await run_all(missing, one, concurrency=settings.concurrency, done=done)
    known |= {one.query_id: one for one in outcomes if isinstance(one, Response)}
    responses = tuple(known[query.id] for query in queries if query.id in known)
    write_journal(path, Response, responses)
    unanswered = tuple(one for one in outcomes if isinstance(one, Failure | Waiting))
    failures = [one for one in unanswered if isinstance(one, Failure)]
    write_journal(folder / "respond.failed.jsonl", Failure, failures)
    return responses, unanswered


def _of_stage(failures: Sequence[Failure], stage: str) -> list[Failure]:
    return [failure for failure in failures if failure.stage == stage]
