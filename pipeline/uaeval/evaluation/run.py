"""Ask a system every query, and judge its responses."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final, TypeAlias

from uaeval.config import RESPONSES, EvaluationConfig
from uaeval.errors import StorageError
from uaeval.evaluation.judging.judge import Undecided, judge_by_majority, judge_tasks
from uaeval.evaluation.respond import respond
from uaeval.llm.model import Model
from uaeval.records import Blocked, Failure, Judgement, Query, Response, ResponseStatus
from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, Outcome, PendingRecord, all_of, keep_busy, of_kind
from uaeval.storage import GrowingJournal, KeyedJournal, write_journal
from uaeval.systems.system import System

JUDGEMENTS = "judgements.jsonl"
UNDECIDED = "judgements.undecided.jsonl"
_STAGES: Final = ("respond", "judge")
QueryOutcome: TypeAlias = Outcome[Response | Judgement | Undecided]


async def evaluate(
    queries: Sequence[Query],
    system: System,
    judges: Sequence[Model],
    folder: Path,
    config: EvaluationConfig,
    progress: ProgressListener,
) -> int:
    """Ask `system` every query without a response in `folder`, and judge all responses.

    A response is judged at once by each of `judges`; the label of the majority counts. The journals
    are in the order of the queries. They are written even if the evaluation is aborted; a query
    that was not reached keeps its records of the session before. Return the number of pending
    replies (batch mode).
    """
    responses = KeyedJournal(folder / RESPONSES, Response, attrgetter("query_id"))
    by_query, attempts = _earlier_outcomes(folder, queries), Attempts()

    async def ask(query: Query) -> Response:
        response = await respond(query, system)
        await responses.keep(response)
        return response

    async def process(query: Query) -> QueryOutcome:
        """Ask and judge; return the first failed, blocked or pending outcome, if any."""
        outcome: QueryOutcome | None = responses.known.get(query.id)
        if outcome is None:
            outcome = await attempts("respond", query.id, partial(ask, query))
        outcomes = [outcome]
        if isinstance(outcome, Response) and outcome.status is ResponseStatus.OK:
            outcomes += await all_of(
                [
                    attempts("judge", task.id, partial(judge_by_majority, task, judges))
                    for task in judge_tasks(query, outcome.text, config.policy)
                ]
            )
        by_query[query.id] = outcomes
        kinds: tuple[type[QueryOutcome], ...] = (Failure, Blocked, PendingRecord)
        return next((found for kind in kinds for found in of_kind(outcomes, kind)), outcome)

    known = sum(query.id in responses.known for query in queries)
    kept = f", {known} of an earlier session" if known else ""
    progress.started(f"asking {system.name} and judging its responses{kept}", len(queries))
    take = partial(next, iter(queries), None)
    try:
        await keep_busy(take, process, concurrency=config.concurrency, done=progress.advanced)
    finally:
        responses.put_in_order(query.id for query in queries)
        outcomes = [outcome for query in queries for outcome in by_query[query.id]]
        write_judgements(folder, outcomes)
        failed = [outcome for outcome in outcomes if isinstance(outcome, Failure | Blocked)]
        for stage in _STAGES:
            write_failures(folder, stage, [call for call in failed if call.stage == stage])
    return len(of_kind(outcomes, PendingRecord))


def _earlier_outcomes(folder: Path, queries: Sequence[Query]) -> dict[str, list[QueryOutcome]]:
    """Return the records in the journals of an earlier session, by query id."""
    kinds: dict[str, type[Judgement | Undecided | Failure | Blocked]] = {
        JUDGEMENTS: Judgement,
        UNDECIDED: Undecided,
        **{f"{stage}.failed.jsonl": Failure for stage in _STAGES},
        **{f"{stage}.blocked.jsonl": Blocked for stage in _STAGES},
    }
    outcomes: dict[str, list[QueryOutcome]] = {query.id: [] for query in queries}
    for name, kind in kinds.items():
        try:
            records = GrowingJournal(folder / name, kind).read()
        except StorageError as error:
            remedy = "delete this file; it is written anew from the stored replies"
            raise StorageError(f"{error}; {remedy}") from error
        for record in records:
            query_id = record.id if record.id in outcomes else record.id.rpartition("/")[0]
            outcomes.setdefault(query_id, []).append(record)
    return outcomes


def write_judgements(folder: Path, outcomes: Sequence[object]) -> None:
    """Write the journals of the judgements and of the undecided replies."""
    write_journal(folder / JUDGEMENTS, Judgement, of_kind(outcomes, Judgement))
    write_journal(folder / UNDECIDED, Undecided, of_kind(outcomes, Undecided))


def write_failures(folder: Path, name: str, outcomes: Sequence[object]) -> None:
    """Write the journals of the failed and of the blocked calls."""
    write_journal(folder / f"{name}.failed.jsonl", Failure, of_kind(outcomes, Failure))
    write_journal(folder / f"{name}.blocked.jsonl", Blocked, of_kind(outcomes, Blocked))
