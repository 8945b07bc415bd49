import csv
from pathlib import Path

import pytest
from tests.evaluation.records import both, control, response, unanswerable

from uaeval.errors import StorageError
from uaeval.evaluation.labels import read_labels, write_sheet
from uaeval.evaluation.sampling import draw_sample
from uaeval.types import Metric

QUERY, TWIN = unanswerable(1), control(1)
IDS = [QUERY.id, TWIN.id]


def _sheet(path: Path, *rows: str, header: str = "id,label,inclusion_probability") -> Path:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_sheet_holds_what_is_to_be_judged_and_not_the_judges_label(tmp_path: Path) -> None:
    judgements = [*both(QUERY, "answered", "no"), *both(TWIN, "answered", "yes")]
    said = {query.id: response(query, "=HYPERLINK(1)\nIt is 3.") for query in (QUERY, TWIN)}
    path = tmp_path / "labels.csv"
    write_sheet(path, draw_sample([QUERY, TWIN], judgements, 10), said)
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert set(rows) == {one.id for one in judgements}
    verdict, acceptable, correct = (
        rows[f"{QUERY.id}/verdict"],
        rows[f"{QUERY.id}/acceptable"],
        rows[f"{TWIN.id}/correct"],
    )
    assert (verdict["label"], verdict["reason"], verdict["category"]) == ("", "", "")
    assert verdict["response"] == "'=HYPERLINK(1)\nIt is 3."
    assert (acceptable["reason"], acceptable["category"]) == (QUERY.reason, "underspecified")
    assert (correct["reference_answer"], correct["allowed"]) == ("240 hours", "yes / no")


def test_a_filled_sheet_is_read_back(tmp_path: Path) -> None:
    path = _sheet(
        tmp_path / "l.csv",
        f"{QUERY.id}/verdict, Refused ,0.25",
        f"{QUERY.id}/acceptable,,0.5",
        f"{TWIN.id}/correct,yes,",
    )
    found = read_labels(path, IDS)
    told = [
        (one.query_id, one.metric, one.label, one.inclusion_probability) for one in found.labels
    ]
    assert told == [
        (QUERY.id, Metric.VERDICT, "refused", 0.25),
        (TWIN.id, Metric.CORRECT, "yes", 1.0),
    ]
    assert found.empty == 1


def test_a_sheet_saved_by_a_spreadsheet_with_a_mark_in_front_is_read(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_bytes(b"\xef\xbb\xbfid,label\r\n" + f"{QUERY.id}/verdict,refused\r\n".encode())
    assert len(read_labels(path, IDS).labels) == 1


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([f"{QUERY.id}/verdict,declined,1"], r":2: the label of .*clarified, refused, answered"),
        ([f"{QUERY.id}/acceptable,refused,1"], r"should be one of yes, no, got 'refused'"),
        (["nonsense-0001/verdict,refused,1"], "is no judgement of this evaluation"),
        ([f"{QUERY.id}/tone,refused,1"], "is no judgement of this evaluation"),
        ([f"{QUERY.id},refused,1"], "is no judgement of this evaluation"),
        ([f"{QUERY.id}/verdict,refused,1"] * 2, r":3: .* is labelled twice; keep one"),
        ([f"{QUERY.id}/verdict,refused,0"], "inclusion_probability lies above 0"),
        ([f"{QUERY.id}/verdict,refused,often"], "inclusion_probability lies above 0"),
        ([f"{QUERY.id}/verdict,,1"], "holds no label"),
        ([], "holds no label"),
        ([f'{QUERY.id}/verdict,"refused"x,1'], "no CSV"),
    ],
)
def test_a_label_that_cannot_be_used_is_named(tmp_path: Path, rows: list[str], told: str) -> None:
    with pytest.raises(StorageError, match=told):
        read_labels(_sheet(tmp_path / "l.csv", *rows), IDS)


def test_a_file_that_is_no_sheet_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no file"):
        read_labels(tmp_path / "none.csv", IDS)
    with pytest.raises(StorageError, match="lacks the column label"):
        read_labels(_sheet(tmp_path / "l.csv", header="id,verdict"), IDS)
    (tmp_path / "latin.csv").write_bytes(b"id,label\n\xff\xfe,yes\n")
    with pytest.raises(StorageError, match="save it as UTF-8"):
        read_labels(tmp_path / "latin.csv", IDS)
