"""`uaeval evaluate` with a user's own system: files, messages and exit codes."""

import json
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.cli.conftest import Done, Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.rag_server import Got, RagServer, Sent

from uaeval.evaluation.evaluation import read_scores
from uaeval.evaluation.manifest import EvaluationManifest, read_manifest
from uaeval.records import Failure, Query, Response, Score
from uaeval.report.context import judge_worth
from uaeval.storage import read_journal

Evaluate = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path / "run"


@pytest.fixture
def queries(run: Path) -> list[Query]:
    return write_finished_run(run)


@pytest.fixture
def evaluate(uaeval: Uaeval, run: Path, queries: list[Query]) -> Evaluate:
    assert queries
    return lambda *options: uaeval("evaluate", run, *options)


def manifest_of(run: Path, name: str) -> EvaluationManifest:
    found = read_manifest(run / "evaluations" / name / "manifest.json")
    assert found
    return found


def score(run: Path, name: str, figure: str) -> Score:
    scores = read_scores(run / "evaluations" / name / "scores.json")
    return next(one for one in scores if (one.metric, one.group) == (figure, "overall"))


def _rag(got: Got) -> Sent:
    assert isinstance(got.json, dict)
    question = got.json["q"]
    says = "240 hours" if "sick" in question else "I do not have that information."
    return Sent(body={"out": says, "docs": [{"text": "Up to 240 hours."}]})


