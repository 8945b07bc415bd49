"""Write the CSV sheet on which annotators label judgements, and read labels."""

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from uaeval.errors import StorageError
from uaeval.evaluation.labels.sampling import SampledJudgement
from uaeval.evaluation.metrics.outcomes import LABELS
from uaeval.labels import JudgementLabel, agreed, read_label_rows
from uaeval.records import Metric, Response
from uaeval.storage import csv_text, read_journal, without_formula, write_journal, write_text

SAMPLED: Final = "sampled.jsonl"


class Labels(NamedTuple):
    """The labels of a file, and the number of items without one (or unsure, or a tie)."""

    labels: tuple[JudgementLabel, ...]
    empty: int


# A judgement's id contains the category of its query, and its inclusion probability reveals the
# judge's label. So a sheet has neither; both are in `sampled.jsonl` of the evaluation.


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSheetRow:
    """One row of a sheet, whose id reveals nothing; the judgement is `<query id>/<metric>`."""

    id: str
    judgement: str
    inclusion_probability: float


def sheet_id(drawn: SampledJudgement) -> str:
    """Return the id of a drawn judgement in a sheet, a hash of its id and probability."""
    identity = f"{drawn.judgement.id} {drawn.inclusion_probability!r}"
    return hashlib.sha256(identity.encode()).hexdigest()[:12]


def read_sampled(folder: Path) -> dict[str, LabelSheetRow]:
    """Return all rows drawn so far, by id in the sheets, or raise `StorageError`."""
    path = folder / SAMPLED
    return {row.id: row for row in read_journal(path, LabelSheetRow)} if path.exists() else {}


def add_sampled(folder: Path, drawn: Sequence[SampledJudgement]) -> None:
    """Add the rows of a new sheet to those of earlier sheets."""
    rows = read_sampled(folder)
    for one in drawn:
        name, judgement, share = sheet_id(one), one.judgement.id, one.inclusion_probability
        rows[name] = LabelSheetRow(id=name, judgement=judgement, inclusion_probability=share)
    write_journal(folder / SAMPLED, LabelSheetRow, [rows[name] for name in sorted(rows)])


def write_sheet(
    path: Path, drawn: Sequence[SampledJudgement], responses: Mapping[str, Response]
) -> None:
    """Write the sample for annotators to label, without the judge's labels.

    The judge of the verdict does not see category and reason, so rows of the verdict lack them and
    come before the rows of other metrics. A cell that a spreadsheet would run as a formula gets a
    leading apostrophe.
    """
    ordered = sorted(drawn, key=lambda row: [*LABELS].index(row.judgement.metric))
    rows = [_row(row, responses[row.judgement.query_id].text) for row in ordered]
    write_text(path, csv_text(rows[0], rows))


def _row(drawn: SampledJudgement, response: str) -> dict[str, str]:
    metric, query = drawn.judgement.metric, drawn.query
    row = {
        "id": sheet_id(drawn),
        "label": "",
        "allowed": " / ".join(LABELS[metric]),
        "metric": metric.value,
        "category": query.category if metric is Metric.ACCEPTABLE else None,
        "question": query.conversation,
        "reason": query.reason if metric is Metric.ACCEPTABLE else None,
        "reference_answer": query.reference_answer if metric is Metric.CORRECT else None,
        "response": response,
    }
    return {name: without_formula(value or "") for name, value in row.items()}


def read_labels(
    path: Path, queries: Sequence[str], sampled: Mapping[str, LabelSheetRow] = MappingProxyType({})
) -> Labels:
    """Read labels of `queries` (ids); rows without a label are only counted.

    The id of a row is one of `sampled`, or the id of a judgement. For the latter, the file may have
    the probability of being drawn in a column `inclusion_probability`.

    Raises:
        StorageError: the file cannot be read or lacks a column, or a row has an unknown or repeated
            id, or an invalid label or probability.
    """
    query_ids, labels, rows = frozenset(queries), dict[str, JudgementLabel](), _rows(path)
    filled = [(line, row) for line, row in rows if (row["label"] or "").strip()]
    for line, row in filled:
        try:
            label = _label(row, query_ids, sampled)
        except ValueError as error:
            raise StorageError(f"{path}:{line}: {error}") from error
        if label.item in labels:
            raise StorageError(f"{path}:{line}: {row['id']} is labelled twice; keep one of them")
        labels[label.item] = label
    if not labels:
        raise StorageError(f"{path} holds no label; fill in the column `label`")
    return Labels(tuple(labels.values()), len(rows) - len(filled))


def _rows(path: Path) -> list[tuple[int, dict[str, str | None]]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise StorageError(f"there is no file {path}; `uaeval sample` writes one") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"cannot read {path}: {error}; save it as UTF-8 CSV") from error
    reader = csv.DictReader(io.StringIO(text, newline="\n"), strict=True)
    try:
        missing = sorted({"id", "label"} - set(reader.fieldnames or ()))
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise StorageError(f"{path}:{reader.line_num}: not CSV: {error}") from error
    if missing:
        needed = "it needs a header line, and commas between columns"
        raise StorageError(f"{path} lacks the column {' and '.join(missing)}; {needed}")
    return rows


def _label(
    row: Mapping[str, str | None], query_ids: frozenset[str], sampled: Mapping[str, LabelSheetRow]
) -> JudgementLabel:
    """Return the label of one row; raise `ValueError` if the row is invalid."""
    name, label = (row["id"] or "").strip(), (row["label"] or "").strip().casefold()
    drawn = sampled.get(name)
    query_id, _, metric = (drawn.judgement if drawn else name).rpartition("/")
    if query_id not in query_ids or metric not in LABELS:
        raise ValueError(
            f"unknown judgement {name!r}; give the id of a row that `uaeval sample` wrote for this "
            "evaluation, or a judgement such as <query id>/verdict"
        )
    allowed = ", ".join(LABELS[Metric(metric)])
    if label not in LABELS[Metric(metric)]:
        raise ValueError(f"the label of {name} should be one of {allowed}, got {label!r}")
    share = _probability(row.get("inclusion_probability"))
    share = drawn.inclusion_probability if drawn else share
    fields = {"query_id": query_id, "annotator": "", "metric": metric, "label": label}
    return JudgementLabel.model_validate({**fields, "inclusion_probability": share})


def _probability(text: str | None) -> float:
    if text is None or not text.strip():
        return 1.0
    with suppress(ValueError):
        if 1e-9 <= float(text) <= 1:  # a label is weighted by the inverse
            return float(text)
    raise ValueError(f"inclusion_probability should be above 0 and at most 1, got {text!r}")


def read_reviewed(path: Path, queries: Sequence[str]) -> Labels:
    """Read labels of `queries` (ids) from the review page: the label of most annotators.

    Raise `StorageError` if the file holds no label, or one of another evaluation.
    """
    rows = read_label_rows(path, JudgementLabel)
    last = {row.item: row for row in rows}
    if not (labels_by_item := agreed(rows)):
        raise StorageError(
            f"{path} holds no label; add some with `uaeval review {path.parent}`, or name a file "
            "of `uaeval sample` with --labels"
        )
    query_ids, labels = frozenset(queries), list[JudgementLabel]()
    for item, word in labels_by_item.items():
        row = last[item]
        if row.query_id not in query_ids or word not in (None, *LABELS[row.metric]):
            raise StorageError(f"{path}: unknown label {word!r} of {item} in this evaluation")
        if word is not None:
            labels.append(row.model_copy(update={"label": word}))
    return Labels(tuple(labels), len(labels_by_item) - len(labels))
