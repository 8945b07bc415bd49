"""A run resumes when the endpoint of its model has moved to another address."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.servers.by_length import counted_by_length
from tests.servers.openai_server import Body, OpenAIServer
from tests.servers.steady_author import answer_steadily

from uaeval.evaluation.manifest import read_manifest
from uaeval.run_folder import RunFolder

STEADY = counted_by_length(answer_steadily)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[:8]:
        shutil.copy(path, folder)
    return folder


def _judge(body: Body) -> str:
    label = "answered" if "clarified" in json.dumps(body["response_format"]) else "yes"
    return json.dumps({"rationale": "r", "label": label})


def _messages(*servers: OpenAIServer) -> list[str]:
    return [json.dumps(body["messages"]) for server in servers for body in server.requests]


def _synthesize(
    uaeval: Uaeval, documents: Path, run: Path, server: OpenAIServer, *more: str
) -> Done:
    options = ["--model", "openai:m", "--categories", "safety_concerned", "--size", "8"]
    place = ["--base-url", server.url, "--concurrency", "2"]
    return uaeval("synthesize", documents, "-o", run, *options, *place, *more)


def _same(names: Iterable[str], one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def _by_id(run: Path) -> dict[str, str]:
    lines = (run / "generate.jsonl").read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["id"]: line for line in lines if '"id"' in line}


def test_a_synthesis_and_an_evaluation_resume_at_another_address(
    tmp_path: Path, uaeval: Uaeval, documents: Path
) -> None:
    run = tmp_path / "run"
    with OpenAIServer(STEADY) as first, OpenAIServer(STEADY) as second:
        assert _synthesize(uaeval, documents, run, first, "--max-calls", "9").code == 4
        assert len(first.requests) == 9
        assert _synthesize(uaeval, documents, run, second).code == 0
        asked = _messages(first, second)
        assert len(asked) == len(set(asked)), "nothing is asked for again"
        assert len(first.requests) == 9
        manifest = RunFolder(run).existing_manifest()
        assert manifest.settings["base_url"] == second.url
        assert sum(part.calls for part in manifest.usage) == len(asked)

        assert _synthesize(uaeval, documents, run, first).code == 0
        assert len(first.requests) == 9, "a finished run asks nothing, wherever its model is"
        other = _synthesize(uaeval, documents, run, second, "--seed", "7")
        assert other.code == 2
        assert "seed was 0, is 7" in other.err
        assert "base_url" not in other.err

        assert _synthesize(uaeval, documents, tmp_path / "whole", second).code == 0
    assert _same(["queries.jsonl"], run, tmp_path / "whole")
    # How many spares are written depends on when replies come; what is written does not.
    drafts, others = _by_id(run), _by_id(tmp_path / "whole")
    shared = drafts.keys() & others.keys()
    assert len(shared) >= 8
    assert {id_: drafts[id_] for id_ in shared} == {id_: others[id_] for id_ in shared}

    judged = ["evaluate", run, "--judge", "openai:j", "--concurrency", "2"]
    with OpenAIServer(_judge) as first, OpenAIServer(_judge) as second:
        stopped = uaeval(*judged, "--judge-base-url", first.url, "--max-calls", "5")
        assert stopped.code == 4
        assert uaeval(*judged, "--judge-base-url", second.url).code == 0
        asked = _messages(first, second)
        assert len(first.requests) == 5
        assert len(asked) == len(set(asked))
    evaluation = read_manifest(run / "evaluations" / "rag" / "manifest.json")
    assert evaluation
    assert evaluation.settings["judge_base_url"] == second.url
    assert sum(part.calls for part in evaluation.usage) == len(asked)
