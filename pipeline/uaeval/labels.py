"""What people said of the queries: an overlay on the dataset, which itself is never rewritten."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from uaeval.storage import read_journal


class Label(BaseModel):
    """One annotator's word on one query; further fields of the row are other readers' matter."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    annotator: str
    valid: Literal["valid", "invalid", "unsure"]


def read_labels(path: Path) -> tuple[Label, ...]:
    """Read the labels of a run; none if nobody has labelled it.

    Raises:
        StorageError: a line is no label; the message names it.
    """
    return read_journal(path, Label) if path.exists() else ()


def invalid_ids(labels: Iterable[Label]) -> frozenset[str]:
    """Name the queries that people hold invalid.

    An annotator's last word counts. A query is invalid when at least as many annotators say so as
    call it valid; those who are unsure decide nothing.
    """
    last = {(label.query_id, label.annotator): label.valid for label in labels}
    balance: Counter[str] = Counter()
    doubted = {query_id for (query_id, _), valid in last.items() if valid == "invalid"}
    for (query_id, _), valid in last.items():
        balance[query_id] += {"valid": 1, "unsure": 0, "invalid": -1}[valid]
    return frozenset(query_id for query_id in doubted if balance[query_id] <= 0)
