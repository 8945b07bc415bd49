"""A system from another package: evaluated, swept and called from Python."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.plugin_examples import installed, lines_of

import uaeval.api
from uaeval.evaluation.manifest import read_manifest
from uaeval.records import Failure, Response
from uaeval.storage import read_journal


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    queries = write_finished_run(tmp_path / "run")
    answers = {query.question: f"Answer {place}." for place, query in enumerate(queries)}
    (tmp_path / "faq.json").write_text(json.dumps(answers))
    (tmp_path / "empty.json").write_text(json.dumps({"": "Nothing."}))
    with installed("system", tmp_path / "site", monkeypatch):
        yield tmp_path / "run"


def responses(run: Path, name: str) -> tuple[Response, ...]:
    return read_journal(run / "evaluations" / name / "responses.jsonl", Response)


def test_the_example_is_short() -> None:
    assert lines_of("system") < 40


def test_evaluate_takes_it_with_its_settings(run: Path, uaeval: Uaeval) -> None:
    done = uaeval("evaluate", run, "--system", "faq", "-k", "2")
    assert done.code == 0, done.err
    for place, response in enumerate(responses(run, "faq")):
        assert response.text == f"Answer {place}."
        assert len(response.retrieved_contexts) == 2
    manifest = read_manifest(run / "evaluations" / "faq" / "manifest.json")
    assert manifest and manifest.settings["system"] == "faq"
    assert manifest.settings["k"] == 2


def test_its_argument_is_passed_on(run: Path, uaeval: Uaeval) -> None:
    assert uaeval("evaluate", run, "--system", "faq:empty.json", "--name", "empty").code == 0
    assert {response.text for response in responses(run, "empty")} == {"I do not know."}


def test_python_takes_it(run: Path) -> None:
    found = uaeval.api.evaluate(run, "faq:faq.json", name="called")
    assert found.responses[0].text == "Answer 0."


def test_a_sweep_varies_it_beside_others(run: Path, uaeval: Uaeval) -> None:
    grid = run.parent / "grid.yaml"
    grid.write_text(f"dataset: {run}\ngrid:\n  system: [faq, 'faq:empty.json', rag]\n  k: [1, 3]\n")
    done = uaeval("sweep", grid)
    assert done.code == 0, done.err
    cells = {path.name for path in (run / "evaluations").iterdir()}
    assert cells == {
        f"grid.{system}_{k}" for system in ("faq", "faq-empty.json", "rag") for k in (1, 3)
    }
    assert {len(each.retrieved_contexts) for each in responses(run, "grid.faq_3")} == {3}


def test_a_system_that_cannot_be_opened_gives_one_sentence(run: Path, uaeval: Uaeval) -> None:
    (run.parent / "faq.json").unlink()
    done = uaeval("evaluate", run, "--system", "faq")
    assert done.code == 2
    assert "faq: cannot open the system (FileNotFoundError: " in done.err
    assert not (run / "evaluations" / "faq").exists()


BROKEN = """
from contextlib import asynccontextmanager
from uaeval.errors import TargetError
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import Answer

class Broken:
    name = "faq"
    asked = 0
    async def answer(self, query):
        self.asked += 1
        if self.asked == 1:
            raise KeyError("sk-canary-0123456789")
        if self.asked == 2:
            return "a text"
        if self.asked == 3:
            raise SystemExit(9)
        if self.asked == 4:
            raise TargetError("no answer today")
        return Answer(text="I do not know.")

@asynccontextmanager
async def opened(config, argument, queries):
    if argument:
        raise RuntimeError("cannot start")
    yield Broken()

