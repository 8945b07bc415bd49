"""Ask a system every query, and judge what it says."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias

from uaeval.config import EvaluationConfig
from uaeval.errors import TargetError
from uaeval.evaluation.judging.judge import Policy, Undecided, judge_by_majority, judge_tasks
from uaeval.llm.model import Model
from uaeval.records import Blocked, Failure, Judgement, Query, Rejection, Response, ResponseStatus
from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, PendingRecord, all_of, keep_busy, of_kind
from uaeval.storage import KeyedJournal, whole_characters, write_journal
from uaeval.systems.system import System

RESPONSES = "responses.jsonl"
JUDGEMENTS = "judgements.jsonl"
UNDECIDED = "judgements.undecided.jsonl"

QueryOutcome: TypeAlias = (
    Response | Judgement | Undecided | Rejection | Failure | Blocked | PendingRecord
)


async def evaluate(
    queries: Sequence[Query],
    system: System,
    judges: Sequence[Model],
    folder: Path,
    config: EvaluationConfig,
    progress: ProgressListener,
) -> int:
    """Ask and judge `system`; responses that `folder` holds already are not asked for again.

    A response is judged as soon as it is there, by each of `judges`; the majority counts. The
    journals are in the order of the queries, and are written however the evaluation ends. Return
    how many answers are still to come (batch mode).
    """
    worker, left = _QueryWorker(system, judges, folder, config.policy), iter(queries)
    progress.started(f"asking {system.name} and judging its responses", len(queries))
    try:
        await keep_busy(
            lambda: next(left, None),
            worker,
            concurrency=config.concurrency,
            done=progress.advanced,
        )
    finally:
        worker.responses.put_in_order(query.id for query in queries)
        endings = [ending for query in queries for ending in worker.endings.get(query.id, ())]
        write_judgements(folder, endings)
        for stage in ("respond", "judge"):
            faults = [each for each in endings if isinstance(each, Failure | Blocked)]
            write_failures(folder, stage, [fault for fault in faults if fault.stage == stage])
    return len(of_kind(endings, PendingRecord))


def has_responses(folder: Path) -> bool:
    """Return whether an evaluation's folder holds any response."""
    journal = folder / RESPONSES
    return journal.exists() and journal.stat().st_size > 0


class _QueryWorker:
    """Asks the system one query and has its response judged; notes a response at once."""

    def __init__(
        self, system: System, judges: Sequence[Model], folder: Path, policy: Policy
    ) -> None:
        self._system = system
        self._judge = partial(judge_by_majority, judges=judges, policy=policy)
        self._attempts = Attempts()
        self.responses = KeyedJournal(folder / RESPONSES, Response, attrgetter("query_id"))
        """Those that it holds need not be asked for."""
        self.endings: dict[str, Sequence[QueryOutcome]] = {}
        """By query id, the system's response, and what the judge says of it."""

    async def __call__(self, query: Query) -> QueryOutcome:
        """Examine one query; return what says most of it: failed, then blocked, then awaited."""
        endings = self.endings[query.id] = await self._examined(query)
        kinds: tuple[type[QueryOutcome], ...] = (Failure, Blocked, PendingRecord)
        return next((each for kind in kinds for each in of_kind(endings, kind)), endings[0])

    async def _examined(self, query: Query) -> Sequence[QueryOutcome]:
        outcome: QueryOutcome | None = self.responses.known.get(query.id)
        if outcome is None:
            outcome = await self._attempts("respond", query.id, partial(self._respond, query))
        if not isinstance(outcome, Response):
            return [outcome]
        tasks = judge_tasks([query], [outcome])
        judged: list[QueryOutcome] = await all_of(
            [self._attempts("judge", task.id, partial(self._judge, task)) for task in tasks]
        )
        return [outcome, *judged]

    async def _respond(self, query: Query) -> Response:
        response = await respond(query, self._system)
        await self.responses.keep(response)
        return response


def write_judgements(folder: Path, endings: Sequence[object]) -> None:
    """Write the journals of the judgements, and of what the judge could not tell."""
    write_journal(folder / JUDGEMENTS, Judgement, of_kind(endings, Judgement))
    write_journal(folder / UNDECIDED, Undecided, of_kind(endings, Undecided))


def write_failures(folder: Path, name: str, outcomes: Iterable[object]) -> None:
    """Write the journals of the calls that failed, and of those that a content filter stopped."""
    failures, blocked = of_kind(outcomes, Failure), of_kind(outcomes, Blocked)
    write_journal(folder / f"{name}.failed.jsonl", Failure, failures)
    write_journal(folder / f"{name}.blocked.jsonl", Blocked, blocked)


async def respond(query: Query, system: System, condition: str | None = None) -> Response:
    """Return the system's response to `query`.

    Raises:
        TargetError: no response came, or an empty one; neither is a refusal.
    """
    answer = await system.answer(query)
    # Spaces and invisible marks say nothing.
    says_something = any(unicodedata.category(letter)[0] in "LNPS" for letter in answer.text)
    if answer.status is ResponseStatus.OK and not says_something:
        # `raw` is set: a system that says nothing was there, and is no outage.
        raise TargetError(f"{system.name}: empty response to {query.id}", raw=answer.text)
    return Response(
        id="/".join(part for part in (query.id, system.name, condition) if part),
        query_id=query.id,
        text=whole_characters(answer.text),
        status=answer.status,
        retrieved_contexts=tuple(
            replace(
                context,
                id=context.id and whole_characters(context.id),
                text=whole_characters(context.text),
                heading=whole_characters(context.heading),
            )
            for context in answer.contexts
        ),
        system=system.name,
        condition=condition,
        latency_s=answer.latency_s,
        stopped_parts=answer.stopped_parts,
        tool_calls=tuple(map(whole_characters, answer.tool_calls)),
    )
