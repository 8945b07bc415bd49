"""`uaeval sweep`: cells share hits and replies, resume after a stop, and end in a table."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.openai_server import Body, OpenAIServer

from uaeval.evaluation.manifest import read_manifest
from uaeval.llm.roles import Role
from uaeval.records import Response
from uaeval.run.progress import ProgressListener
from uaeval.run_folder import RunFolder
from uaeval.storage import read_journal
from uaeval.sweep.estimate import estimate_sweep
from uaeval.sweep.grid import read_grid

JUDGED = json.dumps({"rationale": "r", "label": "yes"})


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_finished_run(tmp_path / "run")
    return tmp_path / "run"


def grid(run: Path, text: str, settings: str = "") -> Path:
    path = run.parent / "first.yaml"
    path.write_text(f"dataset: {run}\n{settings}\ngrid:\n{text}")
    return path


def _kind(body: Body) -> str:
    system = body["messages"][0]["content"]
    kinds = {
        "wordings": "multi_query",
        "Imagine": "hyde",
        "Put the passages": "rerank",
        "You are an assistant": "answer",
    }
    return next((kind for sign, kind in kinds.items() if sign in system), "judge")


def _model(body: Body) -> str:
    match _kind(body):
        case "multi_query":
            return json.dumps({"queries": ["reading room hours"]})
        case "rerank":
            return json.dumps({"order": [2]})
        case "answer":
            says = "I do not have this information."
            checked = "rationale" in json.dumps(body["response_format"])
            return json.dumps(
                {"rationale": "none", "answer": says} if checked else {"answer": says}
            )
        case _:
            verdict = "clarified" in json.dumps(body["response_format"])
            return json.dumps({"rationale": "r", "label": "refused"}) if verdict else JUDGED


def _counts(server: OpenAIServer) -> dict[str, int]:
    kinds = [_kind(body) for body in server.requests]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


def test_offline_every_cell_is_an_evaluation_and_the_table_has_them_all(
    run: Path, uaeval: Uaeval
) -> None:
    text = "  retriever: [vector, bm25, fused]\n  rewriting: [none, multi_query]\n"
    text += "  reranker: [none, model]\n  answer_prompt: [default, evidence_first]\n  k: [2]\n"
    done = uaeval("sweep", grid(run, text))
    assert done.code == 0, done.err
    assert "cell 24 of 24: fused, multi_query, model, 2, evidence_first" in done.err
    table = (run / "sweeps" / "first" / "table.md").read_text(encoding="utf-8")
    assert table.count("\n| ") == 2 * (2 + 24), "by joint score, and by category"
    cells = list((run / "evaluations").iterdir())
    assert len(cells) == 24
    responses = read_journal(cells[0] / "responses.jsonl", Response)
    assert {one.latency_s for one in responses} == {None}, "what is shared was not timed"
    shown = uaeval("show", run)
    assert "The table of the sweep first is" in shown.out
    assert "evaluation first." not in shown.out
    compared = uaeval("compare", cells[0], cells[1])
    assert compared.code == 0, compared.err

    before = {path: path.stat().st_mtime_ns for path in (run / "evaluations").rglob("*")}
    again = uaeval("sweep", grid(run, text))
    assert again.code == 0
    assert "cell 1 of" not in again.err
    assert before == {path: path.stat().st_mtime_ns for path in (run / "evaluations").rglob("*")}
    assert (run / "sweeps" / "first" / "table.md").read_text(encoding="utf-8") == table


def test_the_cells_answer_from_the_index_that_the_settings_name(run: Path, uaeval: Uaeval) -> None:
    own = run.parent / "own"
    own.mkdir()
    (own / "queries.jsonl").write_bytes((run / "queries.jsonl").read_bytes())
    path = grid(own, "  retriever: [bm25, vector]\n", f"index: {run}\njudge: offline")
    estimated = uaeval("estimate", path, "--sweep")
    assert estimated.code == 0, estimated.err
    done = uaeval("sweep", path)
    assert done.code == 0, done.err
    for cell in ("first.bm25", "first.vector"):
        responses = read_journal(own / "evaluations" / cell / "responses.jsonl", Response)
        assert all(one.retrieved_contexts for one in responses)


def test_cells_share_what_models_answered(run: Path, uaeval: Uaeval) -> None:
    text = "  retriever: [bm25, vector]\n  rewriting: [multi_query]\n  reranker: [none, model]\n"
    text += "  answer_prompt: [default, by_case]\n  k: [1]\n"
    with OpenAIServer(_model) as server:
        settings = f"model: openai:m\nbase_url: {server.url}\njudge: openai:j"
        path = grid(run, text, settings)
        done = uaeval("sweep", path)
        assert done.code == 0, done.err
        counts = _counts(server)
        assert counts["multi_query"] == 6, "once for each query, not for each cell"
        assert counts["rerank"] <= 12, "once for each list of passages, whatever the prompt"
        assert counts["judge"] == 12, "the same response to the same query is judged once"
        asked = len(server.requests)
        assert uaeval("sweep", path).code == 0
        assert len(server.requests) == asked
    told = json.loads((run / "sweeps" / "first" / "sweep.json").read_text(encoding="utf-8"))
    assert sum(one["calls"] for one in told["usage"]) == asked
    cell = read_manifest(
        run / "evaluations" / "first.bm25_multi_query_none_1_default" / "manifest.json"
    )
    assert cell
    assert (cell.sweep, cell.usage) == ("first", [])


def test_an_estimate_counts_shared_calls_once_and_the_cells_that_are_left(
    run: Path, uaeval: Uaeval
) -> None:
    text = "  retriever: [bm25, vector]\n  answer_prompt: [default, evidence_first]\n  k: [1]\n"
    with OpenAIServer(_model) as server:
        settings = f"model: openai:m\nbase_url: {server.url}\njudge: openai:j"
        path = grid(run, text, settings)
        estimated = uaeval("estimate", path, "--sweep")
        assert estimated.code == 0, estimated.err
        assert "(4 cells in all)" in estimated.out
        forecast = asyncio.run(estimate_sweep(read_grid(path), ProgressListener()))
        calls = {role: sum(x.calls for x in forecast if x.role is role) for role in Role}
        assert server.requests == []
        assert not (run / "sweeps").exists()
        assert uaeval("sweep", path).code == 0
        counts = _counts(server)
    assert calls[Role.SYSTEM] == counts["answer"]
    assert calls[Role.JUDGE] == 4 * counts["judge"], "one for each cell"
    assert "calls no model any more: its" in uaeval("estimate", path, "--sweep").out


def test_an_interrupted_sweep_resumes_and_asks_nothing_twice(run: Path, uaeval: Uaeval) -> None:
    text = "  retriever: [bm25, vector]\n  answer_prompt: [default, evidence_first]\n  k: [1]\n"
    with OpenAIServer(_model) as server:
        settings = f"model: openai:m\nbase_url: {server.url}\njudge: openai:j"
        path = grid(run, text, settings)
        stopped = uaeval("sweep", path, "--max-calls", "20", "--concurrency", "2")
        assert stopped.code == 4
        assert len(server.requests) == 20
        assert not (run / "sweeps" / "first" / "table.md").exists()
        assert uaeval("sweep", path).code == 0
        bodies = [json.dumps(body["messages"]) for body in server.requests]
        assert len(bodies) == len(set(bodies))
    assert (run / "sweeps" / "first" / "table.md").exists()


def test_a_model_that_fails_everywhere_gets_null_and_the_others_their_score(
    run: Path, uaeval: Uaeval
) -> None:
    def answer(body: Body) -> str:
        return "{" if body["model"] == "bad" else _model(body)

    with OpenAIServer(answer) as server:
        settings = f"base_url: {server.url}\njudge: openai:j"
        done = uaeval("sweep", grid(run, "  model: [openai:good, openai:bad]\n", settings))
    assert done.code == 6
    assert "6 calls failed" in done.out
    told = json.loads((run / "sweeps" / "first" / "sweep.json").read_text(encoding="utf-8"))
    assert [one["joint_score"] is None for one in told["cells"]] == [False, True]


def test_one_failed_call_changes_the_exit_code(run: Path, uaeval: Uaeval) -> None:
    failed = list[str]()

    def answer(body: Body) -> str:
        text = json.dumps(body["messages"][:2])
        failed[:] = failed or [text]
        return "{" if text in failed else _model(body)

    with OpenAIServer(answer) as server:
        settings = f"base_url: {server.url}\nmodel: openai:good\njudge: offline"
        done = uaeval("sweep", grid(run, "  k: [1]\n", settings))
    assert done.code == 6
    assert "1 calls failed; run the same command to repeat them" in done.out


def test_a_cell_of_another_grid_under_the_same_name_is_refused(run: Path, uaeval: Uaeval) -> None:
    assert uaeval("sweep", grid(run, "  k: [1]\n")).code == 0
    refused = uaeval("sweep", grid(run, "  k: [1]\n", "policy: strict"))
    assert refused.code == 2
    assert "policy was 'lenient', is 'strict'" in refused.err
    assert uaeval("sweep", grid(run, "  k: [1, 2]\n")).code == 0, "a grid may grow"


@pytest.mark.parametrize(
    ("text", "told"),
    [("  k: [0]\n", "k: input should be"), ("  rewriting: [hyde]\n", "cannot write passages")],
)
def test_a_grid_that_cannot_be_run_is_refused_before_any_call(
    run: Path, uaeval: Uaeval, text: str, told: str
) -> None:
    done = uaeval("sweep", grid(run, text))
    assert done.code == 2
    assert told in done.err
    assert not (run / "sweeps").exists()
    assert uaeval("sweep", run / "none.yaml").code == 2


@pytest.mark.parametrize(
    ("model", "told"),
    [("nowhere:m", "unknown provider 'nowhere'"), ("openai:m", "openai models need a key")],
)
def test_an_unavailable_model_of_a_later_cell_is_reported_before_any_call(
    run: Path, uaeval: Uaeval, model: str, told: str
) -> None:
    done = uaeval("sweep", grid(run, f"  model: [offline, '{model}']\n", "judge: offline"))
    assert done.code == 2
    assert told in done.err
    assert not (run / "sweeps").exists()


def test_a_finished_cell_that_lost_records_is_evaluated_again(run: Path, uaeval: Uaeval) -> None:
    path = grid(run, "  k: [1, 3]\n")
    assert uaeval("sweep", path).code == 0
    journals = sorted((run / "evaluations").glob("*/judgements.jsonl"))
    before = [journal.read_bytes() for journal in journals]
    journals[0].write_bytes(b"")
    journals[1].unlink()
    assert uaeval("sweep", path).code == 0
    assert [journal.read_bytes() for journal in journals] == before


def test_a_finished_cell_whose_recorded_responses_have_changed_is_refused(
    run: Path, uaeval: Uaeval
) -> None:
    recorded = [run.parent / f"{name}.jsonl" for name in "ab"]
    for path in recorded:
        rows = [{"query_id": query.id, "text": "No."} for query in RunFolder(run).queries()]
        path.write_text("\n".join(map(json.dumps, rows)))
    systems = [f"responses:{path}" for path in recorded]
    path = grid(run, f"  system: {systems}\n")
    assert uaeval("sweep", path).code == 0
    assert uaeval("sweep", path).code == 0
    recorded[0].write_text(recorded[0].read_text().replace("No.", "Yes."))
    refused = uaeval("sweep", path)
    assert refused.code == 2
    assert "the recorded responses have changed" in refused.err


def test_what_the_offline_judge_cannot_decide_is_not_repeated(run: Path, uaeval: Uaeval) -> None:
    ids = [json.loads(line)["id"] for line in (run / "queries.jsonl").read_text().splitlines()]
    answers = run.parent / "answers.jsonl"
    rows = [json.dumps({"id": name, "response": "asdf qwer"}) for name in ids]
    answers.write_text("\n".join(rows) + "\n")
    settings = f"system: responses:{answers}\nmetrics: [final_score]"
    done = uaeval("sweep", grid(run, "  judge: [offline]\n", settings))
    assert done.code == 0, done.err
    assert "could not decide 6 times" in done.out
    assert "run the same command" not in done.out
