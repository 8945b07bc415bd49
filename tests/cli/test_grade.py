"""`uaeval grade` over HTTP and offline: conditions, retry, judges, tables, errors."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run
from tests.servers.offline_answers import offline_answer, read_back
from tests.servers.openai_server import Answer, Body, OpenAIServer, filtered_request

from uaeval.grading.files import write_tables
from uaeval.grading.sample import Cell, JudgeRecord, Sample
from uaeval.storage import read_journal
from uaeval.systems.conditions import RunRecord


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "data")
    return tmp_path / "data"


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def said(text: str) -> str:
    return json.dumps({"answer": text})


class Cluttered:
    """Answers offline, but first with a citation, and always wrongly about lockers."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def __call__(self, body: Body) -> Answer:
        name, fields = read_back(body)
        self.prompts.append(name)
        question = str(fields.get("question"))
        if not name.startswith("rag/"):
            return offline_answer(body)
        if "reading room" in question:
            return said("The reading room opens at nine.")
        answer = json.loads(offline_answer(body))["answer"]
        return said(answer if name.endswith("_again") else f"{answer} [1]")


def test_models_in_conditions_are_graded_and_written_down(run: Path, uaeval: Uaeval) -> None:
    model = Cluttered()
    with OpenAIServer(model) as server:
        command = ("grade", run, "--models", "openai:small", "--base-url", server.url)
        options = ("--judges", "offline,openai:judge", "--judge-base-url", server.url)
        done = uaeval(*command, *options, "--min-chunks", "1", "--min-characters", "10")
        assert done.code == 0, done.err
        asked = len(server.requests)
        again = uaeval(*command, *options, "--min-chunks", "1", "--min-characters", "10")
        assert (again.code, len(server.requests)) == (0, asked)
    folder = run / "gradings" / "graded"
    review = rows(folder, "per_sample_review.csv")
    assert len(review) == 9
    assert {row["condition"] for row in review} == {"no_rag", "rag_gated", "rag_always"}
    for row in review:
        broken = row["question"].startswith("When does the reading room")
        assert row["format_ok"] == str(not broken).lower()
        assert row["format_retry_used"] == "true"
        if broken:
            assert (row["grade"], row["correctness"], row["error"]) == ("FAIL", "", "")
            assert row["format_violation_reason_after_retry"] == "missing_final_answer_prefix"
        else:
            assert row["format_violation_reason"] == "contains_bracket_citation"
            assert (row["grade"] == "PASS") == (row["rag_context_used"] == "true")
            assert bool(row["faithfulness"]) == (row["rag_context_used"] == "true")
    assert max(model.prompts.count(name) for name in ("rag/open_answer_again",)) <= 9
    summary = {row["condition"]: row for row in rows(folder, "summary_by_model_condition.csv")}
    assert (summary["rag_always"]["PASS"], summary["rag_always"]["n"]) == ("2", "3")
    assert summary["no_rag"]["PASS"] == "0"
    assert summary["rag_always"]["format_ok_ratio"] == "0.6667"
    never = [summary["no_rag"][f"faithfulness{end}"] for end in ("", "_worst", "_best", "_n")]
    assert never == ["", "", "", "0"], "it was not asked, which is no error"
    best = rows(folder, "best_by_question.csv")
    assert len(best) == 3
    assert {row["best_condition"] for row in best if row["grade"] == "PASS"} <= {
        "rag_gated",
        "rag_always",
    }


def test_the_records_lie_by_model_condition_and_judge(run: Path, uaeval: Uaeval) -> None:
    done = uaeval("grade", run, "--conditions", "rag_always,no_rag")
    assert done.code == 0, done.err
    folder = run / "gradings" / "graded"
    always = read_journal(folder / "run_records_offline-2_rag_always.jsonl", RunRecord)
    assert [record.query_id for record in always] == [
        f"underspecified-000{n}-twin" for n in range(3)
    ]
    assert all(record.rag_context_used for record in always)
    never = read_journal(folder / "run_records_offline-2_no_rag.jsonl", RunRecord)
    assert not any(record.rag_context_used for record in never)
    judged = read_journal(folder / "judge_records_offline-2.jsonl", JudgeRecord)
    assert {record.id for record in judged} == {record.id for record in (*always, *never)}
    asked = {record.condition: set(record.scores) for record in judged}
    assert asked["no_rag"] == {"correctness", "answer_relevancy"}
    assert len(asked["rag_always"]) == 6


