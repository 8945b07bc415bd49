"""Human labels of queries and judgements: an overlay on files that are never rewritten.

`labels.jsonl` of a run holds `Label` rows, that of an evaluation `JudgementLabel` rows. Rows are
only appended; the last row of an annotator on an item counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from uaeval.records import Category, Metric, Query
from uaeval.storage import read_journal

LABELS = "labels.jsonl"
UNSURE = "unsure"
Validity: TypeAlias = Literal["valid", "invalid", "unsure"]
JudgementWord: TypeAlias = Literal[
    "clarified", "refused", "partial", "answered", "yes", "no", "unsure"
]


class LabelBase(BaseModel):
    """One annotator's label of one item; unknown fields of a line are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    label_fields: ClassVar[tuple[str, ...]]
    """The field of the label, then those that are withdrawn with it."""

    query_id: str
    annotator: str
    reason: str = ""
    inclusion_probability: float = 1.0
    """The probability that the item was drawn into its sample."""
    settles: bool = False
    """Whether it resolves a disagreement; it then decides alone."""
    undoes: bool = False
    """Whether it undoes the annotator's last step, and so repeats the label before it."""
    at: str = ""
    """Time of writing, in UTC (ISO 8601)."""

    @property
    def item(self) -> str:
        """The id of the labelled item."""
        return self.query_id

    @property
    def word(self) -> str | None:
        """The label; `None` if it was withdrawn."""
        word: str | None = getattr(self, self.label_fields[0])
        return word


class Label(LabelBase):
    """One annotator's label of one query."""

    label_fields = ("valid", "category")
    valid: Validity | None
    """`None` withdraws an earlier label."""
    question: str | None = None
    """The question that was labelled; the label does not apply to another wording."""
    category: Category | Literal["answerable"] | None = None
    """The right category of an invalid query, if the annotator gave one."""


class JudgementLabel(LabelBase):
    """One annotator's label of one response under one metric."""

    label_fields = ("label",)
    metric: Metric
    label: JudgementWord | None
    """`None` withdraws an earlier label."""

    @property
    def item(self) -> str:
        """The id of the judgement."""
        return f"{self.query_id}/{self.metric}"


R = TypeVar("R", bound=LabelBase)


def read_label_rows(path: Path, kind: type[R]) -> tuple[R, ...]:
    """Read the labels of a run (`Label`) or an evaluation (`JudgementLabel`); none without a file.

    Raises:
        StorageError: a line is not a label.
    """
    return read_journal(path, kind) if path.exists() else ()


def current(labels: Sequence[Label], queries: Iterable[Query]) -> tuple[Label, ...]:
    """Return the labels whose question is still that of the query.

    `queries` are not read if there are no labels.
    """
    if not labels:
        return ()
    labelled = {label.query_id for label in labels}
    now = {query.id: query.question for query in queries if query.id in labelled}
    return tuple(label for label in labels if label.question in (None, now.get(label.query_id)))


def standing(rows: Iterable[R]) -> dict[str, dict[str, R]]:
    """Return each annotator's last row on each item, by item and annotator.

    Withdrawn labels, and those that resolve disagreements, are left out.
    """
    last: dict[str, dict[str, R]] = {}
    for row in rows:
        if not row.settles:
            last.setdefault(row.item, {})[row.annotator] = row
    kept = ((item, _given(labels)) for item, labels in last.items())
    return {item: labels for item, labels in kept if labels}


def settled(rows: Iterable[R]) -> dict[str, R]:
    """Return the last row that resolves a disagreement on an item, by item."""
    return _given({row.item: row for row in rows if row.settles})


def _given(rows: Mapping[str, R]) -> dict[str, R]:
    """Return the rows that were not withdrawn."""
    return {name: row for name, row in rows.items() if row.word is not None}


def agreed(rows: Sequence[R]) -> dict[str, str | None]:
    """Return the label of each item: the one that resolves it, else that of most annotators.

    `unsure` is not counted; `None` if all are unsure, or on a tie.
    """
    voted = dict[str, str | None]()
    for item, labels in standing(rows).items():
        counts = Counter(row.word for row in labels.values() if row.word != UNSURE).most_common(2)
        is_tie = len(counts) == 2 and counts[0][1] == counts[1][1]
        voted[item] = counts[0][0] if counts and not is_tie else None
    resolved = {item: row.word for item, row in settled(rows).items()}
    return voted | {item: None if word == UNSURE else word for item, word in resolved.items()}


def invalid_ids(labels: Iterable[Label]) -> frozenset[str]:
    """Return the ids of the queries that people labelled invalid.

    A label that resolves a disagreement decides alone. Otherwise a query is invalid if at least as
    many annotators label it invalid as valid; `unsure` is not counted.
    """
    rows, invalid = tuple(labels), dict[str, bool]()
    for item, given in standing(rows).items():
        counts = Counter(row.valid for row in given.values())
        invalid[item] = 0 < counts["invalid"] >= counts["valid"]
    invalid |= {item: row.valid == "invalid" for item, row in settled(rows).items()}
    return frozenset(item for item, holds in invalid.items() if holds)
