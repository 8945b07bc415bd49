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
from uaeval.storage import read_json, write_journal, write_json

AGREEMENT: Final = "agreement.json"
OTHERS: Final = "judgements.others.jsonl"
FAILED: Final = "others.failed.jsonl"
UNDECIDED: Final = "others.undecided.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreements:
    """How far the judges of an evaluation agree."""

    labels: tuple[LabelAgreement, ...]
    """Of every two judges, by metric."""
    undecided: dict[str, int]
    """What each judge could not tell; no labels, and no part of the agreement."""


async def ask_others(
    queries: Sequence[Query],
    responses: Sequence[Response],
    judges: Sequence[Model],
    policy: Policy,
    folder: Path,
    *,
    concurrency: int,
    progress: ProgressListener,
) -> int:
    """Have each of the judges, the first among them, judge every response alone.

    Write what they say beside the other journals of `folder`; failures change no score. Return how
    many answers are still to come (batch mode).
    """
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
    judgements = [reply for reply in replies if isinstance(reply, Judgement)]
    undecided = [reply for reply in replies if isinstance(reply, Undecided)]
    write_journal(folder / OTHERS, Judgement, judgements)
    write_journal(folder / FAILED, Failure, map(as_failure, results.failures))
    write_journal(folder / UNDECIDED, Undecided, undecided)
    agreement = LabelAgreements(
        labels=agreements([model.name for model in judges], judgements),
        undecided=dict(Counter(reply.judge for reply in undecided)),
    )
    write_json(folder / AGREEMENT, asdict(agreement))
    return results.waiting


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


def read_agreements(folder: Path) -> LabelAgreements | None:
    """Read how far the judges agree; `None` if they were not asked yet.

    Raises:
        StorageError: the file is damaged.
    """
    path = folder / AGREEMENT
    return TypeAdapter(LabelAgreements).validate_python(read_json(path)) if path.exists() else None