def test_a_second_judge_decides_nothing_and_shows_how_far_judges_agree(
    run: Path, uaeval: Uaeval
) -> None:
    def harsh(body: Body) -> str:
        name, _ = read_back(body)
        if name == "judge/answer_correctness":
            return json.dumps({"rationale": "Never good enough.", "score": 0.25})
        return offline_answer(body)

    with OpenAIServer(harsh) as server:
        judges = ("--judges", "offline,openai:harsh", "--judge-base-url", server.url)
        done = uaeval("grade", run, "--conditions", "rag_always", "--name", "two", *judges)
        assert done.code == 0, done.err
        prompts = {read_back(body)[0] for body in server.requests}
    assert prompts == {"judge/answer_correctness", "judge/answer_relevancy"}
    folder = run / "gradings" / "two"
    grades = [row["grade"] for row in rows(folder, "per_sample_review.csv")]
    assert grades == ["PASS", "PASS", "PASS"], "as the first judge says"
    agreement = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    (passes,) = agreement["passes"]
    assert (passes["n"], passes["same"], passes["kappa"]) == (3, 0, 0.0)
    correctness, relevancy = agreement["scores"]
    assert [one["first"] for one in correctness["largest"]] == [1.0, 1.0, 1.0]
    assert relevancy["largest"] == []
    assert "Do the judges agree?" in done.out and "Largest disagreements" in done.out
    assert len(read_journal(folder / "judge_records_openai-harsh.jsonl", JudgeRecord)) == 3


def test_a_judge_that_answers_garbage_leaves_errors_and_no_score(run: Path, uaeval: Uaeval) -> None:
    def garbage(body: Body) -> str:
        name, fields = read_back(body)
        lost = name == "judge/answer_correctness" and "ticket" in str(fields["question"])
        return "It is fine." if lost else offline_answer(body)

    with OpenAIServer(garbage) as server:
        judges = ("--judges", "openai:judge", "--judge-base-url", server.url)
        command = ("grade", run, "--conditions", "rag_always", *judges)
        done = uaeval(*command)
        assert done.code == 6, done.err
        assert "1 calls failed; run the same command to repeat them" in done.out
    folder = run / "gradings" / "graded"
    (lost,) = [row for row in rows(folder, "per_sample_review.csv") if row["error"]]
    assert (lost["correctness"], lost["grade"]) == ("", "FAIL")
    assert lost["error"].startswith("correctness: ReplyError:")
    (summary,) = rows(folder, "summary_by_model_condition.csv")
    assert (summary["n"], summary["errors"], summary["coverage"]) == ("3", "1", "0.6667")
    assert (summary["PASS"], summary["pass_ratio"]) == ("2", "1"), "of the two that were judged"
    assert (summary["pass_ratio_worst"], summary["pass_ratio_best"]) == ("0.6667", "1")
    assert (summary["correctness"], summary["correctness_n"]) == ("1", "2")
    assert len((folder / "failed.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    with OpenAIServer(offline_answer, port=_port(server.url)) as server:
        again = uaeval(*command)
        assert again.code == 0, again.err
        assert len(server.requests) == 1
    (summary,) = rows(folder, "summary_by_model_condition.csv")
    assert (summary["errors"], summary["pass_ratio"], summary["coverage"]) == ("0", "1", "1")


def test_tables_are_written_after_each_cell_and_when_it_is_stopped(
    run: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[int]()

    def write(folder: Path, samples: Sequence[Sample], cells: Sequence[Cell]) -> None:
        written.append(len(samples))
        write_tables(folder, samples, cells)

    monkeypatch.setattr("uaeval.grading.run.write_tables", write)
    with OpenAIServer(offline_answer) as server:
        models = ("--models", "openai:m", "--base-url", server.url, "--concurrency", "1")
        command = ("grade", run, "--conditions", "no_rag,rag_always", *models)
        stopped = uaeval(*command, "--max-calls", "5")
        assert stopped.code == 4, stopped.err
        assert written[0] == 3
        assert 3 <= written[1] < 6
        assert len(written) == 2
        folder = run / "gradings" / "graded"
        summary = {
            row["condition"]: row["n"] for row in rows(folder, "summary_by_model_condition.csv")
        }
        assert summary == {"no_rag": "3", "rag_always": str(written[1] - 3)}
        assert uaeval(*command).code == 0
    assert written[2:] == [3, 6]
    assert len(rows(folder, "per_sample_review.csv")) == 6


def _port(url: str) -> int:
    return int(url.rpartition(":")[2].partition("/")[0])


def test_blocked_and_failed_answers_get_no_grade(run: Path, uaeval: Uaeval) -> None:
    def fussy(body: Body) -> Answer:
        _, fields = read_back(body)
        question = str(fields["question"])
        if "sick leave" in question:
            return filtered_request()
        return "{}" if "reading room" in question else offline_answer(body)

    with OpenAIServer(fussy) as server:
        models = ("--models", "openai:fussy", "--base-url", server.url)
        done = uaeval("grade", run, "--conditions", "rag_always", *models)
        assert done.code == 6, done.err
    folder = run / "gradings" / "graded"
    by_question = {row["question"]: row for row in rows(folder, "per_sample_review.csv")}
    stopped = by_question["How many hours of sick leave may I borrow?"]
    assert (stopped["grade"], stopped["blocked"], stopped["error"]) == ("", "true", "")
    failed = by_question["When does the reading room open?"]
    assert (failed["grade"], failed["blocked"]) == ("", "false")
    assert failed["error"].startswith("ReplyError:")
    (summary,) = rows(folder, "summary_by_model_condition.csv")
    assert (summary["errors"], summary["blocked"], summary["FAIL"]) == ("1", "1", "0")
    assert (summary["PASS"], summary["pass_ratio"]) == ("1", "1")
    assert len(rows(folder, "best_by_question.csv")) == 1
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["questions"], manifest["answers"], manifest["blocked"]) == (3, 1, 1)
    assert (manifest["status"], manifest["failures"]) == ("lacking", {"answer": 1, "judge": 0})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--conditions", "rag_sometimes"), "'no_rag', 'rag_gated' or 'rag_always'"),
        (("--judges", "offline,offline"), "judges: each may be named only once"),
        (("--min-similarity", "1.5"), "min_similarity"),
        (("--name", "../up"), "name"),
        (("--models", "nonsense"), "nonsense"),
    ],
)
def test_wrong_settings_get_one_sentence(
    run: Path, uaeval: Uaeval, options: tuple[str, ...], told: str
) -> None:
    done = uaeval("grade", run, *options)
    assert (done.code, told in done.err) == (2, True), done.err
    assert "Traceback" not in done.err


