"""An evaluation read back from its folder: what became of each query, without any text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from uaeval.errors import StorageError
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.evaluation.metrics.judged import Values
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow, read_items
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.run import JUDGEMENTS, RESPONSES, UNDECIDED
from uaeval.records import Judgement, Query, Response
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal, write_journal

ASKED = "asked.jsonl"
"""The queries that were asked, where they are not just those of the dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEvaluation:
    """What an evaluation's folder holds, as far as figures go by it; texts are read again."""

    folder: Path
    manifest: EvaluationManifest
    items: tuple[QueryOutcomeRow, ...]
    """What became of each query, in their order."""
    means: Mapping[str, Values]
    """Of metrics on demand, if it has any: values by query id and metric."""

    @property
    def name(self) -> str:
        """The evaluation's name: that of its folder."""
        return self.folder.name

    def queries(self) -> Iterator[Query]:
        """Yield the queries that were asked one by one, from their file."""
        path = self.folder / ASKED
        if path.exists():
            return stream_journal(path, Query)
        return RunFolder(self.folder.parents[1]).stream_queries()

    def responses(self) -> Iterator[Response]:
        """Yield the responses one by one, with their contexts, from their file."""
        return stream_journal(self.folder / RESPONSES, Response)

    def judgements(self) -> Iterator[Judgement]:
        """Yield the judgements one by one, from their file."""
        return stream_journal(self.folder / JUDGEMENTS, Judgement)

    def undecided(self) -> Iterator[Undecided]:
        """Yield what the judge could not tell one by one, from its file."""
        path = self.folder / UNDECIDED  # evaluations of earlier versions have none
        return stream_journal(path, Undecided) if path.exists() else iter(())


def read_recorded(folder: Path) -> RecordedEvaluation:
    """Read `DATASET/evaluations/<name>`, and the queries of the dataset above it.

    Raises:
        StorageError: it is no such folder, the evaluation has not ended, a file of it is damaged,
            or it holds something twice, about queries that the dataset does not have, or an
            unknown label.
    """
    folder = folder.resolve()
    manifest = read_manifest(folder / "manifest.json")
    if manifest is None:
        raise StorageError(
            f"{folder} is not the folder of an evaluation; give DATASET/evaluations/<name>"
        )
    if manifest.status in {"running", "waiting"}:
        raise StorageError(f"{folder} is not finished; run its evaluate command to the end")
    recorded = RecordedEvaluation(
        folder=folder, manifest=manifest, items=(), means=_means(folder, manifest)
    )
    items = read_items(
        recorded.queries(),
        recorded.responses(),
        recorded.judgements(),
        recorded.undecided(),
        where=f"{folder}: ",
    )
    return replace(recorded, items=items)


def note_asked(folder: Path, queries: Sequence[Query], *, altered: bool) -> None:
    """Write down what is asked where it is not what the dataset holds."""
    if altered:
        write_journal(folder / ASKED, Query, queries)
    else:
        (folder / ASKED).unlink(missing_ok=True)


def only_evaluation(folder: Path) -> Path:
    """Return `folder`, or where it is that of a run, the only evaluation below it.

    Raises:
        StorageError: the run has several evaluations, or none.
    """
    if not (folder / "evaluations").is_dir():
        return folder
    evaluations = sorted(path.parent for path in folder.glob("evaluations/*/manifest.json"))
    if len(evaluations) != 1:
        names = ", ".join(path.name for path in evaluations) or "none"
        raise StorageError(
            f"{folder} is a run with evaluations: {names}; give {folder}/evaluations/<name>"
        )
    return evaluations[0]


def _means(folder: Path, manifest: EvaluationManifest) -> dict[str, dict[str, float | None]]:
    """Read the values of the metrics that the evaluation was last run with."""
    names = TypeAdapter(list[str]).validate_python(manifest.settings.get("metrics", []))
    values: dict[str, dict[str, float | None]] = {}
    for name, metric in judged_metrics().items():
        path = folder / metric.file
        if name in names and metric.metrics and path.exists():
            for record in stream_journal(path, metric.record):
                values.setdefault(record.query_id, {}).update(metric.values(record))
    return values
