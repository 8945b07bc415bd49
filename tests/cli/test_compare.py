from pathlib import Path

from tests.cli.conftest import Uaeval
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable
from tests.report.written_run import write_judged, write_run

QUERIES = [
    query
    for number in range(30)
    for query in (
        unanswerable(number, question="[b]How[/b] much | is <it>?"),
        control(number),
    )
]


def _write(dataset: Path, name: str, good: int) -> Path:
    judgements = [
        judgement
        for place, query in enumerate(QUERIES)
        for judgement in both(
            query, "answered" if query.answerable else "refused", "yes" if place < good else "no"
        )
    ]
    responses = [response(query) for query in QUERIES]
    return write_evaluation(dataset, name, QUERIES, responses, judgements)


def test_two_evaluations_are_compared_and_the_flipped_queries_named(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    first, second = _write(tmp_path, "first", 10), _write(tmp_path, "second", 40)
    written = tmp_path / "comparison.md"
    done = uaeval("compare", first, second, "--flips", "4", "-o", written)
    assert done.code == 0, done.err
    assert "second against first" in done.out
    assert "acceptable ratio 16.7 66.7 ! +50.0" in done.out
    assert "underspecified-0005 [b]How[/b]" in done.out
    assert "Good in second, bad in first: 30 queries" in done.out
    assert "26 more are not shown: --flips NUMBER shows more, -o FILE writes all." in done.out
    assert "McNemar for a yes-or-no outcome, which takes every query as independent" in done.out
    text = written.read_text(encoding="utf-8")
    assert "| p | Holm | p by document |" in text
    assert "which takes every query as independent" in text
    assert "underspecified-0019-twin" in text
    assert "\\[b\\]How\\[/b\\] much &#124; is &lt;it&gt;?" in text


def test_a_comparison_is_a_page_if_its_file_ends_in_html(tmp_path: Path, uaeval: Uaeval) -> None:
    queries = write_run(tmp_path, 6)
    folders = [write_judged(tmp_path, name, queries) for name in ("first", "second")]
    for name in ("comparison.html", "COMPARISON.HTML"):
        done = uaeval("compare", *folders, "-o", tmp_path / name)
        assert done.code == 0, done.err
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.startswith("<!doctype html>")
        assert "second against first" in text


def test_only_five_flipped_queries_are_shown_unless_more_are_asked_for(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    folders = _write(tmp_path, "first", 10), _write(tmp_path, "second", 40)
    few, all_, none = (
        uaeval("compare", *folders, *n) for n in ((), ("--flips", "30"), ("--flips", "0"))
    )
    assert [done.out.count("[b]How") for done in (few, all_, none)] == [3, 15, 0]
    assert "25 more" in few.out
    assert "are not shown" not in all_.out
    assert "Good in" not in none.out


def test_compare_reports_unusable_input_in_one_sentence_with_exit_code_2(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    first = _write(tmp_path, "first", 10)
    for arguments, told in (
        ([first], "compare takes two evaluations or more"),
        ([first, first], "different names"),
        ([first, tmp_path / "nowhere"], "is not the folder of an evaluation"),
    ):
        done = uaeval("compare", *arguments)
        assert (done.code, done.out) == (2, "")
        assert told in done.err
