"""An evaluation and its dataset, read back in full for a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from uaeval.errors import StorageError
from uaeval.evaluation.judging.other_judges import read_others
from uaeval.evaluation.leakage import recorded_leakage
from uaeval.evaluation.metrics.attribution import METRIC as ATTRIBUTION
from uaeval.evaluation.metrics.attribution import Attribution
from uaeval.evaluation.metrics.on_demand import AdditionalResults
from uaeval.evaluation.recorded_evaluation import RecordedEvaluation, read_recorded
from uaeval.evaluation.run import Evaluation
from uaeval.records import Blocked, Failure
from uaeval.report.context import ReportContext, context_of
from uaeval.report.scores import read_scores
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import read_journal

T = TypeVar("T")

_FAILED = ("respond.failed.jsonl", "judge.failed.jsonl", "further.failed.jsonl")
_BLOCKED = ("respond.blocked.jsonl", "judge.blocked.jsonl", "further.blocked.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """One evaluation with all that a report shows of it."""

    recorded: RecordedEvaluation
    evaluation: Evaluation
    """With the contexts that the system gave."""
    about: ReportContext
    dataset: RunFolder
    synthesis: Manifest

    @property
    def name(self) -> str:
        """The evaluation's name."""
        return self.recorded.name


def read_run(folder: Path) -> ReportData:
    """Read `DATASET/evaluations/<name>`.

    Raises:
        StorageError: it is no finished evaluation, or a file of it is missing or damaged.
    """
    recorded = read_recorded(folder)
    folder = recorded.folder
    dataset = RunFolder(folder.parents[1])
    synthesis = dataset.manifest()
    if synthesis is None:
        raise StorageError(f"{dataset.path} has no manifest.json; give an evaluation of a run")
    return ReportData(
        recorded=recorded,
        evaluation=read_evaluation(recorded),
        about=context_of(
            recorded.manifest,
            recorded.name,
            dataset.path.name,
            recorded_leakage(synthesis),
        ),
        dataset=dataset,
        synthesis=synthesis,
    )


def read_evaluation(recorded: RecordedEvaluation) -> Evaluation:
    """Read all that a report shows of an evaluation.

    Raises:
        StorageError: a file is missing or damaged.
    """
    folder = recorded.folder
    evaluation = Evaluation(
        folder=folder,
        queries=tuple(recorded.queries()),
        responses=tuple(recorded.responses()),
        judgements=tuple(recorded.judgements()),
        failures=_if_there(folder, _FAILED, Failure),
        waiting=0,
        scores=read_scores(folder / "scores.json"),
        blocked=_if_there(folder, _BLOCKED, Blocked),
        undecided=tuple(recorded.undecided()),
        further=AdditionalResults(
            records={ATTRIBUTION.name: _if_there(folder, [ATTRIBUTION.file], Attribution)}
        ),
    )
    others = read_others(folder)
    return evaluation.with_others(others) if others else evaluation


def _if_there(folder: Path, names: Sequence[str], kind: type[T]) -> tuple[T, ...]:
    paths = [folder / name for name in names]
    return tuple(record for path in paths if path.exists() for record in read_journal(path, kind))