def test_a_grading_of_other_settings_needs_another_name(run: Path, uaeval: Uaeval) -> None:
    assert uaeval("grade", run, "--conditions", "no_rag").code == 0
    done = uaeval("grade", run, "--conditions", "no_rag", "-k", "3")
    assert (done.code, "k was 5, is 3" in done.err) == (2, True), done.err
    assert uaeval("grade", run, "--conditions", "no_rag", "-k", "3", "--name", "three").code == 0
    assert uaeval("grade", run / "nowhere").code == 2


def test_the_least_similarity_can_be_set_for_each_embedding(run: Path, uaeval: Uaeval) -> None:
    settings = run.parent / "grade.yaml"
    settings.write_text(
        "conditions: [rag_gated]\nmin_chunks: 1\nmin_characters: 1\n"
        "min_similarity: {hashed-words-1024: 0.01, other: 0.99}\n"
    )
    assert uaeval("grade", run, "--config", settings).code == 0
    review = rows(run / "gradings" / "graded", "per_sample_review.csv")
    assert {row["rag_gate_reason"] for row in review} == {"pass"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"judge": "openai:other"}, "holds records of 'openai:other'"),
        ({"scores": {"correctness": 7.0}}, "scores.correctness: Input should be less than"),
        ({"scores": {"correctness": None}}, "scores.correctness: Input should be a valid number"),
    ],
)
def test_damaged_records_of_a_judge_are_named(
    run: Path, uaeval: Uaeval, change: dict[str, object], said: str
) -> None:
    assert uaeval("grade", run).code == 0
    path = next((run / "gradings" / "graded").glob("judge_records_*.jsonl"))
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | change), *rest, ""]))
    done = uaeval("grade", run)
    assert done.code == 2
    assert said in done.err


def test_the_records_of_a_judge_are_in_the_order_of_their_ids(run: Path, uaeval: Uaeval) -> None:
    assert uaeval("grade", run).code == 0
    path = next((run / "gradings" / "graded").glob("judge_records_*.jsonl"))
    ids = [record.id for record in read_journal(path, JudgeRecord)]
    assert ids == sorted(ids)
    assert len(ids) > 1
