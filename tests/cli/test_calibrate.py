import csv
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable

QUERIES = [query for n in range(24) for query in (unanswerable(n), control(n))]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    judgements = [
        judgement
        for place, query in enumerate(QUERIES)
        for judgement in both(query, "answered", "yes" if place % 3 else "no")
    ]
    said = [response(query) for query in QUERIES]
    write_evaluation(tmp_path / "data", "rag", QUERIES, said, judgements)
    return tmp_path / "data"


def _fill(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for place, row in enumerate(rows):
        choices = row["allowed"].split(" / ")
        row["label"] = choices[-1] if row["metric"] == "verdict" else choices[place % 2]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_a_sample_is_drawn_labelled_and_compared_with_the_judge(
    dataset: Path, tmp_path: Path, uaeval: Uaeval
) -> None:
    sheet = tmp_path / "labels.csv"
    done = uaeval("sample", dataset, "-o", sheet, "--size", "60")
    assert done.code == 0, done.err
    assert "60 of 96 judgements" in done.out
    told = sheet.read_text(encoding="utf-8")
    assert "inclusion_probability" not in told
    assert not any(query.id in told for query in QUERIES)
    _fill(sheet)
    sheet = sheet.rename(tmp_path / "sent-back.csv")
    done = uaeval("calibrate", dataset / "evaluations" / "rag", "--labels", sheet)
    assert done.code == 0, done.err
    assert "The judge against people" in done.out
    assert "Ratios corrected for the judge's mistakes" in done.out
    written = json.loads((dataset / "evaluations/rag/calibration.json").read_text())
    assert {one["metric"] for one in written["corrected"]} >= {"correctness", "acceptable_ratio"}
    assert sum(one["n"] for one in written["agreement"] if one["group"] == "overall") == 60


def test_a_sheet_with_labels_is_never_written_over(
    dataset: Path, tmp_path: Path, uaeval: Uaeval
) -> None:
    sheet = tmp_path / "labels.csv"
    sheet.write_text("id,label\n")
    done = uaeval("sample", dataset, "-o", sheet)
    assert (done.code, sheet.read_text()) == (2, "id,label\n")
    assert "may hold labels" in done.err


def test_calibrate_reports_unusable_input_in_one_sentence_with_exit_code_2(
    dataset: Path, tmp_path: Path, uaeval: Uaeval
) -> None:
    sheet = tmp_path / "labels.csv"
    sheet.write_text(f"id,label\n{QUERIES[0].id}/verdict,perhaps\n")
    done = uaeval("calibrate", dataset, "--labels", sheet)
    assert done.code == 2
    assert "should be one of clarified, refused, partial, answered, got 'perhaps'" in done.err
    assert uaeval("sample", dataset, "-o", sheet, "--metrics", "tone").code == 2
    write_evaluation(dataset, "other", QUERIES, [], [])
    done = uaeval("calibrate", dataset, "--labels", sheet)
    assert done.code == 2
    assert "evaluations: other, rag; give" in done.err
