import csv
import re
from pathlib import Path

import pytest
from tests.evaluation.records import both, control, response, unanswerable

from uaeval.errors import StorageError
from uaeval.evaluation.labels.label_files import (
    add_sampled,
    read_labels,
    read_sampled,
    sheet_id,
    write_sheet,
)
from uaeval.evaluation.labels.sampling import draw_sample
from uaeval.records import Metric
from uaeval.storage import without_formula

SHOWN = (
    *("label", "allowed", "metric", "category", "question", "reason", "reference_answer"),
    "response",
)
QUERY, TWIN = unanswerable(1), control(1)
IDS = [QUERY.id, TWIN.id]


def _sheet(path: Path, *rows: str, header: str = "id,label,inclusion_probability") -> Path:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def _written(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet_holds_what_is_to_be_judged(tmp_path: Path) -> None:
    judgements = [*both(QUERY, "answered", "no"), *both(TWIN, "answered", "yes")]
    said = {query.id: response(query, "=HYPERLINK(1)\r\nIt is 3.") for query in (QUERY, TWIN)}
    path = tmp_path / "labels.csv"
    drawn = draw_sample([QUERY, TWIN], judgements, 10)
    write_sheet(path, drawn, said)
    names = {sheet_id(one): one.judgement.id for one in drawn}
    rows = {names[row["id"]]: row for row in _written(path)}
    assert set(rows) == {one.id for one in judgements}
    verdict, acceptable, correct = (
        rows[f"{QUERY.id}/verdict"],
        rows[f"{QUERY.id}/acceptable"],
        rows[f"{TWIN.id}/correct"],
    )
    assert (verdict["label"], verdict["reason"], verdict["category"]) == ("", "", "")
    assert verdict["response"] == "'=HYPERLINK(1)\nIt is 3."
    assert without_formula("'=1") == "''=1", "so that reading gives the same text"
    assert (acceptable["reason"], acceptable["category"]) == (QUERY.reason, "underspecified")
    assert (correct["reference_answer"], correct["allowed"]) == ("240 hours", "yes / no")


def test_a_sheet_shows_neither_the_judges_labels_nor_category_and_reason(
    tmp_path: Path,
) -> None:
    queries = [query for n in range(40) for query in (unanswerable(n), control(n))]
    said = {query.id: response(query, f"Response {query.question}") for query in queries}
    judged = [  # a label that is rare, so that it is drawn in full
        one
        for n, query in enumerate(queries)
        for one in both(query, "answered" if n % 9 else "refused", "yes" if n % 7 else "no")
    ]
    path = tmp_path / "labels.csv"
    drawn = draw_sample(queries, judged, 40)
    assert len({one.inclusion_probability for one in drawn}) > 1
    write_sheet(path, drawn, said)
    rows = _written(path)
    assert len(rows) == 40
    metrics = [row["metric"] for row in rows]
    assert metrics == sorted(metrics, key=["verdict", "acceptable", "correct"].index)
    for row in rows:
        assert re.fullmatch("[0-9a-f]{12}", row["id"])
        assert row.keys() == {"id", *SHOWN}
        if row["metric"] == "verdict":
            assert {row[name] for name in ("label", "category", "reason", "reference_answer")} == {
                ""
            }


def test_the_whole_of_an_evaluation_gives_the_same_rows_whatever_the_judge_says(
    tmp_path: Path,
) -> None:
    queries = [query for n in range(9) for query in (unanswerable(n), control(n))]
    said = {query.id: response(query) for query in queries}

    def rows(verdict: str, second: str) -> set[tuple[str, ...]]:
        judged = [
            one
            for n, query in enumerate(queries)
            for one in both(query, verdict if n % 2 else "answered", second if n % 3 else "yes")
        ]
        path = tmp_path / f"{verdict}.csv"
        write_sheet(path, draw_sample(queries, judged, 1000), said)
        return {tuple(row.values()) for row in _written(path)}

    assert rows("refused", "no") == rows("clarified", "yes")


def test_the_meaning_of_sheet_rows_is_kept_with_the_evaluation(tmp_path: Path) -> None:
    judgements = [*both(QUERY, "answered", "no"), *both(TWIN, "refused", "yes")]
    for size in (2, 4):
        add_sampled(tmp_path, draw_sample([QUERY, TWIN], judgements, size))
    sampled = read_sampled(tmp_path)
    assert {one.judgement for one in sampled.values()} == {one.id for one in judgements}
    drawn = draw_sample([QUERY, TWIN], judgements, 2)
    rows = [
        f"{sheet_id(one)},{'refused' if one.judgement.metric is Metric.VERDICT else 'yes'}"
        for one in drawn
    ]
    found = read_labels(_sheet(tmp_path / "l.csv", *rows, header="id,label"), IDS, sampled)
    told = {(one.query_id, one.metric): one.inclusion_probability for one in found.labels}
    assert told == {
        (one.query.id, one.judgement.metric): one.inclusion_probability for one in drawn
    }
    with pytest.raises(StorageError, match=r"unknown judgement .*; give the id of a row"):
        read_labels(_sheet(tmp_path / "l.csv", *rows, header="id,label"), IDS)


def test_a_carriage_return_splits_no_row(tmp_path: Path) -> None:
    judgements = [*both(QUERY, "answered", "no"), *both(TWIN, "answered", "yes")]
    text = "one\rtwo\r\nthree\r"
    said = {query.id: response(query, text) for query in (QUERY, TWIN)}
    path = tmp_path / "labels.csv"
    write_sheet(path, draw_sample([QUERY, TWIN], judgements, 10), said)
    rows = _written(path)
    assert len(rows) == len(judgements)
    assert {row["response"] for row in rows} == {"one\ntwo\nthree\n"}


def test_an_unquoted_carriage_return_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(f"id,label,response\n{QUERY.id}/verdict,refused,a\rb,yes\n".encode())
    with pytest.raises(StorageError, match=r"labels\.csv:1: "):
        read_labels(path, IDS)


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
        (
            [f"{QUERY.id}/verdict,declined,1"],
            r":2: the label of .*clarified, refused, partial, answered",
        ),
        ([f"{QUERY.id}/acceptable,refused,1"], r"should be one of yes, no, got 'refused'"),
        (["nonsense-0001/verdict,refused,1"], "a judgement such as <query id>/verdict"),
        ([f"{QUERY.id}/tone,refused,1"], "a judgement such as <query id>/verdict"),
        ([f"{QUERY.id},refused,1"], "a judgement such as <query id>/verdict"),
        ([f"{QUERY.id}/verdict,refused,1"] * 2, r":3: .* is labelled twice; keep one"),
        ([f"{QUERY.id}/verdict,refused,0"], "inclusion_probability should be above 0"),
        ([f"{QUERY.id}/verdict,refused,1e-320"], "inclusion_probability should be above 0"),
        ([f"{QUERY.id}/verdict,refused,often"], "inclusion_probability should be above 0"),
        ([f"{QUERY.id}/verdict,,1"], "holds no label"),
        ([], "holds no label"),
        ([f'{QUERY.id}/verdict,"refused"x,1'], "not CSV"),
    ],
)
def test_a_label_that_cannot_be_used_is_named(tmp_path: Path, rows: list[str], told: str) -> None:
    with pytest.raises(StorageError, match=told):
        read_labels(_sheet(tmp_path / "l.csv", *rows), IDS)


def test_a_file_that_is_not_a_sheet_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no file"):
        read_labels(tmp_path / "none.csv", IDS)
    with pytest.raises(StorageError, match="lacks the column label"):
        read_labels(_sheet(tmp_path / "l.csv", header="id,verdict"), IDS)
    with pytest.raises(StorageError, match=r"lacks the column id and label; .* commas"):
        read_labels(_sheet(tmp_path / "l.csv", header="id;label"), IDS)
    (tmp_path / "latin.csv").write_bytes(b"id,label\n\xff\xfe,yes\n")
    with pytest.raises(StorageError, match="save it as UTF-8"):
        read_labels(tmp_path / "latin.csv", IDS)
