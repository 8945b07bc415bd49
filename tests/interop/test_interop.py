"""Each export, loaded by the evaluator's own loader in an environment of its own."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.formats.runs import dataset, make_run, nasty
from tests.interop.environments import promptfoo, python_of
from tests.servers.openai_server import Body, OpenAIServer

from uaeval.formats.format import export, formats
from uaeval.formats.query_fields import expected_behaviour, kind, rubric
from uaeval.records import Query
from uaeval.run_folder import RunFolder

pytestmark = pytest.mark.interop

LOADERS = Path(__file__).parent / "loaders"
EXPORTS = {
    "ragas": ("ragas", "out/ragas.jsonl"),
    "deepeval": ("deepeval", "out/deepeval.json"),
    "inspect": ("inspect", "out/inspect.jsonl"),
    "giskard": ("giskard", "out.jsonl"),
    "lm_eval": ("lm-eval", "out"),
    "beir": ("beir", "out"),
    "croissant": ("hf", "out"),
}
"""By environment and loader: the format, and what of the export is loaded."""
OPENED_AS_JSON = ("{", "[")


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return make_run(tmp_path / "run", nasty())


def told(query: Query) -> dict[str, Any]:
    return {
        "id": query.id,
        "question": query.question,
        "category": kind(query),
        "reason": query.reason,
        "reference": query.reference_answer,
        "expected_behaviour": expected_behaviour(query),
        "rubric": rubric(query),
    }


def by_id(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {row["id"]: row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("evaluator", EXPORTS)
def test_the_evaluators_own_loader_reads_every_query(
    evaluator: str, run: RunFolder, tmp_path: Path
) -> None:
    name, place = EXPORTS[evaluator]
    export(dataset(run), formats()[name], tmp_path / place.partition("/")[0])
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    quiet = {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "GSK_DISABLE_ANALYTICS": "1"}
    done = subprocess.run(
        [python_of(evaluator), "-P", LOADERS / f"{evaluator}.py", tmp_path / place],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, **offline, **quiet, "PYTHONPATH": ""},
    )
    assert done.returncode == 0, done.stderr
    found = by_id(json.loads(done.stdout.strip().rpartition("\n")[2]))
    assert found == {query.id: told(query) for query in nasty()}


def test_promptfoo_validates_and_asks_every_question_as_it_is(
    run: RunFolder, tmp_path: Path
) -> None:
    place = tmp_path / "promptfoo"
    export(dataset(run), formats()["promptfoo"], place)
    with OpenAIServer(_answer) as server:
        _promptfoo(place, server.url, "validate", "-c", "promptfooconfig.yaml")
        _promptfoo(
            place,
            server.url,
            *("eval", "-c", "promptfooconfig.yaml", "--no-cache", "--no-table", "-o", "out.json"),
            *("--providers", "openai:chat:system", "--grader", "openai:chat:grader"),
        )
        asked = [_said(body) for body in server.requests if body["model"] == "system"]
        graded = [_said(body) for body in server.requests if body["model"] == "grader"]
    queries = nasty()
    assert sorted(asked) == sorted(query.question for query in queries)
    results = json.loads((place / "out.json").read_text(encoding="utf-8"))["results"]["results"]
    found = {row["testCase"]["metadata"]["id"]: row for row in results}
    assert found.keys() == {query.id for query in queries}
    for query in queries:
        known = found[query.id]["testCase"]["metadata"]
        assert found[query.id].get("error") is None
        assert (known["category"] or "answerable") == kind(query)
        assert known.get("reason") == query.reason
        assert known["rubric"] == rubric(query)
        assert known["expected_behaviour"] == expected_behaviour(query)
        assert any(_holds(said, rubric(query)) for said in graded), query.id


def _said(body: Body) -> str:
    return str(body["messages"][-1]["content"])


def _holds(said: str, text: str) -> bool:
    """Return whether a grader was shown `text`, as it is or inside of JSON."""
    return text in said or json.dumps(text, ensure_ascii=False)[1:-1] in said


def _answer(body: Body) -> str:
    if body["model"] == "system":
        return "I do not have that information."
    return json.dumps({"reason": "it declines", "pass": True, "score": 1.0})


def _promptfoo(folder: Path, url: str, *arguments: str) -> None:
    done = subprocess.run(
        [*promptfoo(), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": url,
            "PROMPTFOO_CONFIG_DIR": str(folder / "state"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
            "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
        },
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
