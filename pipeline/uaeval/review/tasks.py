"""A task of a review: a sample of queries or judgements, their labels, and the results."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from uaeval.errors import ConfigError, StorageError
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.labels.annotators import counts, disagreements, pairs, validity
from uaeval.evaluation.manifest import read_manifest
from uaeval.labels import LABELS, UNSURE, JudgementLabel, Label, LabelBase, current
from uaeval.records import Chunk, Query
from uaeval.report.agreement import review_tables
from uaeval.review.sample import Item, Passages, judgement_items, query_items, verbatim_quotes
from uaeval.run_folder import RunFolder
from uaeval.storage import GrowingJournal, stream_journal

LONGEST_REASON = 4000
"""Most characters of an annotator's reason."""


class Decision(BaseModel, extra="forbid"):
    """An annotator's decision about an item, as the page sends it."""

    word: str | None
    """The label; `None` withdraws an earlier one."""
    reason: str = ""
    category: str | None = None
    """The right category of an invalid query."""


@dataclass(kw_only=True)
class Task:
    """A sample of items, and the labels of all annotators, with undo for each of them."""

    title: str
    folder: Path
    """The folder of the run or evaluation, with `labels.jsonl`."""
    items: tuple[Item, ...]
    kinds: Mapping[str, str]
    """The kind of every item, drawn or not, by id."""
    journal: GrowingJournal[Any]
    rows: list[LabelBase]
    """The rows of the journal that still apply, in order."""
    queries: tuple[Query, ...] = ()
    """The queries that are labelled; empty if the task is about judgements."""

    def __post_init__(self) -> None:
        self._own = defaultdict[str, dict[str, LabelBase]](dict)
        self._steps = defaultdict[str, list[tuple[str, LabelBase | None]]](list)
        for row in self.rows:
            self._apply(row)

    def own(self, annotator: str, item: str) -> LabelBase | None:
        """Return the annotator's label of an item; `None` if there is none."""
        row = self._own[annotator].get(item)
        return row if row and row.word is not None else None

    def record(
        self, item: Item, annotator: str, decision: Decision, *, settles: bool = False
    ) -> None:
        """Append an annotator's decision about an item.

        Raise `ConfigError` if the item has no such label or category, or the reason is too long,
        `StorageError` if the row cannot be written; then nothing has changed.
        """
        word, category = decision.word, decision.category
        words = [choice["word"] for choice in item.instructions["choices"]]
        if word is not None and word not in words:
            raise ConfigError(f"{item.id}: choose one of {', '.join(words)}, got {word!r}")
        if category and (word != "invalid" or category not in item.categories):
            raise ConfigError(f"{item.id}: as {word} it cannot have the category {category!r}")
        if len(decision.reason) > LONGEST_REASON:
            raise ConfigError(f"{item.id}: a reason has at most {LONGEST_REASON} characters")
        self._add(_row(item, annotator, decision, settles=settles))

    def undo(self, annotator: str) -> str | None:
        """Undo the annotator's last step; return its item, or `None` if there is no step.

        Raise `StorageError` if the row cannot be written; then nothing has changed.
        """
        if not self._steps[annotator]:
            return None
        item, before = self._steps[annotator][-1]
        row, changes = before or self._own[annotator][item], dict[str, object](undoes=True)
        if before is None:
            changes |= {**dict.fromkeys(row.label_fields), "reason": ""}
        self._add(row.model_copy(update=changes))
        return item

    def _add(self, row: LabelBase) -> None:
        row = row.model_copy(update={"at": datetime.now(UTC).isoformat(timespec="milliseconds")})
        self.journal.append(row)  # if this raises, nothing has changed
        self.rows.append(row)
        self._apply(row)

    def _apply(self, row: LabelBase) -> None:
        if row.settles:
            return
        steps, before = self._steps[row.annotator], self._own[row.annotator].get(row.item)
        if row.undoes and steps:
            steps.pop()
        elif _decision_of(before) != _decision_of(row):
            steps.append((row.item, before))
        self._own[row.annotator][row.item] = row

    def finished(self, annotator: str) -> bool:
        """Return whether the annotator has labelled the whole sample."""
        return all(self.own(annotator, item.id) for item in self.items)


