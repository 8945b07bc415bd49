"""The public functions, as a Python program calls them."""

import inspect
import json
import os
import pty
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableLambda
from tests.cli.finished_run import write_finished_run

import uaeval
from uaeval.errors import ConfigError, StorageError
from uaeval.records import Metric
from uaeval.resources import shipped


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "run")
    return tmp_path / "run"


def decline(question: str) -> str:
    return f"I do not know about {question}"


def test_a_function_or_a_chain_can_be_evaluated_as_it_is(run: Path) -> None:
    found = uaeval.evaluate(run, system=decline)
    assert found.responses[0].text == "I do not know about How many hours may I borrow?"
    assert found.folder == run / "evaluations" / "python-tests.test_api-decline"
    chain = RunnableLambda(lambda given: "Ask me later, " + given["input"])
    found = uaeval.evaluate(run, chain, name="chain", body={"input": "{question}"})
    assert found.responses[0].text == "Ask me later, How many hours may I borrow?"
    assert found.responses[0].system == "langchain:langchain_core.runnables.base:RunnableLambda"


def test_a_changed_function_is_not_given_the_scores_of_the_earlier_one(run: Path) -> None:
    def answer(question: str) -> str:
        return "I do not know."

    first = uaeval.evaluate(run, answer)
    assert uaeval.evaluate(run, answer).scores == first.scores

    def answer(question: str) -> str:  # type: ignore[no-redef]
        return "It takes two days."

    with pytest.raises(StorageError, match=r"the function has changed.*--name"):
        uaeval.evaluate(run, answer)
    changed = uaeval.evaluate(run, answer, name="changed")
    assert changed.responses[0].text == "It takes two days."


def test_what_is_neither_is_refused(run: Path) -> None:
    with pytest.raises(ConfigError, match="is not a function"):
        uaeval.evaluate(run, system=object())


async def test_both_forms_work_inside_a_running_loop(run: Path) -> None:
    blocking = uaeval.evaluate(run, decline, name="blocking")
    awaited = await uaeval.aevaluate(run, decline, name="awaited")
    assert blocking.scores == awaited.scores
    assert [response.text for response in blocking.responses] == [
        response.text for response in awaited.responses
    ]


async def test_an_error_inside_a_running_loop_reaches_the_caller(run: Path) -> None:
    with pytest.raises(ConfigError, match="unknown system 'none'"):
        uaeval.evaluate(run, "none")
    with pytest.raises(ConfigError, match="unknown setting"):
        await uaeval.aevaluate(run, decline, nmae="x")  # type: ignore[call-arg]


async def test_a_dataset_is_synthesized_inside_a_running_loop(tmp_path: Path) -> None:
    category = "modality_limited"
    source, folder = shipped("knowledge_bases") / "sample" / "parking.md", tmp_path / "run"
    dataset = uaeval.synthesize(source, folder, size=1, categories=category)
    again = await uaeval.asynthesize(source, folder, size=1, categories=[category])
    assert [query.category for query in dataset] == [category, None]
    assert (again.manifest, len(dataset)) == (dataset.manifest, 2)
    assert list(dataset.to_pandas()["answerable"]) == [False, True]
    assert dataset.to_datasets()["question"][:] == list(dataset.to_pandas()["question"])
    assert "1 of 1" in dataset._repr_html_()
    assert dataset.export("jsonl", tmp_path / "dataset.jsonl").stat().st_size > 0
    evaluation = uaeval.evaluate(dataset, decline)
    assert len(evaluation) == 2


def test_results_are_iterable_and_tables(run: Path) -> None:
    evaluation = uaeval.evaluate(run, decline)
    evaluated = list(evaluation)
    assert [each.query for each in evaluated] == list(evaluation.queries)
    table = evaluation.to_pandas()
    assert list(table["id"]) == [query.id for query in evaluation.queries]
    assert evaluation.to_datasets().num_rows == len(table)
    assert "joint_score" in evaluation.scores.to_datasets()["metric"][:]
    assert list(table["response"]) == [decline(query.question) for query in evaluation.queries]
    for each, label in zip(evaluated, table["verdict"], strict=True):
        assert each.labels.get(Metric.VERDICT) == label


def test_a_call_that_failed_has_no_label_and_no_response(run: Path) -> None:
    def fail(question: str) -> str:
        raise LookupError(question)

    for each in uaeval.evaluate(run, fail):
        assert (each.response, each.labels) == (None, {})
        assert "LookupError" in each.failures[0].message


