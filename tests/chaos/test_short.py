"""The short version of `make chaos`: some faults on some commands."""

import pytest
from tests.chaos import __main__ as chaos
from tests.chaos.cases import Case
from tests.chaos.commands import Ended
from tests.chaos.scenarios import CANARY


@pytest.mark.slow
def test_no_fault_makes_a_record_a_traceback_or_a_secret(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    ended = list(chaos.cases(tmp_path_factory.mktemp("chaos"), short=True))
    assert {case.command for case in ended} > {"synthesize", "evaluate", "crawl", "batch", "push"}
    assert all(case.tried for case in ended)
    assert not [(case.command, case.fault, case.notes) for case in ended if not case.good]


def test_a_case_notes_what_a_fault_must_not_do(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("case")
    (folder / "log").write_text(f"key {CANARY}", encoding="utf-8")
    case = Case(fault="f", command="c")
    assert case.good
    case.look(Ended(70, "", "error: internal error"), folder)
    case.look(Ended(0, "", "Traceback (most recent call last)"), folder)
    case.compare({"a": b"1"}, {"a": b"2", "b": b"3"})
    case.compare_records({"x": "1", "of the fault alone": "2"}, {"x": "2"})
    assert (case.tracebacks, case.secrets, case.differed) == (2, 2, 3)
    assert not case.good