KIND = SystemKind(name="faq", argument="<x>", optional=True, open=opened)
"""


def test_any_exception_is_a_failure_of_the_query(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    write_finished_run(run)
    with installed("system", tmp_path / "site", monkeypatch):
        (tmp_path / "site" / "uaeval_faq.py").write_text(BROKEN)
        monkeypatch.delitem(sys.modules, "uaeval_faq", raising=False)
        _evaluate_broken(run, uaeval)
    monkeypatch.delitem(sys.modules, "uaeval_faq", raising=False)


def _evaluate_broken(run: Path, uaeval: Uaeval) -> None:
    done = uaeval("evaluate", run, "--system", "faq", "--concurrency", "1")
    assert done.code == 6, done.err
    folder = run / "evaluations" / "faq"
    failures = read_journal(folder / "respond.failed.jsonl", Failure)
    assert [(each.kind, each.message) for each in failures] == [
        ("TargetError", "faq: KeyError: '[key]'"),
        ("TargetError", "faq: it returned 'a text'; its `answer` should return an `Answer`"),
        ("TargetError", "faq: SystemExit: 9"),
        ("TargetError", "no answer today"),
    ]
    assert len(responses(run, "faq")) == 2
    assert uaeval("evaluate", run, "--system", "faq", "--concurrency", "1").code == 6
    done = uaeval("evaluate", run, "--system", "faq:x", "--name", "other")
    assert done.code == 2
    assert "faq:x: cannot open the system (RuntimeError: cannot start)" in done.err


SLOW = """
import asyncio
from contextlib import nullcontext
from uaeval.systems.attempts import PassingFault
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import Answer

class Slow:
    name = "faq"
    asked = open_now = most = 0
    async def answer(self, query):
        self.asked += 1
        if self.asked == 1:
            await asyncio.sleep(60)
        if self.asked == 2:
            raise PassingFault("busy")
        self.open_now += 1
        self.most = max(self.most, self.open_now)
        await asyncio.sleep(0.01)
        self.open_now -= 1
        return Answer(text=f"At most {self.most} at once.")

KIND = SystemKind(name="faq", open=lambda config, argument, queries: nullcontext(Slow()))
"""


def test_limits_of_time_concurrency_and_retries_hold(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    write_finished_run(run)
    with installed("system", tmp_path / "site", monkeypatch):
        (tmp_path / "site" / "uaeval_faq.py").write_text(SLOW)
        monkeypatch.delitem(sys.modules, "uaeval_faq", raising=False)
        limits = ("--system-concurrency", "2", "--timeout", "0.3")
        done = uaeval("evaluate", run, "--system", "faq", *limits)
        assert done.code == 6, done.err
    monkeypatch.delitem(sys.modules, "uaeval_faq", raising=False)
    failures = read_journal(run / "evaluations" / "faq" / "respond.failed.jsonl", Failure)
    assert [each.message for each in failures] == ["faq: timed out: no whole answer within 0.3 s"]
    assert {each.text for each in responses(run, "faq")} <= {
        "At most 1 at once.",
        "At most 2 at once.",
    }


def test_one_without_open_is_not_taken_for_the_rag(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_finished_run(tmp_path / "run")
    with installed("system", tmp_path / "site", monkeypatch):
        module = tmp_path / "site" / "uaeval_faq.py"
        module.write_text(
            "from uaeval.systems.kind import SystemKind\nKIND = SystemKind(name='faq')\n"
        )
        monkeypatch.delitem(sys.modules, "uaeval_faq", raising=False)
        done = uaeval("evaluate", tmp_path / "run", "--system", "faq")
    monkeypatch.delitem(sys.modules, "uaeval_faq", raising=False)
    assert done.code == 2
    assert "faq: its package declares no `open`" in done.err


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--system", "faq:"], "system 'faq:': write faq"),
        (["--system", "nobody"], "responses:<file.jsonl>, faq[:<file.json>]"),
        (["--system", "faq", "--url", "http://host"], "url: the system faq takes no such setting"),
    ],
)
def test_what_it_does_not_take_is_refused(
    options: list[str], problem: str, run: Path, uaeval: Uaeval
) -> None:
    done = uaeval("evaluate", run, *options)
    assert done.code == 2
    assert problem in done.err
