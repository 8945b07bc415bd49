"""Human labels of queries and judgements, kept in files of their own.

`labels.jsonl` of a run holds `Label` rows, that of an evaluation `JudgementLabel` rows. Rows are
only appended; an annotator's last row on an item is the one that counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, TypeVar

from pydantic import BaseModel

from uaeval.records import Category, Metric, Query
from uaeval.storage import read_journal

LABELS = "labels.jsonl"
UNSURE = "unsure"
Validity: TypeAlias = Literal["valid", "invalid", "unsure"]


class LabelBase(BaseModel, frozen=True):
    """One annotator's label of one item; unknown fields are ignored."""

    label_fields: ClassVar[tuple[str, ...]]
    """The field that holds the label, then the fields that are withdrawn with it."""

    query_id: str
    annotator: str
    reason: str = ""
    inclusion_probability: float = 1.0
    """The probability that the item was drawn into its sample."""
    settles: bool = False
    """Whether the label resolves a disagreement; the other labels of the item then do not count."""
    undoes: bool = False
    """Whether the row undoes the annotator's last step; it then repeats the label before that."""
    at: str = ""
    """When the row was written, in UTC (ISO 8601)."""

    @property
    def item(self) -> str:
        """The id of the labelled item."""
        return self.query_id

    @property
    def word(self) -> str | None:
        """The label; `None` if it was withdrawn."""
        word: str | None = getattr(self, self.label_fields[0])
        return word


class Label(LabelBase, frozen=True):
    """One annotator's label of one query."""

    label_fields = ("valid", "category")
    valid: Validity | None
    """`None` withdraws an earlier label."""
    question: str | None = None
    """The wording that was labelled; the label does not apply to another wording."""
    category: Category | Literal["answerable"] | None = None
    """The right category of an invalid query, if the annotator gave one."""


class JudgementLabel(LabelBase, frozen=True):
    """One annotator's label of one response under one metric."""

    label_fields = ("label",)
    metric: Metric
    label: Literal["clarified", "refused", "partial", "answered", "yes", "no", "unsure"] | None
    """`None` withdraws an earlier label."""

    @property
    def item(self) -> str:
        """The id of the judgement."""
        return f"{self.query_id}/{self.metric}"


R = TypeVar("R", bound=LabelBase)


def read_label_rows(path: Path, kind: type[R]) -> tuple[R, ...]:
    """Return the labels in a file, if it exists; raise `StorageError` if a line is not a label."""
    return read_journal(path, kind) if path.exists() else ()


def current(labels: Sequence[Label], queries: Iterable[Query]) -> tuple[Label, ...]:
    """Return the labels whose wording is that of the query now."""
    if not labels:
        return ()
    labelled = {label.query_id for label in labels}
    wording = {query.id: query.question for query in queries if query.id in labelled}
    return tuple(row for row in labels if row.question in (None, wording.get(row.query_id)))


def last_labels(rows: Iterable[R]) -> dict[str, dict[str, R]]:
    """Return each annotator's last label of each item, by item and annotator.

    Withdrawn labels, and those that resolve disagreements, are left out.
    """
    last: dict[str, dict[str, R]] = {}
    for row in rows:
        if not row.settles:
            last.setdefault(row.item, {})[row.annotator] = row
    kept = ((item, _not_withdrawn(labels)) for item, labels in last.items())
    return {item: labels for item, labels in kept if labels}


def resolutions(rows: Iterable[R]) -> dict[str, R]:
    """Return the last label that resolves a disagreement on an item, by item."""
    return _not_withdrawn({row.item: row for row in rows if row.settles})


def _not_withdrawn(rows: Mapping[str, R]) -> dict[str, R]:
    return {name: row for name, row in rows.items() if row.word is not None}


def agreed(rows: Sequence[R]) -> dict[str, str | None]:
    """Return the label of each item: the resolution if there is one, else the most frequent label.

    `unsure` does not count. The label is `None` on a tie, or if nobody gave another label.
    """
    decided = dict[str, str | None]()
    for item, labels in last_labels(rows).items():
        counts = Counter(row.word for row in labels.values() if row.word != UNSURE).most_common(2)
        is_tie = len(counts) == 2 and counts[0][1] == counts[1][1]
        decided[item] = counts[0][0] if counts and not is_tie else None
    resolved = {item: row.word for item, row in resolutions(rows).items()}
    return decided | {item: None if word == UNSURE else word for item, word in resolved.items()}


def invalid_ids(labels: Iterable[Label]) -> frozenset[str]:
    """Return the ids of the queries that people labelled invalid.

    A label that resolves a disagreement decides. Otherwise a query is invalid if at least as many
    annotators label it invalid as valid; `unsure` does not count.
    """
    rows, invalid = tuple(labels), dict[str, bool]()
    for item, labels_of_item in last_labels(rows).items():
        counts = Counter(row.valid for row in labels_of_item.values())
        invalid[item] = 0 < counts["invalid"] >= counts["valid"]
    invalid |= {item: row.valid == "invalid" for item, row in resolutions(rows).items()}
    return frozenset(item for item, is_invalid in invalid.items() if is_invalid)
