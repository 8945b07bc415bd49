"""The queries of an evaluation: those of a run or of a file, and the user's own controls."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from uaeval.errors import DatasetError
from uaeval.formats.format import read_queries
from uaeval.labels import Label, current, invalid_ids, read_label_rows
from uaeval.records import Query
from uaeval.run_folder import RunFolder
from uaeval.storage import file_print, make_folder, write_journal

BESIDE = ".evaluated"
"""Suffix of the folder, beside a file of queries, that holds a copy and the evaluations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySource:
    """The queries of an evaluation."""

    queries: tuple[Query, ...]
    digest: str
    """SHA-256 of `queries.jsonl`, and of the controls if there are any."""
    altered: bool
    """Whether the queries differ from the dataset: invalid ones left out, or controls added."""
    marked_invalid: int
    """Number of queries that are left out because people marked them invalid."""


def dataset_folder(dataset: Path) -> Path:
    """Return the folder of a dataset; for a file of queries, make one beside it.

    Raises `DatasetError` if `dataset` is neither a run nor a readable file of queries.
    """
    run = RunFolder(dataset)
    if run.manifest_path.exists() or run.queries_path.exists():
        return dataset
    queries = read_queries(dataset)
    run = RunFolder(dataset.with_name(dataset.name + BESIDE))
    make_folder(run.path)
    write_journal(run.queries_path, Query, queries)
    return run.path


def read_query_source(run: RunFolder, controls: Path | None = None) -> QuerySource:
    """Return the queries of a dataset except those labelled invalid, and the controls.

    Raises `DatasetError` if no query is left, or the controls cannot be read or used.
    """
    all_queries = run.queries()
    invalid = invalid_ids(current(read_label_rows(run.labels_path, Label), all_queries))
    valid = tuple(query for query in all_queries if query.id not in invalid)
    if not valid and controls is None:
        raise DatasetError(f"{run.queries_path}: there is no valid query to ask")
    digest = file_print(run.queries_path).sha256
    added = read_controls(controls) if controls else ()
    if taken := {query.id for query in all_queries} & {query.id for query in added}:
        raise DatasetError(f"{controls}: the id {min(taken)!r} is taken by a query; rename it")
    if added:
        digest = hashlib.sha256(repr((digest, added)).encode()).hexdigest()
    return QuerySource(
        queries=(*valid, *added),
        digest=digest,
        altered=bool(added) or len(valid) < len(all_queries),
        marked_invalid=len(all_queries) - len(valid),
    )


def read_controls(path: Path) -> tuple[Query, ...]:
    """Read controls: answerable questions, each with its reference answer.

    Raises `DatasetError` if the file cannot be read, or one has a category or no reference answer.
    """
    queries = read_queries(path)
    for query in queries:
        if not query.answerable:
            raise DatasetError(f"{path}: {query.id} has a category; a control should be answered")
        if query.reference_answer is None:
            raise DatasetError(f"{path}: {query.id} has no `reference_answer`")
    return queries