def test_an_endpoint_is_asked_judged_and_timed(
    run: Path, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_PASS", "open-sesame-1")
    with RagServer(_rag) as server:
        options = ["--system", "http", "--url", server.url, "--body", '{"q": "{question}"}']
        options += ["--answer-path", "out", "--contexts-path", "docs[*].text"]
        options += ["--header", "Authorization: Bearer $RAG_PASS", "--system-concurrency", "1"]
        done = evaluate(*options)
        assert done.code == 0, done.err
        assert "over 6 responses" in done.out
        assert "The judge is the offline engine" in done.out
        assert server.peak == 1
        assert {got.headers["authorization"] for got in server.requests} == {"Bearer open-sesame-1"}
        assert evaluate(*options, "--system-concurrency", "8").code == 0
        assert len(server.requests) == 6, "what is answered is not asked again"
        refused = evaluate(*options, "--answer-path", "other")
        assert refused.code == 2
        assert "answer_path was 'out', is 'other'" in refused.err
    manifest = manifest_of(run, "http")
    assert manifest.models == {"judge": "offline-2"}
    assert manifest.latency
    assert manifest.latency.n == 6
    responses = read_journal(run / "evaluations" / "http" / "responses.jsonl", Response)
    assert {one.retrieved_contexts[0].text for one in responses} == {"Up to 240 hours."}
    assert score(run, "http", "acceptable_ratio").value == 1.0
    for path in (run / "evaluations").rglob("*"):
        assert path.is_dir() or b"open-sesame-1" not in path.read_bytes()
    report = (run / "evaluations" / "http" / "report.md").read_text(encoding="utf-8")
    assert "Latency: median" in report
    assert f"- {judge_worth()}" in report


def _always(sent: Sent, _: Got) -> Sent:
    return sent


DECLINES = 'data: {"delta": "I do not have "}\n\ndata: {"delta": "that information."}\n\n'


def test_a_stream_is_scored_by_its_text_and_a_cut_one_not_at_all(
    run: Path, evaluate: Evaluate
) -> None:
    headers = {"content-type": "text/event-stream"}
    whole = Sent(body=DECLINES.encode(), headers=headers)
    cut = Sent(body=DECLINES[:60].encode(), headers=headers)
    for name, sent, code in (("whole", whole, 0), ("cut", cut, 6)):
        with RagServer(partial(_always, sent)) as server:
            given = ["--system", "http", "--url", server.url, "--answer-path", "delta"]
            assert evaluate(*given, "--name", name, "--max-retries", "0").code == code
    responses = read_journal(run / "evaluations" / "whole" / "responses.jsonl", Response)
    assert {response.text for response in responses} == {"I do not have that information."}
    ratio = score(run, "cut", "unanswered_ratio")
    assert (ratio.value, ratio.judged, ratio.errors) == (None, 0, ratio.n)


def test_a_pending_answer_is_scored(run: Path, evaluate: Evaluate) -> None:
    def job(got: Got) -> Sent:
        ready = Sent(body={"answer": "I do not have that information."})
        return ready if got.method == "GET" else Sent(status=202, body={"at": "/jobs/1"})

    with RagServer(job) as server:
        given = ["--system", "http", "--url", server.url, "--poll-path", "at"]
        assert evaluate(*given).code == 0
    assert score(run, "http", "unanswered_ratio").value == 1.0


def test_a_system_that_crashes_on_every_query_gets_null_and_no_perfect_refusal(
    run: Path, evaluate: Evaluate
) -> None:
    (run.parent / "crash_app.py").write_text("def ask(question):\n    return 1 / 0\n")
    done = evaluate("--system", "python:crash_app:ask")
    assert done.code == 6
    assert "6 calls failed; run the same command to repeat them. The first: " in done.out
    assert "ZeroDivisionError: division by zero" in done.out
    name = "python-crash_app-ask"
    for figure in ("unanswered_ratio", "acceptable_ratio", "correctness"):
        found = score(run, name, figure)
        assert (found.value, found.judged, found.errors) == (None, 0, found.n)
    failures = read_journal(run / "evaluations" / name / "respond.failed.jsonl", Failure)
    assert len(failures) == 6
    assert all("ZeroDivisionError" in failure.message for failure in failures)
    assert manifest_of(run, name).latency is None


def test_a_system_that_never_says_anything_gets_null(run: Path, evaluate: Evaluate) -> None:
    (run.parent / "mute_app.py").write_text("def ask(question):\n    return None\n")
    done = evaluate("--system", "python:mute_app:ask", "--fail-over", "over_refusal=1")
    assert done.code == 3
    assert "over_refusal_rate has no value: nothing was judged" in done.err
    assert "6 calls failed" in done.out, "a gate that fails hides no failure"
    assert score(run, "python-mute_app-ask", "unanswered_ratio").value is None


def test_a_chain_and_a_function_are_imported_from_the_working_directory(
    run: Path, evaluate: Evaluate
) -> None:
    (run.parent / "good_app.py").write_text(
        "from langchain_core.runnables import RunnableLambda\n"
        "async def ask(question):\n    return {'answer': 'I cannot tell.', 'contexts': []}\n"
        "chain = RunnableLambda(lambda given: 'Which one do you mean, ' + given['input'])\n"
    )
    assert evaluate("--system", "python:good_app:ask").code == 0
    done = evaluate("--system", "langchain:good_app:chain", "--body", '{"input": "{question}"}')
    assert done.code == 0, done.err
    folder = run / "evaluations" / "langchain-good_app-chain"
    responses = read_journal(folder / "responses.jsonl", Response)
    assert responses[0].text == "Which one do you mean, How many hours may I borrow?"


def test_recorded_responses_are_scored_and_other_ones_need_another_name(
    run: Path, evaluate: Evaluate, queries: list[Query]
) -> None:
    path = run.parent / "mine.jsonl"
    rows = [{"query_id": query.id, "text": "I do not know."} for query in queries]
    path.write_text("\n".join(map(json.dumps, rows[:-1])))
    done = evaluate("--system", f"responses:{path}", "--name", "mine")
    assert done.code == 6, done.err
    told = f"{path} has no response, or an error, for 1 of the queries: {queries[-1].id}"
    assert f"{told};" in done.err
    assert "run the same command" not in done.out
    assert (manifest_of(run, "mine").status, manifest_of(run, "mine").failures) == (
        "lacking",
        {"respond": 1, "judge": 0},
    )
    assert evaluate("--system", f"responses:{path}", "--name", "mine").code == 6, "as before"
    assert score(run, "mine", "unanswered_ratio").value == 1.0
    over = score(run, "mine", "over_refusal_rate")
    assert (over.value, over.judged, over.errors) == (1.0, 2, 1)
    path.write_text("\n".join(map(json.dumps, rows)))
    refused = evaluate("--system", f"responses:{path}", "--name", "mine")
    assert refused.code == 2
    assert "the recorded responses have changed" in refused.err


def test_of_many_missing_responses_the_first_are_named(
    run: Path, evaluate: Evaluate, queries: list[Query], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uaeval.cli.evaluate._MOST_LISTED", 2)
    path = run.parent / "mine.jsonl"
    path.write_text(json.dumps({"query_id": queries[0].id, "text": "I do not know."}))
    done = evaluate("--system", f"responses:{path}")
    first, second = queries[1].id, queries[2].id
    assert f"no response, or an error, for 5 of the queries: {first}, {second} and 3" in (done.err)


def test_an_unreachable_url_is_reported_and_can_be_corrected(run: Path, evaluate: Evaluate) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
    done = evaluate("--system", "http", "--url", nobody)
    assert done.code == 2
    assert f"no connection to {nobody}" in done.err
    assert "Traceback" not in done.err
    with RagServer(lambda _: Sent(body={"answer": "I do not know."})) as server:
        assert evaluate("--system", "http", "--url", server.url).code == 0


def test_paths_that_miss_after_an_answer_are_failures_in_every_session(
    run: Path, evaluate: Evaluate
) -> None:
    bodies = iter([{"answer": "I do not know."}] * 2 + [{"moved": "x"}] * 100)
    with RagServer(lambda _: Sent(body=next(bodies))) as server:
        options = ["--system", "http", "--url", server.url, "--concurrency", "1"]
        done = evaluate(*options)
        assert done.code == 6, "a reply fitted before: the rest are failures"
        assert "4 calls failed; run the same command to repeat them" in done.out
        assert manifest_of(run, "http").failures["respond"] == 4
        assert evaluate(*options).code == 6
    folder = run / "evaluations" / "http"
    assert len(read_journal(folder / "responses.jsonl", Response)) == 2
    failures = read_journal(folder / "respond.failed.jsonl", Failure)
    assert ["answer_path 'answer' leads nowhere" in each.message for each in failures] == [True] * 4


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--system", "magic"], "unknown system 'magic'; write rag, http, openai:<model>"),
        (["--system", "python:"], "system 'python:': write python:<module>:<function>"),
        (["--system", "python:app"], "write python:<module>:<function>"),
        (["--system", "python:nowhere_app:ask"], "cannot import nowhere_app"),
        (["--system", "http"], "url: the system http needs the address that questions are sent to"),
        (["--system", "http", "--url", "localhost/ask"], "url: give an address such as"),
        (["--system", "http", "--url", "http://me:pw@x/"], "url: leave name and password out"),
        (["--system", "http", "--url", "http:/\n/me:pw@x/"], "url: leave name and password out"),
        (["--url", "http://localhost/ask"], "url: the system rag takes no such setting"),
        (
            ["--system", "http", "--url", "http://localhost/ask", "--body", '{"q": "question"}'],
            "body: the template has no {question}",
        ),
        (["--system", "http", "--url", "http://localhost", "--body", "{"], "--body should be JSON"),
        (["--system", "http", "--url", "http://localhost", "--method", "GET"], "a GET needs"),
        (["--system", "http", "--url", "http://localhost", "--header", "x"], "--header should be"),
        (
            ["--system", "http", "--url", "http://localhost", "--header", "X-Api-Key: abc"],
            "set the value of X-Api-Key in the environment and write $ITS_NAME",
        ),
        (
            ["--system", "http", "--url", "http://localhost", "--answer-path", "a["],
            "answer_path: 'a[' is not a JSON path",
        ),
        (["--system", "responses:none.jsonl"], "no such file of responses: none.jsonl"),
    ],
)
def test_wrong_settings_get_one_sentence_and_leave_nothing_behind(
    run: Path, evaluate: Evaluate, options: list[str], told: str
) -> None:
    done = evaluate(*options)
    assert done.code == 2
    assert told in done.err
    assert not (run / "evaluations").exists()


