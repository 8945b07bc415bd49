"""A part of the built-in RAG whose model refuses or is blocked is named with every result."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.openai_server import Answer, Body, OpenAIServer, Said, filtered_request

from uaeval.evaluation.manifest import read_manifest
from uaeval.records import Failure, Response
from uaeval.storage import read_journal


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_finished_run(tmp_path / "run")
    return tmp_path / "run"


class Model:
    """Never rewrites: one request is blocked, one gets garbage, the others are refused."""

    def __init__(self, blocked: str, garbled: str) -> None:
        self._blocked = blocked
        self._garbled = garbled

    def __call__(self, body: Body) -> Answer:
        system, question = body["messages"][0]["content"], body["messages"][1]["content"]
        if "wordings" in system:
            if self._blocked in question:
                return filtered_request()
            if self._garbled in question:
                return "Wordings, you say?"
            return Said(content=None, refusal="I can't help with that.")
        if "Put the passages" in system:
            return Said(content=None, refusal="I can't help with that.")
        return json.dumps({"answer": "I do not have this information."})


def test_refused_blocked_and_failed_parts_are_distinguished_and_counted(
    run: Path, uaeval: Uaeval
) -> None:
    questions = [
        json.loads(line)["question"] for line in (run / "queries.jsonl").read_text().splitlines()
    ]
    rest = len(questions) - 2
    assert rest > 0
    parts = "--rewriting multi_query --reranker model --judge offline --retries 0".split()
    with OpenAIServer(Model(questions[0], questions[1])) as server:
        url = ("--model", "openai:m", "--base-url", server.url)
        done = uaeval("evaluate", run, "--name", "parts", *url, *parts)
        text = f"dataset: {run}\nmodel: openai:m\nbase_url: {server.url}\njudge: offline\n"
        text += "max_retries: 0\nrewriting: multi_query\ngrid:\n  reranker: [none, model]\n"
        grid = run.parent / "parts.yaml"
        grid.write_text(text)
        swept = uaeval("sweep", grid)
    told = f"reranker refused: {rest} responses, rewriting blocked: 1 responses, "
    told += f"rewriting refused: {rest} responses"
    assert f"Parts of the RAG that did nothing: {told}" in done.err + done.out
    folder = run / "evaluations" / "parts"
    assert told in (folder / "report.md").read_text(encoding="utf-8")
    responses = read_journal(folder / "responses.jsonl", Response)
    both = ("rewriting refused", "reranker refused")
    blocked = ("rewriting blocked",)
    assert [one.stopped_parts for one in responses] == [blocked, *[both] * rest]
    failed = read_journal(folder / "respond.failed.jsonl", Failure)
    assert [one.kind for one in failed] == ["TargetError"], "garbage is an error, no fallback"
    manifest = read_manifest(folder / "manifest.json")
    assert manifest
    assert manifest.stopped_parts["reranker refused"] == rest
    table = (run / "sweeps" / "parts" / "table.md").read_text(encoding="utf-8")
    assert f"({told})" in table
    assert "Cells with parts of the RAG that did nothing" in swept.out
