"""What an evaluation asks: a run's queries or a file's, and the user's own controls."""

import json
from pathlib import Path

import pytest
from tests.formats.runs import dataset, make_run, nasty

from uaeval.errors import DatasetError
from uaeval.formats.format import export, formats
from uaeval.formats.query_source import dataset_folder, read_controls, read_query_source
from uaeval.run_folder import RunFolder


def lines(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_dataset_without_queries_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"queries\.jsonl: there is no valid query to ask"):
        read_query_source(make_run(tmp_path / "run", ()))


@pytest.mark.parametrize("name", ["csv", "hf"])
def test_an_exported_dataset_is_asked_like_the_run_it_is_from(name: str, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", nasty())
    place = tmp_path / ("out" if name == "hf" else "out.csv")
    export(dataset(run), formats()[name], place)
    folder = dataset_folder(place)
    asked = read_query_source(RunFolder(folder))
    assert {query.id: query for query in asked.queries} == {query.id: query for query in nasty()}
    assert folder == place.with_name(place.name + ".evaluated")
    assert dataset_folder(folder) == folder
    assert not asked.altered


def test_queries_marked_invalid_are_not_asked(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", nasty())
    lines(run.labels_path, {"query_id": "0001", "annotator": "a", "valid": "invalid"})
    asked = read_query_source(run)
    assert {query.id for query in nasty()} - {query.id for query in asked.queries} == {"0001"}
    assert (asked.altered, asked.marked_invalid) == (True, 1)


def test_controls_are_asked_too_and_distinguish_evaluations(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", nasty())
    controls = lines(tmp_path / "mine.jsonl", {"question": "How long?", "answer": "2 hours"})
    asked = read_query_source(run, controls)
    assert asked.queries[-1].question == "How long?"
    assert asked.queries[-1].answerable
    assert len(asked.queries) == len(nasty()) + 1
    assert asked.digest != read_query_source(run).digest
    lines(controls, {"question": "How long?", "answer": "3 hours"})
    assert asked.digest != read_query_source(run, controls).digest


def test_a_lone_surrogate_of_a_control_is_read_as_a_whole_character(tmp_path: Path) -> None:
    path = lines(tmp_path / "mine.jsonl", {"question": "How \ud800?", "answer": "2 \udfff"})
    (control,) = read_controls(path)
    assert (control.question, control.reference_answer) == ("How \ufffd?", "2 \ufffd")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"question": "Why?", "category": "nonsensical"}, "has a category"),
        ({"question": "Why?", "answerable": True}, "has no `reference_answer`"),
    ],
)
def test_a_control_has_an_answer(row: dict[str, object], problem: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=problem):
        read_controls(lines(tmp_path / "mine.jsonl", row))


def test_an_id_of_a_control_may_not_be_taken(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", nasty())
    controls = lines(tmp_path / "mine.jsonl", {"id": "0001", "question": "Why?", "answer": "so"})
    with pytest.raises(DatasetError, match="'0001' is taken"):
        read_query_source(run, controls)
