import json
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from uaeval import synthesize

    folder = tmp_path_factory.mktemp("run") / "data"
    synthesize(DOCUMENTS, folder, size=6, categories=["false_presupposition", "modality_limited"])
    return folder


def test_metrics_are_added_to_an_evaluation_that_is_there(run: Path, uaeval: Uaeval) -> None:
    assert uaeval("evaluate", run).code == 0
    folder = run / "evaluations" / "rag"
    before = json.loads((folder / "scores.json").read_text())["scores"]
    assert (folder / "attributions.jsonl").exists()
    assert not (folder / "final_scores.jsonl").exists()
    done = uaeval("evaluate", run, "--metrics", "final_score, attribution")
    assert done.code == 0, done.err
    assert "modality_limited-" in done.out and " Final=" in done.out
    after = json.loads((folder / "scores.json").read_text())["scores"]
    assert after[: len(before)] == before
    assert {one["metric"] for one in after[len(before) :]} >= {"final_score", "final_score_raw"}
    rows = [json.loads(line) for line in (folder / "final_scores.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    assert list(rows[0]) == [
        "question_id",
        "question",
        "ground_truth",
        "system_answer",
        "answer_correctness",
        "context_relevancy",
        "context_recall",
        "final_score",
        "is_unanswerable",
        "relevancy_adjusted",
        "scoring_note",
    ]
    assert "Why responses are bad" in (folder / "report.md").read_text(encoding="utf-8")
    assert "final score" in uaeval("show", run).out


@pytest.mark.parametrize(
    ("metrics", "told"),
    [
        ("quest_eval", "quest_eval wants a model that writes questions, and the judge is `rules`"),
        ("final_score,tone", "'attribution', 'final_score' or 'quest_eval'"),
    ],
)
def test_a_metric_that_cannot_be_had_is_named(
    run: Path, uaeval: Uaeval, metrics: str, told: str
) -> None:
    done = uaeval("evaluate", run, "--name", "other", "--metrics", metrics)
    assert (done.code, told in done.err) == (2, True), done.err
    assert not (run / "evaluations" / "other").exists()