def test_scores_have_names_and_intervals(run: Path) -> None:
    scores = uaeval.evaluate(run, decline).scores
    by_key = {(score.metric, score.group): score for score in scores}
    joint = scores["joint"]
    assert joint == scores["joint_score"] == scores["joint", "overall"]
    assert joint == by_key["joint_score", "overall"] == scores[scores.index(joint)]
    interval = None if joint.low is None or joint.high is None else (joint.low, joint.high)
    assert joint.interval == interval
    assert len(scores.to_pandas()) == len(scores)
    with pytest.raises(KeyError, match="no score 'joy'; the metrics are"):
        scores["joy"]


def test_evaluations_are_compared_and_reported(run: Path, tmp_path: Path) -> None:
    first, second = (uaeval.evaluate(run, decline, name=name) for name in ("a", "b"))
    comparison = first.compare(second)
    assert {(each.first_run, each.second_run) for each in comparison} == {("a", "b")}
    assert len(comparison.to_pandas()) == len(comparison) > 0
    assert comparison.flips == ()
    page = first.report(second, path=tmp_path / "report.html")
    assert "<html" in page.read_text(encoding="utf-8")
    assert first.report() == first.folder / "report.html"


def test_what_is_on_disk_is_opened(run: Path, tmp_path: Path) -> None:
    made = uaeval.evaluate(run, decline)
    dataset, evaluation = uaeval.open_dataset(run), uaeval.open_evaluation(run)
    assert [query.id for query in dataset] == [each.query.id for each in evaluation]
    assert evaluation.scores == uaeval.open_evaluation(made).scores == made.scores
    assert "joint_score" in evaluation._repr_html_()
    with pytest.raises(StorageError, match="no manifest"):
        uaeval.open_dataset(tmp_path)
    with pytest.raises(StorageError, match="not the folder of an evaluation"):
        uaeval.open_evaluation(tmp_path)


def test_a_result_outlives_its_folder(run: Path) -> None:
    found = uaeval.evaluate(run, decline)
    shutil.rmtree(run)
    assert found.scores["joint"].n
    assert [each.response is not None for each in found] == [True] * len(found)
    assert (found.failures, found.blocked, found.undecided, found.others) == ((), (), (), None)


def test_the_judge_is_compared_with_labels(run: Path, tmp_path: Path) -> None:
    evaluation = uaeval.evaluate(run, decline)
    query = evaluation.queries[0].id
    rows = f"id,label\n{query}/verdict,refused\n"
    (tmp_path / "labels.csv").write_text(rows, encoding="utf-8")
    result = evaluation.calibrate(tmp_path / "labels.csv")
    assert {each.metric for each in result} == {Metric.VERDICT}
    assert len(result.to_pandas()) == len(result.agreement)
    assert json.loads(result.path.read_text(encoding="utf-8"))["agreement"]


def test_progress_is_shown_where_somebody_looks_or_asks(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uaeval.evaluate(run, decline, name="silent")
    assert capsys.readouterr() == ("", "")
    uaeval.evaluate(run, decline, name="asked", progress=True)
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == ("", "6 of 6  (kept 6)")


@pytest.mark.parametrize(("more", "shown"), [("", True), (", progress=False", False)])
def test_a_terminal_shows_a_bar_and_keeps_it_out_of_the_output(
    run: Path, more: str, shown: bool
) -> None:
    program = f"import uaeval; uaeval.evaluate({str(run)!r}, lambda text: print(text) or '?'{more})"
    leader, follower = pty.openpty()
    screen = bytearray()

    def read() -> None:
        while not screen.endswith(b"the end"):
            screen.extend(os.read(leader, 4096))

    # Read beside it: on a slow machine the bar is drawn more often than the terminal holds.
    reader = threading.Thread(target=read)
    reader.start()
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=follower, check=True,
        encoding="utf-8", env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.write(follower, b"the end")
    reader.join()
    os.close(follower)
    os.close(leader)
    assert (b"6/6" in screen) == shown
    assert len(done.stdout.splitlines()) == 6


def test_importing_the_api_loads_nothing_heavy() -> None:
    heavy = ["anyio", "chromadb", "datasets", "httpx", "langchain_core", "numpy", "openai"]
    heavy += ["pandas", "pydantic", "rich", "scipy", "sklearn", "spacy", "typer"]
    program = (
        "import sys, uaeval; from uaeval import evaluate, open_dataset, synthesize; "
        f"print(sorted(set({heavy!r}) & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", uaeval.__all__)
def test_every_public_function_is_documented(name: str) -> None:
    assert inspect.getdoc(getattr(uaeval, name))
