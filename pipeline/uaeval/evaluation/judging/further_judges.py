"""Ask the further judges of an evaluation, and measure the agreement of all its judges."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

from uaeval.config import EvaluationConfig
from uaeval.evaluation.judging.agreement import LabelAgreement, label_agreements
from uaeval.evaluation.judging.judge import Undecided, judge, judge_tasks
from uaeval.evaluation.metrics.judged import Case
from uaeval.llm.model import Model
from uaeval.records import Blocked, Failure, Judgement, Metric
from uaeval.run.progress import ProgressListener
from uaeval.runner import PendingRecord, as_failure, of_kind, run_calls
from uaeval.storage import write_journal, write_json

AGREEMENT: Final = "agreement.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreements:
    """The agreement of the judges of an evaluation."""

    labels: tuple[LabelAgreement, ...]
    undecided: dict[str, int]
    """Number of undecided replies by judge; these are not part of the agreement."""


async def ask_others(
    cases: Iterable[Case],
    judges: Sequence[Model],
    folder: Path,
    config: EvaluationConfig,
    progress: ProgressListener,
) -> int:
    """Let each judge, including the first, judge every case; write their agreement.

    The judgements are written to journals of their own and change no score. Return the number of
    pending replies (batch mode).
    """
    tasks = [
        task
        for case in cases
        for task in judge_tasks(case.query, case.response.text, config.policy)
    ]
    calls = {
        f"{task.id}/{model.name}": partial(judge, task, model) for model in judges for task in tasks
    }
    progress.started("asking all judges", len(calls))
    outcomes = await run_calls(
        "other_judge", calls, concurrency=config.concurrency, advanced=progress.advanced
    )
    judgements, undecided = of_kind(outcomes, Judgement), of_kind(outcomes, Undecided)
    failures = [as_failure(call) for call in outcomes if isinstance(call, Failure | Blocked)]
    write_journal(folder / "judgements.others.jsonl", Judgement, judgements)
    write_journal(folder / "others.failed.jsonl", Failure, failures)
    write_journal(folder / "others.undecided.jsonl", Undecided, undecided)
    judgements.sort(key=lambda judgement: [*Metric].index(judgement.metric))
    labels = ((each.metric, each.judge, each.query_id, each.label) for each in judgements)
    agreement = LabelAgreements(
        labels=label_agreements(labels),
        undecided=dict(Counter(reply.judge for reply in undecided)),
    )
    write_json(folder / AGREEMENT, asdict(agreement))
    return len(of_kind(outcomes, PendingRecord))