@pytest.mark.parametrize("command", ["evaluate", "sweep"])
def test_a_cross_encoder_without_its_extra_is_reported_before_any_call(
    run: Path, evaluate: Evaluate, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # as if not installed
    (run.parent / "grid.yaml").write_text(
        f"dataset: {run}\ngrid:\n  reranker: [none, cross-encoder:models/tiny]\n"
    )
    if command == "evaluate":
        done = evaluate("--reranker", "cross-encoder:models/tiny")
    else:
        done = uaeval("sweep", "grid.yaml")
    assert done.code == 2
    told = 'a cross-encoder needs another package; install it with: pip install "uaeval[cross-enc'
    assert told in done.err
    assert not (run / "evaluations").exists()
    assert not (run / "sweeps").exists()


def test_settings_can_be_given_in_a_file(run: Path, evaluate: Evaluate) -> None:
    with RagServer(lambda got: Sent(body={"answer": str(got.json)})) as server:
        text = f"system: http\nurl: {server.url}\nbody:\n  ask: '{{question}}'\nname: filed\n"
        (run.parent / "eval.yaml").write_text(text)
        assert evaluate("--config", "eval.yaml").code == 0
        assert {"ask": "How many hours may I borrow?"} in [got.json for got in server.requests]
    assert (run / "evaluations" / "filed" / "report.md").exists()
