"""An evaluation read back from its folder: what became of each query, without any text."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from uaeval.errors import StorageError
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.evaluation.metrics.judged import Values
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow, read_items
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.run import JUDGEMENTS, RESPONSES, UNDECIDED
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal, write_journal
from uaeval.types import Judgement, Query, Response

J = TypeVar("J", Response, Judgement, Undecided)

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
        return _asked(self.folder)

    def responses(self) -> Iterator[Response]:
        """Yield the responses one by one, with their contexts, from their file."""
        return stream_journal(self.folder / RESPONSES, Response)

    def judgements(self) -> Iterator[Judgement]:
        """Yield the judgements one by one, from their file."""
        return stream_journal(self.folder / JUDGEMENTS, Judgement)

    def undecided(self) -> Iterator[Undecided]:
        """Yield what the judge could not tell one by one, from its file."""
        exists = _has_undecided(self.folder)
        return stream_journal(self.folder / UNDECIDED, Undecided) if exists else iter(())


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
    return RecordedEvaluation(
        folder=folder, manifest=manifest, items=_items(folder), means=_means(folder, manifest)
    )


def _items(folder: Path) -> tuple[QueryOutcomeRow, ...]:
    known = set[str]()
    return read_items(
        _noted(known, _asked(folder)),
        _of_dataset(known, folder / RESPONSES, Response),
        _of_dataset(known, folder / JUDGEMENTS, Judgement),
        _of_dataset(known, folder / UNDECIDED, Undecided) if _has_undecided(folder) else (),
    )


def _has_undecided(folder: Path) -> bool:
    """Return whether the journal exists; evaluations of earlier versions have none."""
    return (folder / UNDECIDED).exists()


def note_asked(folder: Path, queries: Sequence[Query], *, altered: bool) -> None:
    """Write down what is asked where it is not what the dataset holds."""
    if altered:
        write_journal(folder / ASKED, Query, queries)
    else:
        (folder / ASKED).unlink(missing_ok=True)


def _asked(folder: Path) -> Iterator[Query]:
    path = folder / ASKED
    if path.exists():
        return stream_journal(path, Query)
    return RunFolder(folder.parents[1]).stream_queries()


def only_evaluation(folder: Path) -> Path:
    """Return `folder`, or where it is that of a run, the only evaluation below it.

    Raises:
        StorageError: the run has several evaluations, or none.
    """
    if not (folder / "evaluations").is_dir():
        return folder
    found = sorted(path.parent for path in folder.glob("evaluations/*/manifest.json"))
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise StorageError(
            f"{folder} is a run with evaluations: {names}; give {folder}/evaluations/<name>"
        )
    return found[0]


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


def _noted(known: set[str], found: Iterable[Query]) -> Iterator[Query]:
    for query in found:
        known.add(query.id)
        yield query


def _of_dataset(known: Collection[str], path: Path, kind: type[J]) -> Iterator[J]:
    """Yield the records of a journal; each has to be about a known query."""
    for record in stream_journal(path, kind):
        if record.query_id not in known:
            raise StorageError(
                f"{path}: {record.query_id} is not a query of the dataset; if the dataset was "
                "written again, evaluate it under another --name"
            )
        yield record
