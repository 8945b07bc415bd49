"""Labels of judgements that were given on the review page, brought into one word on each."""

from collections.abc import Sequence
from pathlib import Path

from uaeval.errors import StorageError
from uaeval.evaluation.labels.label_files import ALLOWED, Label, Labels
from uaeval.labels import JudgementLabel, agreed, read_judgement_labels
from uaeval.types import Metric


def read_reviewed(path: Path, queries: Sequence[str]) -> Labels:
    """Read labels of `queries` (ids): what ends a disagreement, else what most annotators say.

    Raises:
        StorageError: the file cannot be read or holds no label, or one is of another evaluation.
    """
    rows = read_judgement_labels(path)
    last = {row.item: row for row in rows}
    held = agreed(rows)
    if not held:
        raise StorageError(
            f"{path} holds no label; `uaeval review {path.parent}` gives some, or name a file of "
            "`uaeval sample` with --labels"
        )
    known = frozenset(queries)
    for item in held:
        if last[item].query_id not in known or held[item] not in (None, *ALLOWED[_metric(item)]):
            raise StorageError(f"{path}: {item} {held[item]} is no label of this evaluation")
    labels = [_label(last[item], word) for item, word in held.items() if word is not None]
    return Labels(labels=tuple(labels), empty=len(held) - len(labels))


def _metric(item: str) -> Metric:
    return Metric(item.rpartition("/")[2])


def _label(row: JudgementLabel, word: str) -> Label:
    return Label(
        query_id=row.query_id,
        metric=row.metric,
        label=word,
        inclusion_probability=row.inclusion_probability,
    )
