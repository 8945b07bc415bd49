"""A whole evaluation: ask the system every query, judge what it says, score, report."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias, TypeVar

from uaeval.config import EvaluationConfig
from uaeval.errors import TargetError
from uaeval.evaluation.judging.judge import (
    Policy,
    Undecided,
    judge_by_majority,
    judge_tasks,
)
from uaeval.evaluation.judging.other_judges import OtherJudgements
from uaeval.evaluation.manifest import Latency, latency
from uaeval.evaluation.metrics.on_demand import AdditionalResults
from uaeval.evaluation.metrics.scores import scores
from uaeval.evaluation.metrics.spec import CONTROLS
from uaeval.llm.model import Model
from uaeval.records import (
    Blocked,
    Failure,
    Judgement,
    Query,
    Rejection,
    Response,
    ResponseStatus,
    Score,
)
from uaeval.run.progress import ProgressListener
from uaeval.runner import Attempts, PendingRecord, all_of, keep_busy
from uaeval.storage import KeyedJournal, whole_characters, write_journal
from uaeval.systems.system import System

K = TypeVar("K")

RESPONSES = "responses.jsonl"
JUDGEMENTS = "judgements.jsonl"
UNDECIDED = "judgements.undecided.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The results of an evaluation."""

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
    undecided: tuple[Undecided, ...] = ()
    """What the judge could not tell: no labels, no failures, and not asked again."""
    further: AdditionalResults | None = None
    """Attribution of bad responses, and metrics on demand."""
    others: OtherJudgements | None = None
    """What each of several judges says, and how far they agree."""

    def with_others(self, others: OtherJudgements) -> "Evaluation":
        """Add what single judges say; the scores stay as they are."""
        return replace(
            self,
            others=others,
            failures=(*self.failures, *others.failures),
            waiting=self.waiting + others.waiting,
        )

    @property
    def undecided_counts(self) -> dict[str, int]:
        """Count what the judge could not tell, by metric."""
        return dict(Counter(reply.metric.value for reply in self.undecided))

    @property
    def latency(self) -> Latency | None:
        """How long the system took, if it was watched."""
        return latency(self.responses)

    @property
    def stopped_parts(self) -> dict[str, int]:
        """Count the responses for which a part of the built-in RAG did nothing, by what it was."""
        parts = (part for response in self.responses for part in response.stopped_parts)
        return dict(sorted(Counter(parts).items()))

    @property
    def blocked_counts(self) -> dict[str, dict[str, int]]:
        """Count what was blocked by stage (`respond`, `judge`) and by category of the pair."""
        of_judge = [each.id.rpartition("/")[0] for each in self.blocked if each.stage == "judge"]
        of_system = [each.id for each in self.blocked if each.stage == "respond"]
        blocked = ResponseStatus.BLOCKED
        of_system += [each.query_id for each in self.responses if each.status is blocked]
        category = {query.id: query.pair_category or CONTROLS for query in self.queries}
        return {
            stage: dict(Counter(str(category[query_id]) for query_id in query_ids))
            for stage, query_ids in (("respond", of_system), ("judge", of_judge))
        }


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
) -> Evaluation:
    """Evaluate `system`; responses that `folder` holds already are not asked for again.

    A response is judged as soon as it is there, by each of `judges`; the majority counts. The
    journals are in the order of the queries, and are written however the evaluation ends.
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
        responses = worker.responses.put_in_order(query.id for query in queries)
        endings = [ending for query in queries for ending in worker.endings.get(query.id, ())]
        _write(folder, endings)
    judgements, undecided = tuple(_of(endings, Judgement)), tuple(_of(endings, Undecided))
    return Evaluation(
        folder=folder,
        queries=tuple(queries),
        responses=responses,
        judgements=judgements,
        failures=tuple(_of(endings, Failure)),
        blocked=tuple(_of(endings, Blocked)),
        waiting=len(_of(endings, PendingRecord)),
        undecided=undecided,
        scores=scores(queries, responses, judgements, undecided, weights=config.weights),
    )


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
        kinds = (Failure, Blocked, PendingRecord)
        worst = (ending for kind in kinds for ending in endings if isinstance(ending, kind))
        return next(worst, endings[0])

    async def _examined(self, query: Query) -> Sequence[QueryOutcome]:
        outcome: QueryOutcome | None = self.responses.known.get(query.id)
        if outcome is None:
            outcome = await self._attempts("respond", query, self._respond)
        if not isinstance(outcome, Response):
            return [outcome]
        tasks = judge_tasks([query], [outcome])
        judged: list[QueryOutcome] = await all_of(
            [self._attempts("judge", task, self._judge) for task in tasks]
        )
        return [outcome, *judged]

    async def _respond(self, query: Query) -> Response:
        response = await respond(query, self._system)
        self.responses.keep(response)
        return response


def _write(folder: Path, endings: Sequence[QueryOutcome]) -> None:
    write_journal(folder / JUDGEMENTS, Judgement, _of(endings, Judgement))
    write_journal(folder / UNDECIDED, Undecided, _of(endings, Undecided))
    for stage in ("respond", "judge"):
        failed = [failure for failure in _of(endings, Failure) if failure.stage == stage]
        stopped = [block for block in _of(endings, Blocked) if block.stage == stage]
        write_journal(folder / f"{stage}.failed.jsonl", Failure, failed)
        write_journal(folder / f"{stage}.blocked.jsonl", Blocked, stopped)


def _of(endings: Sequence[QueryOutcome], kind: type[K]) -> list[K]:
    return [ending for ending in endings if isinstance(ending, kind)]


async def respond(query: Query, system: System, condition: str | None = None) -> Response:
    """Return the system's response to `query`.

    Raises:
        TargetError: no response came, or an empty one; neither is a refusal.
    """
    answer = await system.answer(query)
    if answer.status is ResponseStatus.OK and not _says_something(answer.text):
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
    )


def _says_something(text: str) -> bool:
    """Return whether `text` has a letter, digit or sign; spaces and invisible marks say nothing."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text)
