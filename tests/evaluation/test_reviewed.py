"""Labels of the review page, as `calibrate` takes them."""

from pathlib import Path

import pytest

from uaeval.errors import StorageError
from uaeval.evaluation.labels.label_files import read_reviewed
from uaeval.labels import JudgementLabel
from uaeval.records import Metric
from uaeval.storage import write_journal


def _row(annotator: str, label: str | None, *, settles: bool = False) -> JudgementLabel:
    return JudgementLabel.model_validate(
        {
            "query_id": "q-1",
            "metric": Metric.ACCEPTABLE,
            "annotator": annotator,
            "label": label,
            "settles": settles,
            "inclusion_probability": 0.5,
        }
    )


def _file(folder: Path, *rows: JudgementLabel) -> Path:
    write_journal(folder / "labels.jsonl", JudgementLabel, rows)
    return folder / "labels.jsonl"


def test_annotators_words_become_one_label_with_its_chance(tmp_path: Path) -> None:
    found = read_reviewed(_file(tmp_path, _row("a", "yes"), _row("b", "yes")), ["q-1"])
    (label,) = found.labels
    assert (label.query_id, label.metric, label.label) == ("q-1", "acceptable", "yes")
    assert (label.inclusion_probability, found.empty) == (0.5, 0)


def test_a_disagreement_gives_no_label_until_it_is_settled(tmp_path: Path) -> None:
    rows = (_row("a", "yes"), _row("b", "no"))
    odds = read_reviewed(_file(tmp_path, *rows), ["q-1"])
    assert (odds.labels, odds.empty) == ((), 1)
    ended = read_reviewed(_file(tmp_path, *rows, _row("b", "no", settles=True)), ["q-1"])
    assert ([label.label for label in ended.labels], ended.empty) == (["no"], 0)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((), "holds no label; add some with `uaeval review"),
        ((_row("a", None),), "holds no label"),
        ((_row("a", "refused"),), "unknown label 'refused' of q-1/acceptable in this evaluation"),
    ],
)
def test_unusable_input_is_reported(
    tmp_path: Path, rows: tuple[JudgementLabel, ...], told: str
) -> None:
    with pytest.raises(StorageError, match=told):
        read_reviewed(_file(tmp_path, *rows), ["q-1"])


def test_labels_of_other_queries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"unknown label .yes. of q-1/acceptable"):
        read_reviewed(_file(tmp_path, _row("a", "yes")), ["q-2"])