def _decision_of(row: LabelBase | None) -> tuple[object, ...]:
    """Return label and category, whose change is a step; a new reason alone is none."""
    return (row.word, getattr(row, "category", None)) if row else (None, None)


def _row(item: Item, annotator: str, decision: Decision, *, settles: bool) -> LabelBase:
    common = {
        "annotator": annotator,
        "reason": decision.reason,
        "inclusion_probability": item.inclusion_probability,
        "settles": settles,
    }
    if item.kind == "query":
        fields = {"query_id": item.id, "question": item.question, "category": decision.category}
        return Label.model_validate(fields | common | {"valid": decision.word})
    query_id, _, metric = item.id.rpartition("/")
    fields = {"query_id": query_id, "metric": metric, "label": decision.word}
    return JudgementLabel.model_validate(fields | common)


def figures(task: Task, rows: Sequence[LabelBase]) -> dict[str, Any]:
    """Return counts, validity and agreement of a task's labels, for `review_tables`."""
    return {
        "counts": counts(rows),
        "validity": validity(task.queries, [row for row in rows if isinstance(row, Label)]),
        "agreement": pairs(rows, task.kinds),
    }


def results(task: Task, annotator: str) -> dict[str, object]:
    """Return the tables and disagreements of a task, JSON-ready.

    Until the annotator has labelled the whole sample, only their own labels are used.
    """
    finished = task.finished(annotator)
    rows = [row for row in task.rows if finished or row.annotator == annotator]
    tables = [
        asdict(table) | {"numbers": [column in table.numbers for column in table.columns]}
        for table in review_tables(**figures(task, rows))
        if table.rows
    ]
    return {"finished": finished, "tables": tables, "disagreements": [*_disputed(task, rows)]}


def _disputed(task: Task, rows: Sequence[LabelBase]) -> Iterator[dict[str, object]]:
    places = {item.id: (place, item) for place, item in enumerate(task.items)}
    for disputed in disagreements(rows):
        place, item = places.get(disputed.item, (None, None))
        words = [choice["word"] for choice in item.instructions["choices"]] if item else []
        yield {
            "item": disputed.item,
            "place": place,
            "question": item.question if item else "",
            "words": [word for word in words if word != UNSURE],
            "labels": {name: [row.word, row.reason] for name, row in disputed.labels.items()},
            "resolution": disputed.resolution,
        }


def open_tasks(path: Path, size: int, seed: int) -> tuple[Task, ...]:
    """Return the tasks of a review, each a sample of `size` items.

    For a run, they are its queries, and the judgements of its finished evaluations that are not
    cells of a sweep. For an evaluation, they are its judgements and the queries of its dataset.
    Raise `StorageError` if `path` is neither a run nor a finished evaluation, or a file is damaged,
    `ConfigError` if the evaluation has no judgement.
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
    """Yield the folders of a run's evaluations that have judgements to review."""
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
        raise StorageError(f"{run.queries_path} holds no query to review")
    journal = GrowingJournal(run.labels_path, Label)
    return Task(
        title="queries",
        folder=run.path,
        items=query_items(queries, passages, size, seed),
        kinds={query.id: "query" for query in queries},
        journal=journal,
        rows=[*current(journal.read(), queries)],
        queries=tuple(queries),
    )


def _judgement_task(folder: Path, passages: Passages, size: int, seed: int) -> Task:
    recorded = read_evaluation(folder)
    journal = GrowingJournal(folder / LABELS, JudgementLabel)
    return Task(
        title=f"judgements of {folder.name}",
        folder=folder,
        items=judgement_items(recorded, passages, size, seed),
        kinds={judgement.id: judgement.metric.value for judgement in recorded.judgements},
        journal=journal,
        rows=[*journal.read()],
    )
