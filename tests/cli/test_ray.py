"""Runs on a local Ray give the same bytes, also if a worker or the endpoint is lost."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from inspect import signature
from pathlib import Path

import psutil
import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.batch_api import BatchServer
from tests.servers.chat_server import ChatServer, Plan
from tests.servers.offline_answers import offline_answer
from tests.servers.permit_office import write_documents

from uaeval.run.ray_calls import vllm_answer, vllm_config, vllm_request

RAY = ["--engine", "ray", "--concurrency", "8"]
OFFICE = [
    "--size", "40",
    "--categories", "underspecified,false_presupposition,nonsensical",
    "--model", "openai:some-model",
]  # fmt: skip
VLLM_FIELDS = (
    *("generated_text: str", "num_input_tokens: int", "num_generated_tokens: int"),
    *('"structured_outputs" in sampling_params', '"__inference_error__"'),
)
GRID = "dataset: {}\nmodel: openai:m\njudge: openai:m\nbase_url: {}\ngrid:\n  k: [2, 3]\n"

pytestmark = pytest.mark.slow


def _command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "uaeval", *map(str, arguments)]


def _run(*arguments: object) -> tuple[int, str]:
    """Run a command in a process of its own, as Ray leaves threads behind; return code and log."""
    ended = subprocess.run(_command(*arguments), capture_output=True, text=True)
    return ended.returncode, ended.stderr


def _disturbed(
    server: ChatServer, calls: int, disturb: Callable[[psutil.Process], object], *arguments: object
) -> tuple[int, str]:
    """Run a command, and disturb its process after so many calls."""
    with subprocess.Popen(_command(*arguments), stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and server.counts().calls < calls:
            time.sleep(0.01)
        assert process.poll() is None, "it ended before it was disturbed"
        disturb(psutil.Process(process.pid))
        _, log = process.communicate()
    return process.returncode, log


def _interrupt(coordinator: psutil.Process) -> None:
    coordinator.send_signal(signal.SIGINT)


def _kill_worker(coordinator: psutil.Process) -> None:
    """Kill a worker that answers requests; the other may not have started yet, or have ended."""
    processes = coordinator.children(recursive=True)
    workers = [each for each in processes if any("MapWorker" in part for part in each.cmdline())]
    assert workers
    workers[0].kill()


def test_live_batches_and_ray_give_the_same_bytes(tmp_path: Path, uaeval: Uaeval) -> None:
    live, batch, ray = (tmp_path / name for name in ("live", "batch", "ray"))
    with BatchServer(offline_answer) as server:
        model = ["--model", "openai:m", "--base-url", server.url]
        given = ["synthesize", DOCUMENTS, *model, "--size", "6"]
        given += ["--categories", "false_presupposition,nonsensical"]
        assert uaeval(*given, "-o", live).code == 0
        assert uaeval(*given, "-o", batch, "--mode", "batch").code == 5
        assert uaeval("batch", "fetch", batch, "--every", "0.001", "--all-rounds").code == 0
        assert _run(*given, "-o", ray, *RAY)[0] == 0
        for run, engine in ((live, []), (ray, RAY)):
            assert _run("evaluate", run, *model, *engine)[0] == 0
            grid = tmp_path / "grid.yaml"
            grid.write_text(GRID.format(run, server.url), encoding="utf-8")
            assert _run("sweep", grid, *engine)[0] == 0
            judge = ["--judges", "openai:j,offline", "--judge-base-url", server.url]
            answering = ["--models", "openai:m,openai:n", "--base-url", server.url]
            assert _run("grade", run, *answering, *judge, *engine)[0] == 0
    queries = (live / "queries.jsonl").read_bytes()
    assert queries.count(b"\n") >= 12
    assert (batch / "queries.jsonl").read_bytes() == (ray / "queries.jsonl").read_bytes() == queries
    names = ["chunks.jsonl", "chunks.set_aside.jsonl", "evaluations/rag/scores.json"]
    names += [f"evaluations/grid.{k}/scores.json" for k in (2, 3)]
    tables = ["per_sample_review.csv", "best_by_question.csv", "summary_by_model_condition.csv"]
    names += [f"gradings/graded/{name}" for name in (*tables, "agreement.json")]
    names += [str(path.relative_to(live)) for path in (live / "index").rglob("*.npy")]
    for name in names:
        assert (ray / name).read_bytes() == (live / name).read_bytes(), name


def test_the_cells_of_sweeps_and_gradings_are_answered_in_the_same_rounds(tmp_path: Path) -> None:
    write_finished_run(tmp_path)
    with BatchServer(offline_answer) as server:
        grid = tmp_path / "grid.yaml"
        grid.write_text(GRID.format(tmp_path, server.url), encoding="utf-8")
        code, log = _run("sweep", grid, *RAY)
        assert code == 0, log
        # Two cells of six questions: answers, then verdicts.
        assert re.findall(r"model calls on Ray \((\d+)\)", log) == ["12", "12"]
        models = ["--models", "openai:m,openai:n", "--base-url", server.url]
        code, log = _run("grade", tmp_path, *models, *RAY)
        assert code == 0, log
        # Two models; three questions without context, and with one that all conditions show.
        assert re.findall(r"model calls on Ray \((\d+)\)", log) == ["12"]


def test_an_interrupted_run_and_a_killed_worker_change_no_byte(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    write_documents(tmp_path / "documents", 60)
    with ChatServer("tests.servers.permit_office:answer") as server:
        given = ["synthesize", tmp_path / "documents", "--base-url", server.url, *OFFICE]
        server.follow(Plan())
        assert uaeval(*given, "-o", tmp_path / "live").code == 0
        server.follow(Plan(latency_s=0.2))
        broken = [*given, "-o", tmp_path / "ray", *RAY]
        code, log = _disturbed(server, 20, _interrupt, *broken)
        assert (code, "run the same command to resume" in log) == (130, True)
        server.follow(Plan(latency_s=0.2))
        code, log = _disturbed(server, 20, _kill_worker, *broken)
        assert code == 0, log
        assert server.counts().peak <= 8
        server.follow(Plan())
        assert _run(*broken)[0] == 0
        assert server.counts().calls == 0
    files = [(tmp_path / run / "queries.jsonl").read_bytes() for run in ("live", "ray")]
    assert files[0] == files[1]


def test_an_outage_ends_in_an_error_and_the_same_command_resumes(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    write_documents(tmp_path / "documents", 60)
    answer = "tests.servers.permit_office:answer"
    given = ["synthesize", tmp_path / "documents", *OFFICE]
    with ChatServer(answer) as server:
        place = [*given, "-o", tmp_path / "ray", *RAY, "--base-url", server.url]
        server.follow(Plan(latency_s=0.1))

        def stop(_: psutil.Process) -> None:
            os.kill(server._process.pid, signal.SIGKILL)

        code, log = _disturbed(server, 30, stop, *place)
    assert code == 4, log
    assert "no connection for" in log
    assert "run the same command to resume" in log
    with ChatServer(answer) as server:
        server.follow(Plan())
        code, log = _run(*given, "-o", tmp_path / "ray", *RAY, "--base-url", server.url)
        assert code == 0, log
        made = server.counts().calls
        server.follow(Plan())
        assert uaeval(*given, "-o", tmp_path / "live", "--base-url", server.url).code == 0
        assert made < server.counts().calls
    files = [(tmp_path / run / "queries.jsonl").read_bytes() for run in ("live", "ray")]
    assert files[0] == files[1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # raised while Ray is imported
def test_vllm_is_configured_with_arguments_that_ray_knows() -> None:
    """The engine itself cannot run here: it needs a GPU, and packages of `ray[llm]`."""
    from ray.data.llm import build_processor

    config = vllm_config("some/weights")
    assert (config.model_source, config.should_continue_on_error) == ("some/weights", True)
    signature(build_processor).bind(config, preprocess=vllm_request)
    stage = find_spec("ray.llm._internal.batch.stages.vllm_engine_stage")  # imports what is missing
    assert stage and stage.origin
    source = Path(stage.origin).read_text(encoding="utf-8")
    assert all(name in source for name in VLLM_FIELDS)


def test_requests_and_answers_of_vllm_are_those_of_any_model() -> None:
    form = {"json_schema": {"schema": {"type": "object"}}}
    body = {"messages": [{"role": "user", "content": "?"}], "temperature": 0.0}
    line = {"custom_id": "a-b-1", "body": body | {"response_format": form}}
    row = vllm_request({"request": json.dumps(line)})
    assert row["messages"] == body["messages"]
    assert row["sampling_params"]["structured_outputs"] == {"json": '{"type": "object"}'}
    said = {"num_input_tokens": 5, "num_generated_tokens": 4096, "generated_text": "{"}
    answer = json.loads(vllm_answer({"custom_id": "a-b-1"} | said)["answer"])
    assert answer["response"]["body"]["choices"][0]["finish_reason"] == "length"
    assert answer["charged"]["completion_tokens"] == 4096
    failed = {"custom_id": "a-b-1", "__inference_error__": "out of memory"}
    answer = json.loads(vllm_answer(failed)["answer"])
    assert answer["error"]["message"] == "out of memory"
    assert "response" not in answer
