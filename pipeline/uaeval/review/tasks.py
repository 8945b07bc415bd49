"""Reading a run, or an evaluation, for review."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from uaeval.errors import StorageError
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.recorded import read_recorded
from uaeval.labels import LABELS, JudgementLabel, Label, current
from uaeval.review.items import Passages, Quotes
from uaeval.review.judgements import judgement_items
from uaeval.review.log import LabelLog
from uaeval.review.queries import query_items, verbatim_quotes
from uaeval.review.task import Task
from uaeval.run_folder import RunFolder
from uaeval.storage import GrowingJournal, stream_journal
from uaeval.types import Chunk, Query


def open_tasks(path: Path, size: int, seed: int) -> tuple[Task, ...]:
    """Read what is to be reviewed, a sample of `size` items each.

    Of a run: its queries, and the judgements of each of its evaluations that has ended and is no
    cell of a sweep. Of an evaluation: its judgements, and the queries of its dataset.

    Raises:
        StorageError: it is neither, a file is damaged, or the evaluation has not ended.
        ConfigError: the evaluation has no judgement.
    """
    path = path.resolve()
    one = _is_evaluation(path)
    run = RunFolder(path.parents[1] if one else path)
    queries = run.queries()
    passages = _passages(run)
    quotes = verbatim_quotes(run)
    of_queries = _query_task(run, queries, passages, quotes, size, seed)
    folders = [path] if one else _finished(path)
    of_judgements = [_judgement_task(folder, passages, quotes, size, seed) for folder in folders]
    return (*of_judgements, of_queries) if one else (of_queries, *of_judgements)


def _is_evaluation(path: Path) -> bool:
    return path.parent.name == "evaluations" and (path / "manifest.json").exists()


def _finished(run: Path) -> list[Path]:
    """Name the evaluations of a run that have judgements to review."""
    return [folder for folder in _evaluations(run) if _judgements_there(folder)]


def _evaluations(run: Path) -> Iterator[Path]:
    for manifest_path in sorted(run.glob("evaluations/*/manifest.json")):
        manifest = read_manifest(manifest_path)
        if manifest and manifest.status in {"lacking", "complete"} and not manifest.sweep:
            yield manifest_path.parent


def _judgements_there(folder: Path) -> bool:
    path = folder / "judgements.jsonl"
    return path.exists() and path.stat().st_size > 0


def _passages(run: RunFolder) -> Passages:
    if not run.chunks_path.exists():  # a dataset made by hand
        return Passages(chunks={})
    return Passages(chunks={one.id: one for one in stream_journal(run.chunks_path, Chunk)})


def _query_task(
    run: RunFolder,
    queries: Sequence[Query],
    passages: Passages,
    quotes: Quotes,
    size: int,
    seed: int,
) -> Task:
    if not queries:
        raise StorageError(f"{run.queries_path} holds no query; there is nothing to review")
    rows = GrowingJournal(run.labels_path, Label).read()
    return Task(
        title="queries",
        folder=run.path,
        items=query_items(queries, passages, quotes, size, seed),
        kinds={query.id: "query" for query in queries},
        log=LabelLog(run.labels_path, Label, current(rows, queries)),
        queries=tuple(queries),
    )


def _judgement_task(folder: Path, passages: Passages, quotes: Quotes, size: int, seed: int) -> Task:
    recorded = read_recorded(folder)
    path = folder / LABELS
    rows = GrowingJournal(path, JudgementLabel).read()
    return Task(
        title=f"judgements of {folder.name}",
        folder=folder,
        items=judgement_items(recorded, passages, quotes, size, seed),
        kinds={one.id: one.metric.value for one in recorded.judgements()},
        log=LabelLog(path, JudgementLabel, rows),
    )
