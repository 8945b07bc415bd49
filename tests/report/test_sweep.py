"""The table of a sweep."""

import csv
import json
from dataclasses import replace
from pathlib import Path

from tests.evaluation.folders import manifest_of

from uaeval.evaluation.compare import Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.records import Score
from uaeval.report.sweep import RankedCell, ranges, sweep_tables, write_sweep

JOINT = Score(
    metric="joint_score",
    group="overall",
    value=0.8,
    low=0.7,
    high=0.9,
    n=100,
    judged=100,
    errors=0,
    worst=0.8,
    best=0.8,
    clusters=40,
    reliable=True,
)


def cell(name: str, value: float | None, model: str) -> RankedCell:
    values = {"retriever": "bm25", "model": model}
    score = replace(JOINT, value=value, low=value and 0.1, high=value and 0.9)
    evaluation = Evaluation(folder=Path(name), manifest=manifest_of([]))
    vars(evaluation)["scores"] = (score,)
    return RankedCell(evaluation=evaluation, values=values)


def comparison(first: str, second: str, adjusted: float | None) -> Comparison:
    return Comparison(
        first_run=first,
        second_run=second,
        metric="joint_score",
        group="overall",
        pairs=100,
        left_out=0,
        asked_once=0,
        first=0.8,
        second=0.5,
        interval=None,
        clusters=40,
        mcnemar=None,
        p_value=adjusted,
        clustered_p=adjusted,
        adjusted=adjusted,
    )


CELLS = sorted(
    [cell("s.none", None, "openai:z"), cell("s.low", 0.5, "a|b"), cell("s.top", 0.8, "m")],
    key=RankedCell.place,
)
DIFFERENCES = [comparison("s.top", "s.low", 0.01), comparison("s.top", "s.none", None)]


def test_cells_are_sorted_with_missing_values_last_as_a_dash() -> None:
    sheet, _ = sweep_tables(CELLS, DIFFERENCES)
    assert sheet.columns[:4] == ("#", "model", "joint %", "95 % interval")
    assert [row[1] for row in sheet.rows] == ["m", "a|b", "openai:z"]
    assert sheet.rows[0][-1] == "2"
    assert sheet.rows[2][2:4] == ("–", "–")
    assert "all 1 comparisons" in sheet.note
    brief, _ = sweep_tables(CELLS, DIFFERENCES, brief=True)
    assert brief.columns == ("#", "model", "joint %", "95 % interval", "better than")
    assert brief.rows[0] == ("1", "m", "80.0", "10.0–90.0", "2")


def test_the_acceptable_ratio_by_category_has_a_dash_for_what_was_not_judged() -> None:
    best, *others = CELLS
    ratio = replace(JOINT, metric="acceptable_ratio", group="nonsensical", value=0.25)
    vars(best.evaluation)["scores"] = (*best.evaluation.scores, ratio)
    _, table = sweep_tables([best, *others], DIFFERENCES)
    at = table.columns.index("nonsensical")
    assert table.columns[:2] == ("#", "model")
    assert [row[at] for row in table.rows] == ["25.0", "–", "–"]


def test_numbers_are_written_shortly() -> None:
    assert ranges([2, 5, 6, 7, 9]) == "2, 5-7, 9"
    assert ranges([]) == ""


def test_the_files_have_every_cell_and_names_are_escaped(tmp_path: Path) -> None:
    axes = {"retriever": ("bm25",), "model": ("m", "a|b", "openai:z")}
    write_sweep(tmp_path / "s", axes, CELLS, DIFFERENCES, ())
    assert "a|b" not in (tmp_path / "s" / "table.md").read_text(encoding="utf-8")
    with (tmp_path / "s" / "cells.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["joint_score"] for row in rows] == ["0.8", "0.5", ""]
    assert rows[0]["better_than"] == "s.low"
    told = json.loads((tmp_path / "s" / "sweep.json").read_text(encoding="utf-8"))
    assert [one["joint_score"] for one in told["cells"]] == [0.8, 0.5, None]
