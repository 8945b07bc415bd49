import json
from pathlib import Path

import pytest
from tests.evaluation.records import both, response, scores, unanswerable

from uaeval.errors import StorageError
from uaeval.evaluation.evaluation import read_scores, write_scores


def test_scores_come_back_as_they_were(tmp_path: Path) -> None:
    query = unanswerable(1)
    found = scores([query], [response(query)], both(query, "refused", "yes"))
    write_scores(tmp_path / "scores.json", found)
    assert read_scores(tmp_path / "scores.json") == found


def test_scores_of_an_earlier_version_have_nothing_undecided(tmp_path: Path) -> None:
    query = unanswerable(1)
    found = scores([query], [response(query)], both(query, "refused", "yes"))
    write_scores(tmp_path / "scores.json", found)
    text = (tmp_path / "scores.json").read_text(encoding="utf-8")
    (tmp_path / "scores.json").write_text(text.replace('"undecided": 0,', ""), encoding="utf-8")
    assert read_scores(tmp_path / "scores.json") == found


def test_what_is_undefined_is_null(tmp_path: Path) -> None:
    write_scores(tmp_path / "scores.json", scores([unanswerable(1)], [], []))
    text = (tmp_path / "scores.json").read_text(encoding="utf-8")
    first = json.loads(text)["scores"][0]
    assert (first["metric"], first["value"], first["low"]) == ("joint_score", None, None)
    assert "NaN" not in text


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text('{"scores": [{"metric": 1}]}', encoding="utf-8")
    with pytest.raises(StorageError, match="holds no scores"):
        read_scores(tmp_path / "scores.json")
