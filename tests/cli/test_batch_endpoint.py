"""A run driven through a Batch API, from the command line, over real HTTP."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.batch_api import BatchServer, Ending
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import broken_down, error, malformed

from uaeval.run_folder import RunFolder

MODEL = ["--model", "openai:rules"]
NEWS = DOCUMENTS.with_name("sample_news")
KEY = "sk-secret-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with BatchServer(offline_answer) as server:
        yield server


@pytest.fixture
def started(tmp_path: Path, uaeval: Uaeval, server: BatchServer) -> Path:
    """A run that waits for the answers to its first round."""
    documents, run = tmp_path / "documents", tmp_path / "run"
    documents.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[:6]:
        shutil.copy(path, documents)
    options = ["--categories", "false_presupposition", "--size", "2", "--mode", "batch", *MODEL]
    done = uaeval("synthesize", documents, "-o", run, "--base-url", server.url, *options)
    assert done.code == 5
    assert f"uaeval batch fetch {run} --all-rounds" in done.out
    return run


def _fetch(uaeval: Uaeval, run: Path, *options: str) -> Done:
    return uaeval("batch", "fetch", run, "--every", "0.001", *options)


def test_a_round_is_sent_once_and_imported_step_by_step(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    done = uaeval("batch", "status", started)
    assert (done.code, "requests are not in a batch yet; send them" in done.out) == (5, True)
    for _ in range(2):
        assert uaeval("batch", "submit", started).code == 0
    assert len(server.jobs) == 1
    done = uaeval("batch", "fetch", started)
    assert (done.code, "have not ended yet; --wait waits for them" in done.out) == (5, True)
    done = uaeval("batch", "status", started)
    assert done.code == 5
    assert "batch batch-1 (openai:rules): completed" in done.out
    assert f"fetch their answers: uaeval batch fetch {started}" in done.out
    done = uaeval("batch", "fetch", started)
    assert done.code == 5
    assert f"{len(server.answered)} answers imported" in done.out
    done = _fetch(uaeval, started, "--all-rounds")
    assert done.code == 0, done.err
    assert len(server.answered) == len(set(server.answered))
    assert uaeval("batch", "status", started).code == 0
    assert "has no pending requests" in uaeval("batch", "submit", started).out
    manifest = RunFolder(started).manifest()
    assert manifest
    assert {one.role for one in manifest.usage} == {"generator", "verifier"}
    assert sum(one.calls for one in manifest.usage) == len(server.answered)


def test_a_run_without_batches_needs_no_key(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    run = tmp_path / "run"
    options = ["--categories", "safety_concerned", "--size", "1"]
    assert uaeval("synthesize", DOCUMENTS, "-o", run, *options).code == 0
    for command in ("submit", "status", "fetch", "cancel"):
        done = uaeval("batch", command, run)
        assert done.code == 0, done.err
        assert "OPENAI_API_KEY" not in done.err


def test_a_wrong_key_stops_at_once_and_is_never_shown(
    uaeval: Uaeval, server: BatchServer, started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.key = "another"
    done = uaeval("batch", "submit", started)
    assert done.code == 4
    assert "the key is not accepted" in done.err
    server.key = KEY
    assert uaeval("batch", "submit", started).code == 0
    server.key = "another"
    assert uaeval("batch", "status", started).code == 4
    server.key = KEY
    done = _fetch(uaeval, started, "--wait", "--no-go-on")
    assert (done.code, "answers imported" in done.out) == (0, True)
    assert KEY not in done.err + done.out
    for path in started.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()


def test_an_endpoint_without_a_batch_api_points_to_files(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    server.faults["POST /files"].append(error(404, "Not Found"))
    done = uaeval("batch", "submit", started)
    assert done.code == 2
    assert "has no Batch API (it answers HTTP 404)" in done.err
    assert "`uaeval batch export`" in done.err
    assert "`vllm run-batch`" in done.err


def test_a_batch_that_fails_validation_says_the_line_and_stops_the_rounds(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    found = {"code": "invalid_json_line", "line": 2, "message": "This line is no JSON."}
    server.endings.extend([Ending(status="failed", errors=(found,))] * 2)
    done = _fetch(uaeval, started, "--all-rounds")
    assert done.code == 4
    assert "ended without an answer: line 2: This line is no JSON." in done.err
    done = uaeval("batch", "status", started)
    assert "failed, 0 answered, 0 failed of" in done.out
    assert "line 2: This line is no JSON." in done.out
    assert "requests are not in a batch yet; send them" in done.out
    uaeval("batch", "submit", started)
    assert len(server.jobs) == 2


def test_rounds_go_on_over_an_expired_batch_errors_and_outages(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    server.endings.append(Ending(status="expired", answered=1))
    server.faults["GET /batches/:id"].extend([broken_down()] * 4)
    server.faults["POST /files"].extend([broken_down()] * 3)
    done = _fetch(uaeval, started, "--all-rounds")
    assert done.code == 0, done.err
    assert "its 24 hours ended before all requests were answered" in done.out
    assert "trying again" in done.err
    assert len(server.answered) == len(set(server.answered))


def test_damaged_answers_are_fetched_again_and_not_paid_for_twice(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    server.faults["GET /files/:id/content"].append(malformed())
    done = _fetch(uaeval, started, "--all-rounds")
    assert done.code == 4
    assert "answers.jsonl, line 1 is damaged: fetch the answers again" in done.err
    assert _fetch(uaeval, started, "--all-rounds").code == 0
    assert len(server.answered) == len(set(server.answered))


def test_ctrl_c_while_waiting_loses_nothing(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    server.interrupt_at = 3
    done = _fetch(uaeval, started, "--all-rounds")
    assert done.code == 130
    assert "run the same command to resume" in done.err
    assert _fetch(uaeval, started, "--all-rounds").code == 0
    assert len(server.answered) == len(set(server.answered))


def test_a_cancelled_batch_gives_its_answers_and_frees_the_other_requests(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    server.endings.append(Ending(answered=1))
    uaeval("batch", "submit", started)
    assert "cancelling" in uaeval("batch", "cancel", started).out
    done = _fetch(uaeval, started, "--wait", "--no-go-on")
    assert done.code == 5
    assert "cancelled, 1 answered" in done.out
    assert "1 answers imported" in done.out
    uaeval("batch", "submit", started)
    assert "1 batches dropped" in uaeval("batch", "cancel", started, "--forget").out
    assert "are not in a batch yet" in uaeval("batch", "status", started).out


def test_several_files_of_answers_are_imported_at_once(
    uaeval: Uaeval, server: BatchServer, started: Path, tmp_path: Path
) -> None:
    requests = tmp_path / "requests.jsonl"
    assert uaeval("batch", "export", started, requests).code == 0
    lines = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    answers = [server._line(line) for line in lines]
    for name, part in (("1", answers[:1]), ("2", answers[1:])):
        text = "".join(json.dumps(line) + "\n" for line in part)
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / "2", tmp_path / "1", tmp_path / "2"]
    done = uaeval("batch", "import", started, *files, "--no-go-on")
    assert done.code == 0
    assert f"{len(lines)} answers imported, {len(lines) - 1} were imported before" in done.out


def test_a_file_without_an_answer_and_an_unfinished_run_say_what_is_expected(
    uaeval: Uaeval, started: Path, tmp_path: Path
) -> None:
    (tmp_path / "answers.jsonl").write_text('{"id": 1, "answer": "yes"}\n', encoding="utf-8")
    done = uaeval("batch", "import", started, tmp_path / "answers.jsonl", "--no-go-on")
    assert "OpenAI Batch output JSONL, with `custom_id` and `response.body`" in done.out
    assert f"`uaeval batch finish {started}`" in uaeval("evaluate", started).err


def _answer(uaeval: Uaeval, server: BatchServer, run: Path, share: float = 1.0) -> Done:
    """Export a round, import a share of its answers, and return the result of the import."""
    requests, answers = run.with_name("requests.jsonl"), run.with_name("answers.jsonl")
    uaeval("batch", "export", run, requests)
    lines = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    given = lines[: max(1, int(len(lines) * share))]
    text = "".join(json.dumps(server._line(line)) + "\n" for line in given)
    answers.write_text(text, encoding="utf-8")
    return uaeval("batch", "import", run, answers)


def test_an_import_opens_the_index_and_reads_no_document_again(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    files = ("chunks.jsonl", "chunks.set_aside.jsonl", "documents.skipped.jsonl")
    before = {name: (started / name).stat().st_mtime_ns for name in files}
    done = _answer(uaeval, server, started, share=0.1)
    assert done.code == 5
    assert "opening the index of" in done.err
    assert "reading" not in done.err
    assert {name: (started / name).stat().st_mtime_ns for name in files} == before


def test_passages_that_were_changed_are_read_from_the_documents_again(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    chunks = started / "chunks.jsonl"
    written = chunks.read_bytes()
    chunks.write_bytes(b"".join(written.splitlines(keepends=True)[:-1]))
    done = _answer(uaeval, server, started, share=0.1)
    assert f"reading {started.with_name('documents')}" in done.err
    assert chunks.read_bytes() == written


def test_finish_ends_a_run_with_what_is_proven(
    uaeval: Uaeval, server: BatchServer, started: Path
) -> None:
    documents = started.with_name("documents")
    options = ["--categories", "false_presupposition", "--size", "2", "--mode", "batch", *MODEL]
    again = ["synthesize", documents, "-o", started, "--base-url", server.url, *options]
    while _answer(uaeval, server, started, share=0.5).code == 5:
        built = RunFolder(started).manifest()
        assert built
        if built.selected["false_presupposition"] == 1:
            break
    else:
        pytest.fail("the run was complete before it had one query of two")
    done = uaeval("batch", "finish", started)
    assert (done.code, done.err.count("error")) == (0, 0)
    assert "false_presupposition: 1 fewer than asked" in done.out
    queries = (started / "queries.jsonl").read_bytes()
    assert queries.count(b"\n") == 2
    manifest = RunFolder(started).finished()
    assert (manifest.status, manifest.ended_early) == ("complete", True)
    counts = [count for stage in manifest.stages.values() for count in stage.values()]
    assert not any(count.waiting for count in counts)
    assert "has no pending requests" in uaeval("batch", "submit", started).out
    assert uaeval("batch", "finish", started, "--strict").code == 1
    refused = uaeval("batch", "retry", started)
    assert (refused.code, "was ended by `uaeval batch finish`" in refused.err) == (2, True)
    assert uaeval(*again).code == 0
    (started / "queries.jsonl").unlink()
    assert uaeval(*again).code == 0
    assert (started / "queries.jsonl").read_bytes() == queries


def test_finish_ends_a_run_without_a_query_and_no_evaluation(
    uaeval: Uaeval, started: Path, tmp_path: Path
) -> None:
    assert uaeval("batch", "submit", started).code == 0
    done = uaeval("batch", "finish", started)
    assert done.code == 1
    assert f"are in batches; stop them with `uaeval batch cancel {started}`" in done.out
    assert (started / "queries.jsonl").read_bytes() == b""
    refused = uaeval("batch", "finish", tmp_path / "evaluations" / "rag")
    assert (refused.code, "is not a run" in refused.err) == (2, True)


@pytest.mark.parametrize(("bound", "code"), [("0.2", 0), ("0.9", 3)])
def test_the_gate_of_an_evaluation_is_checked_when_its_last_answers_are_in(
    tmp_path: Path, uaeval: Uaeval, server: BatchServer, bound: str, code: int
) -> None:
    run, junit, recorded = tmp_path / "run", tmp_path / "junit.xml", tmp_path / "recorded.jsonl"
    rows = [{"query_id": query.id, "text": "No idea."} for query in write_finished_run(run)]
    recorded.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    gate = ["--fail-under", f"joint={bound}", "--min-coverage", "0", "--junit", junit]
    system = ["--system", f"responses:{recorded}", "--judge", "openai:rules", "--name", "mine"]
    place = ["--judge-base-url", server.url, "--mode", "batch"]
    done = uaeval("evaluate", run, *system, *place, *gate)
    assert done.code == 5
    assert "The gate is checked when the last answers are imported." in done.out
    evaluation = run / "evaluations" / "mine"
    assert _answer(uaeval, server, evaluation, share=0.5).code == 5
    assert not junit.exists()
    done = _answer(uaeval, server, evaluation)
    assert done.code == code, done.err
    assert f"gate joint={bound}: {'failed' if code else 'passed'}" in done.out + done.err
    assert junit.exists()
    assert uaeval("batch", "fetch", evaluation).code == code, "asked again, the gate says the same"
    assert uaeval("evaluate", run, *system, *place, "--fail-under", "joint=0.1").code == 0
    assert uaeval("batch", "fetch", evaluation).code == 0, "the gate of the last command counts"


def _whole_job(
    uaeval: Uaeval, server: BatchServer, folder: Path, options: list[str], *, batch: bool
) -> Path:
    """Synthesize and evaluate; return the folder."""
    place = [*MODEL, "--base-url", server.url, *(["--mode", "batch"] if batch else [])]
    awaited = 5 if batch else 0
    assert uaeval("synthesize", DOCUMENTS, "-o", folder, *options, *place).code == awaited
    if batch:
        assert _fetch(uaeval, folder, "--all-rounds").code == 0
    assert uaeval("evaluate", folder, *place).code == awaited
    if batch:
        assert _fetch(uaeval, folder / "evaluations" / "rag", "--all-rounds").code == 0
    return folder


@pytest.mark.slow
def test_batches_and_live_calls_give_the_same_bytes(
    tmp_path: Path, uaeval: Uaeval, server: BatchServer
) -> None:
    options = ["--size", "12", "--news", str(NEWS)]
    live = _whole_job(uaeval, server, tmp_path / "live", options, batch=False)
    batch = _whole_job(uaeval, server, tmp_path / "batch", options, batch=True)
    queries = (live / "queries.jsonl").read_bytes()
    assert queries.count(b"\n") >= 20
    assert (batch / "queries.jsonl").read_bytes() == queries
    scores = Path("evaluations") / "rag" / "scores.json"
    assert (batch / scores).read_bytes() == (live / scores).read_bytes()
    assert len(server.answered) == len(set(server.answered))
