"""What people said of queries and judgements: an overlay on files that are never rewritten.

`labels.jsonl` of a run holds `Label` rows, that of an evaluation `JudgementLabel` rows. Rows are
only ever added; an annotator's last row on an item is their word on it.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from uaeval.storage import read_journal
from uaeval.types import Category, Metric, Query

LABELS = "labels.jsonl"
UNSURE = "unsure"
Validity: TypeAlias = Literal["valid", "invalid", "unsure"]
JudgementWord: TypeAlias = Literal[
    "clarified", "refused", "partial", "answered", "yes", "no", "unsure"
]


class LabelBase(BaseModel, ABC):
    """One annotator's word on one item; further fields of a line are other readers' matter."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    annotator: str
    reason: str = ""
    inclusion_probability: float = 1.0
    """The chance that the item had to be in the sample it was labelled in."""
    settles: bool = False
    """Whether it ends a disagreement: it then counts alone, and is no annotator's own word."""
    undoes: bool = False
    """Whether it takes the annotator's last step back: it repeats what stood before."""
    at: str = ""
    """When it was written, in UTC (ISO 8601)."""

    @property
    def item(self) -> str:
        """Name what the row is about."""
        return self.query_id

    @property
    @abstractmethod
    def word(self) -> str | None:
        """Return what was said; `None` where it was taken back."""

    @abstractmethod
    def taken_back(self) -> Self:
        """Return the row that takes this one back."""


class Label(LabelBase):
    """One annotator's word on one query."""

    valid: Validity | None
    """`None` takes an earlier word back."""
    question: str | None = None
    """The query's words as they were labelled; the label is of no other."""
    category: Category | Literal["answerable"] | None = None
    """The right category of an invalid query, if the annotator gave one."""

    @property
    def word(self) -> str | None:
        """Return what was said; `None` where it was taken back."""
        return self.valid

    def taken_back(self) -> Self:
        """Return the row that takes this one back."""
        return self.model_copy(update={"valid": None, "category": None, "reason": ""})


class JudgementLabel(LabelBase):
    """One annotator's word on one response under one metric."""

    metric: Metric
    label: JudgementWord | None
    """`None` takes an earlier word back."""

    @property
    def item(self) -> str:
        """Name what the row is about: the judgement's id."""
        return f"{self.query_id}/{self.metric}"

    @property
    def word(self) -> str | None:
        """Return what was said; `None` where it was taken back."""
        return self.label

    def taken_back(self) -> Self:
        """Return the row that takes this one back."""
        return self.model_copy(update={"label": None, "reason": ""})


R = TypeVar("R", bound=LabelBase)


def read_labels(path: Path) -> tuple[Label, ...]:
    """Read the labels of a run; none if nobody has labelled it.

    Raises:
        StorageError: a line is no label; the message names it.
    """
    return read_journal(path, Label) if path.exists() else ()


def read_judgement_labels(path: Path) -> tuple[JudgementLabel, ...]:
    """Read the labels of an evaluation; none if nobody has labelled it.

    Raises:
        StorageError: a line is no label; the message names it.
    """
    return read_journal(path, JudgementLabel) if path.exists() else ()


def current(labels: Sequence[Label], queries: Iterable[Query]) -> tuple[Label, ...]:
    """Leave out what was said of a question that no longer stands under its id.

    `queries` are not read if there are no labels.
    """
    if not labels:
        return ()
    labelled = {label.query_id for label in labels}
    now = {query.id: query.question for query in queries if query.id in labelled}
    return tuple(label for label in labels if label.question in (None, now.get(label.query_id)))


def standing(rows: Iterable[R]) -> dict[str, dict[str, R]]:
    """Return each annotator's last row on each item, by item and annotator.

    What was taken back is not among them, nor what settles a disagreement.
    """
    found: dict[str, dict[str, R]] = {}
    for row in rows:
        if not row.settles:
            found.setdefault(row.item, {})[row.annotator] = row
    kept = {
        item: {name: row for name, row in said.items() if row.word is not None}
        for item, said in found.items()
    }
    return {item: said for item, said in kept.items() if said}


def settled(rows: Iterable[R]) -> dict[str, R]:
    """Return the last row that settles each item on which annotators disagreed, by item."""
    last = {row.item: row for row in rows if row.settles}
    return {item: row for item, row in last.items() if row.word is not None}


def agreed(rows: Sequence[R]) -> dict[str, str | None]:
    """Return what holds of each labelled item: what settles it, else what most annotators say.

    Those who are unsure are not counted; `None` where all are, or where none has the most.
    """
    found = {item: _most(said) for item, said in standing(rows).items()}
    ended = {item: row.word for item, row in settled(rows).items()}
    return found | {item: None if word == UNSURE else word for item, word in ended.items()}


def _most(said: Mapping[str, LabelBase]) -> str | None:
    counts = Counter(row.word for row in said.values() if row.word != UNSURE).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def invalid_ids(labels: Iterable[Label]) -> frozenset[str]:
    """Name the queries that people hold invalid.

    An annotator's last word counts, and what settles a disagreement decides alone. Without it a
    query is invalid when at least as many annotators say so as call it valid; those who are unsure
    decide nothing.
    """
    rows = tuple(labels)
    ended = {item: row.valid for item, row in settled(rows).items()}
    doubted = {item for item, said in standing(rows).items() if _doubted(said.values())}
    over = {item for item, valid in ended.items() if valid == "invalid"}
    return frozenset(over | (doubted - ended.keys()))


def _doubted(said: Iterable[Label]) -> bool:
    counts = Counter(row.valid for row in said)
    return 0 < counts["invalid"] >= counts["valid"]
