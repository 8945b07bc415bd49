"""Further judges of an evaluation: what they say beside the first, and how far they agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from uaeval.evaluation.judging.agreement import LabelAgreement, label_agreement, of_pairs
from uaeval.evaluation.judging.judge import Policy, Undecided, judge, judge_tasks
from uaeval.llm.model import Model
from uaeval.records import Failure, Judgement, Metric, Query, Response
from uaeval.run.progress import ProgressListener
from uaeval.runner import Call, as_failure, run_calls
from uaeval.storage import read_journal, read_json, write_journal, write_json

AGREEMENT: Final = "agreement.json"
OTHERS: Final = "judgements.others.jsonl"
FAILED: Final = "others.failed.jsonl"
UNDECIDED: Final = "others.undecided.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherJudgements:
    """What single judges said of the responses."""

    judgements: tuple[Judgement, ...]
    """Of all of them, in the order of the judges and queries."""
    failures: tuple[Failure, ...]
    """Of calls to them, stage `other_judge`: they change no score."""
    waiting: int
    agreement: tuple[LabelAgreement, ...]
    """Of every two judges, by metric."""
    undecided: tuple[Undecided, ...] = ()
    """What single judges could not tell; no labels, and no part of the agreement."""

    @property
    def undecided_counts(self) -> dict[str, int]:
        """Count what each judge could not tell."""
        return dict(Counter(reply.judge for reply in self.undecided))


async def ask_others(
    queries: Sequence[Query],
    responses: Sequence[Response],
    judges: Sequence[Model],
    policy: Policy,
    *,
    concurrency: int,
    progress: ProgressListener,
) -> OtherJudgements:
    """Have each of the judges, the first among them, judge every response alone."""
    tasks = judge_tasks(queries, responses)
    calls = [
        Call(f"{task.id}/{model.name}", partial(judge, task, model, policy))
        for model in judges
        for task in tasks
    ]
    progress.started("asking all judges", len(calls))
    results = await run_calls(
        "other_judge", calls, concurrency=concurrency, advanced=progress.advanced
    )
    replies = results.records.values()
    judgements = tuple(reply for reply in replies if isinstance(reply, Judgement))
    return OtherJudgements(
        judgements=judgements,
        failures=tuple(map(as_failure, results.failures)),
        waiting=results.waiting,
        agreement=agreements([model.name for model in judges], judgements),
        undecided=tuple(reply for reply in replies if isinstance(reply, Undecided)),
    )


def agreements(
    judges: Sequence[str], judgements: Sequence[Judgement]
) -> tuple[LabelAgreement, ...]:
    """Compare every two judges by metric; what one of them did not judge is left out."""
    labels: dict[Metric, dict[str, dict[str, str]]] = {
        metric: {name: {} for name in judges} for metric in Metric
    }
    for judgement in judgements:
        labels[judgement.metric][judgement.judge][judgement.query_id] = judgement.label
    compared = (of_pairs(label_agreement, *entry) for entry in labels.items())
    return tuple(each for each in chain.from_iterable(compared) if each.n)


def write_others(folder: Path, others: OtherJudgements) -> None:
    """Write what the judges said, and how far they agree, beside the other journals."""
    write_journal(folder / OTHERS, Judgement, others.judgements)
    write_journal(folder / FAILED, Failure, others.failures)
    write_journal(folder / UNDECIDED, Undecided, others.undecided)
    labels = [*map(asdict, others.agreement)]
    write_json(folder / AGREEMENT, {"labels": labels, "undecided": others.undecided_counts})


def read_others(folder: Path) -> OtherJudgements | None:
    """Read what `write_others` wrote; `None` if the evaluation has one judge.

    Raises:
        StorageError: a file is missing or damaged.
    """
    if not (folder / AGREEMENT).exists():
        return None
    labels = read_json(folder / AGREEMENT).get("labels")
    return OtherJudgements(
        judgements=tuple(read_journal(folder / OTHERS, Judgement)),
        failures=tuple(read_journal(folder / FAILED, Failure)),
        waiting=0,
        agreement=TypeAdapter(tuple[LabelAgreement, ...]).validate_python(labels),
        undecided=tuple(read_journal(folder / UNDECIDED, Undecided)),
    )
