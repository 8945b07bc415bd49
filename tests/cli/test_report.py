from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.report.written_run import write_judged, write_run


@pytest.mark.parametrize("option", ["-o", "--output", "--html"])
def test_the_report_is_one_file(tmp_path: Path, uaeval: Uaeval, option: str) -> None:
    folder = write_judged(tmp_path, "rag", write_run(tmp_path, 6))
    written = tmp_path / "new" / "report.html"
    for run in (folder, tmp_path):  # a dataset with one evaluation stands for it
        done = uaeval("report", run, option, written)
        assert done.code == 0, done.err
        assert "MB); open it in any browser" in done.out
        assert written.read_text(encoding="utf-8").startswith("<!doctype html>")
        assert [path.name for path in written.parent.iterdir()] == ["report.html"]
        written.unlink()


def test_report_reports_unusable_input_in_one_sentence_with_exit_code_2(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    queries = write_run(tmp_path / "docs", 6)
    folder = write_judged(tmp_path / "docs", "rag", queries)
    other = write_judged(tmp_path / "other", "mine", write_run(tmp_path / "other", 12))
    for runs, told in (
        ([tmp_path / "nowhere"], "is not the folder of an evaluation"),
        ([folder, folder], "different names"),
        ([folder, other], "was run on other queries"),
        ([other, folder], "was run on other queries"),
    ):
        done = uaeval("report", *runs, "--html", tmp_path / "report.html")
        assert (done.code, done.out) == (2, "")
        assert told in done.err
    (folder / "scores.json").unlink()
    done = uaeval("report", folder, "--html", tmp_path / "report.html")
    assert done.code == 2
    assert "scores.json" in done.err
    assert not (tmp_path / "report.html").exists()


def test_without_a_path_it_is_written_beside_report_md(tmp_path: Path, uaeval: Uaeval) -> None:
    folder = write_judged(tmp_path, "rag", write_run(tmp_path, 6))
    done = uaeval("report", tmp_path)
    assert done.code == 0, done.err
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert uaeval("report").code == 2


def test_a_path_is_shown_as_text_and_not_interpreted(tmp_path: Path, uaeval: Uaeval) -> None:
    done = uaeval("report", tmp_path / "\u202e\x1b[31m")
    assert "\\u202e\\u001b[31m is not the folder of an evaluation" in done.err
    assert not {"\u202e", "\x1b"} & set(done.err)
