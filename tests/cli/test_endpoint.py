"""Whole runs against a chat endpoint that works, misbehaves, or cannot be reached."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.servers.openai_server import Answer, Body, OpenAIServer, unauthorized

from uaeval.run_folder import RunFolder

Synthesize: TypeAlias = Callable[..., Done]
DECLINED = json.dumps({"declined": "nothing here", "draft": None})
OPTIONS = ["--categories", "false_presupposition", "--size", "5", "--model", "openai:some-model"]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[:6]:
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def synthesize(uaeval: Uaeval, documents: Path) -> Callable[..., Done]:
    def run(folder: Path, server: OpenAIServer | None, *more: str) -> Done:
        place = ["--base-url", server.url] if server else []
        return uaeval("synthesize", documents, "-o", folder, *place, *OPTIONS, *more)

    return run


def _counts(folder: Path) -> tuple[int, int, int]:
    manifest = RunFolder(folder).manifest()
    assert manifest
    count = manifest.stages["generate"]["false_presupposition"]
    return count.kept, count.rejected, count.failed


def test_an_author_that_declines_everything_ends_the_run_short(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    with OpenAIServer(lambda _: DECLINED) as server:
        done = synthesize(tmp_path / "run", server)
        assert done.code == 1
        asked = len(server.requests)
        kept, rejected, failed = _counts(tmp_path / "run")
        assert (kept, failed) == (0, 0)
        assert rejected == asked
        done = synthesize(tmp_path / "run", server, "--strict")
        assert done.code == 1
        assert len(server.requests) == asked


def test_full_garbage_is_counted_as_failures_and_never_as_a_verdict(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    with OpenAIServer(lambda _: "I am a teapot, short and stout") as server:
        done = synthesize(tmp_path / "run", server)
    kept, rejected, failed = _counts(tmp_path / "run")
    assert done.code == 6
    assert (kept, rejected) == (0, 0)
    assert failed > 0


@pytest.mark.parametrize("key", ["sk-secret-0123456789abcdef"])
def test_a_wrong_key_stops_the_run_at_once_and_is_never_shown(
    tmp_path: Path, synthesize: Synthesize, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with OpenAIServer(lambda _: unauthorized(key)) as server:
        done = synthesize(tmp_path / "run", server)
        assert len(server.requests) < 20
    assert done.code == 4
    assert "run the same command to resume" in done.err
    assert key not in done.err
    for path in (tmp_path / "run").rglob("*"):
        assert path.is_dir() or key.encode() not in path.read_bytes()


def test_an_interrupted_run_asks_only_what_is_missing(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    answered: set[str] = set()
    repeated: list[str] = []

    def answer(body: Body) -> Answer:
        text = body["messages"][1]["content"]
        if len(answered) >= 6 and not repeated:
            return unauthorized("key")
        if text in answered:
            repeated.append(text)
        answered.add(text)
        return DECLINED

    with OpenAIServer(answer) as server:
        done = synthesize(tmp_path / "run", server, "--concurrency", "1")
        assert done.code == 4
        first = len(answered)
        assert first == 6
        before = set(answered)
        answered_again: list[str] = []

        def recovered(body: Body) -> Answer:
            answered_again.append(body["messages"][1]["content"])
            return DECLINED

        server._answer = recovered
        done = synthesize(tmp_path / "run", server)
    assert done.code == 1
    assert not before & set(answered_again)


def test_a_batch_run_proceeds_round_by_round(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval
) -> None:
    run, requests, answers = (
        tmp_path / name for name in ("run", "requests.jsonl", "answers.jsonl")
    )
    done = synthesize(run, None, "--mode", "batch")
    assert done.code == 5
    assert uaeval("batch", "export", run, requests).code == 0
    lines = [json.loads(line) for line in requests.read_text().splitlines()]
    assert {line["url"] for line in lines} == {"/v1/chat/completions"}

    def answer(custom_id: str, content: str) -> str:
        choice = {"index": 0, "finish_reason": "stop"}
        choice |= {"message": {"role": "assistant", "content": content}}
        body = {"choices": [choice]}
        response = {"status_code": 200, "request_id": "r", "body": body}
        return json.dumps({"custom_id": custom_id, "response": response, "error": None})

    ids = [line["custom_id"] for line in lines]
    answers.write_text("\n".join(answer(one, DECLINED) for one in reversed(ids[1:])))
    done = uaeval("batch", "import", run, answers)
    assert done.code == 5
    assert f"{len(ids) - 1} answers imported" in done.out
    assert uaeval("batch", "export", run, requests).code == 0
    assert [json.loads(line)["custom_id"] for line in requests.read_text().splitlines()] == ids[:1]

    other = tmp_path / "other"
    synthesize(other, None, "--mode", "batch")
    refused = uaeval("batch", "import", other, answers)
    assert refused.code == 2
    assert "run" in refused.err
