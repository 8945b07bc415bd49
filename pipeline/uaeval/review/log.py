"""The labels of one task: read once, then every word is on the disk before it is said to be."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from uaeval.labels import LabelBase
from uaeval.storage import GrowingJournal


class LabelLog:
    """An append-only file of labels, and what each annotator can take back."""

    def __init__(self, path: Path, kind: type[LabelBase], rows: Sequence[LabelBase]) -> None:
        """Go on with the file at `path`, of which `rows` still hold."""
        self._journal = GrowingJournal(path, kind)
        self._own: dict[str, dict[str, LabelBase]] = {}
        self._steps: dict[str, list[tuple[str, LabelBase | None]]] = {}
        self._rows: list[LabelBase] = []
        for row in rows:
            self._take(row)

    @property
    def rows(self) -> Sequence[LabelBase]:
        """Every row of the file, in order."""
        return self._rows

    def own(self, annotator: str, item: str) -> LabelBase | None:
        """Return the annotator's word on an item; `None` if there is none."""
        row = self._own.get(annotator, {}).get(item)
        return row if row and row.word is not None else None

    def add(self, row: LabelBase) -> None:
        """Write one row; on return it is on the disk.

        Raises:
            StorageError: it cannot be written; nothing has changed then.
        """
        row = row.model_copy(update={"at": datetime.now(UTC).isoformat(timespec="milliseconds")})
        self._journal.append(row)
        self._take(row)

    def undo(self, annotator: str) -> str | None:
        """Take the annotator's last step back; return its item, or `None` if there is no step.

        Raises:
            StorageError: it cannot be written; nothing has changed then.
        """
        steps = self._steps.get(annotator)
        if not steps:
            return None
        item, before = steps[-1]
        earlier = before or self._own[annotator][item].taken_back()
        self.add(earlier.model_copy(update={"undoes": True}))
        return item

    def _take(self, row: LabelBase) -> None:
        self._rows.append(row)
        if row.settles:
            return
        own = self._own.setdefault(row.annotator, {})
        steps = self._steps.setdefault(row.annotator, [])
        before = own.get(row.item)
        if row.undoes and steps:
            steps.pop()
        elif _decided(before) != _decided(row):
            steps.append((row.item, before))
        own[row.item] = row


def _decided(row: LabelBase | None) -> tuple[object, ...]:
    """Return what a step changes; a reason that is typed is part of the step before it."""
    return (row.word, getattr(row, "category", None)) if row else (None, None)
