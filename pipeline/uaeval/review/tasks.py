"""Reading a run, or an evaluation, for review."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from uaeval.errors import StorageError
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.manifest import read_manifest
from uaeval.labels import LABELS, JudgementLabel, Label, current
from uaeval.records import Chunk, Query
from uaeval.review.items import Passages
from uaeval.review.sample import judgement_items, query_items, verbatim_quotes
from uaeval.review.task import LabelLog, Task
from uaeval.run_folder import RunFolder
from uaeval.storage import GrowingJournal, stream_journal


def open_tasks(path: Path, size: int, seed: int) -> tuple[Task, ...]:
    """Read what is to be reviewed, a sample of `size` items each.

    Of a run: its queries, and the judgements of each of its evaluations that has ended and is no
    cell of a sweep. Of an evaluation: its judgements, and the queries of its dataset.

    Raises:
        StorageError: it is neither, a file is damaged, or the evaluation has not ended.
        ConfigError: the evaluation has no judgement.
    """
    path = path.resolve()
    is_evaluation = path.parent.name == "evaluations" and (path / "manifest.json").exists()
    run = RunFolder(path.parents[1] if is_evaluation else path)
    queries = run.queries()
    chunks = stream_journal(run.chunks_path, Chunk) if run.chunks_path.exists() else ()
    passages = Passages(chunks={chunk.id: chunk for chunk in chunks}, quotes=verbatim_quotes(run))
    of_queries = _query_task(run, queries, passages, size, seed)
    folders = [path] if is_evaluation else _evaluations(path)
    of_judgements = [_judgement_task(folder, passages, size, seed) for folder in folders]
    return (*of_judgements, of_queries) if is_evaluation else (of_queries, *of_judgements)


def _evaluations(run: Path) -> Iterator[Path]:
    """Name the evaluations of a run that have judgements to review."""
    for path in sorted(run.glob("evaluations/*/manifest.json")):
        manifest, judgements = read_manifest(path), path.with_name("judgements.jsonl")
        if not manifest or manifest.status not in {"lacking", "complete"} or manifest.sweep:
            continue
        if judgements.exists() and judgements.stat().st_size > 0:
            yield path.parent


def _query_task(
    run: RunFolder, queries: Sequence[Query], passages: Passages, size: int, seed: int
) -> Task:
    if not queries:
        raise StorageError(f"{run.queries_path} holds no query; there is nothing to review")
    rows = GrowingJournal(run.labels_path, Label).read()
    return Task(
        title="queries",
        folder=run.path,
        items=query_items(queries, passages, size, seed),
        kinds={query.id: "query" for query in queries},
        log=LabelLog(run.labels_path, Label, current(rows, queries)),
        queries=tuple(queries),
    )


def _judgement_task(folder: Path, passages: Passages, size: int, seed: int) -> Task:
    recorded = read_evaluation(folder)
    path = folder / LABELS
    rows = GrowingJournal(path, JudgementLabel).read()
    return Task(
        title=f"judgements of {folder.name}",
        folder=folder,
        items=judgement_items(recorded, passages, size, seed),
        kinds={judgement.id: judgement.metric.value for judgement in recorded.judgements},
        log=LabelLog(path, JudgementLabel, rows),
    )
