import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.servers.batch_api import BatchServer
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import Body, OpenAIServer

from uaeval.evaluation.metrics.quest_eval import UNANSWERABLE
from uaeval.prompts import PromptLibrary


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
        (
            "quest_eval",
            "quest_eval asks judge/quest_answers, judge/quest_questions, which the `offline` judge "
            "cannot answer; name a model as --judge",
        ),
        (
            "final_score,tone",
            "unknown metric 'tone'; choose from attribution, final_score, quest_eval",
        ),
    ],
)
def test_a_metric_that_cannot_be_computed_is_named(
    run: Path, uaeval: Uaeval, metrics: str, told: str
) -> None:
    done = uaeval("evaluate", run, "--name", "other", "--metrics", metrics)
    assert (done.code, told in done.err) == (2, True), done.err
    assert not (run / "evaluations" / "other").exists()


class Quizzer:
    """Judges like the offline engine, and asks and answers about phrases by searching for them."""

    def __init__(self) -> None:
        library = PromptLibrary()
        self._questions = library.get("judge/quest_questions").system
        self._answers = library.get("judge/quest_answers").system
        self.asked = {"questions": 0, "answers": 0}

    def __call__(self, body: Body) -> str:
        system, user = (message["content"] for message in body["messages"][:2])
        if system == self._questions:
            return self._write(user)
        return self._answer(user) if system == self._answers else offline_answer(body)

    def _write(self, user: str) -> str:
        self.asked["questions"] += 1
        phrases = _between(user, "phrases").splitlines()
        questions = [{"phrase": one, "question": f"Which {one[::-1]}?"} for one in phrases]
        return json.dumps({"rationale": "r", "questions": questions})

    def _answer(self, user: str) -> str:
        self.asked["answers"] += 1
        text = _between(user, "text")
        lines = _between(user, "questions").splitlines()
        wanted = [line.partition(". Which ")[2][-2::-1] for line in lines]
        answers = [phrase if phrase in text else UNANSWERABLE for phrase in wanted]
        return json.dumps({"rationale": "r", "answers": answers})


def _between(text: str, tag: str) -> str:
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    assert found
    return found[1]


def _metrics(folder: Path) -> dict[str, dict[str, object]]:
    found = json.loads((folder / "scores.json").read_text())["scores"]
    return {one["metric"]: one for one in found if one["group"] in ("overall", "controls")}


def test_a_model_judges_everything_and_the_ground_truth_is_asked_once(
    run: Path, uaeval: Uaeval
) -> None:
    quizzer = Quizzer()
    with OpenAIServer(quizzer) as server:
        options = ["--judge", "openai:judge", "--judge-base-url", server.url]
        options += ["--metrics", "attribution,final_score,quest_eval"]
        done = uaeval("evaluate", run, "--name", "quiz", *options)
        assert done.code == 0, done.err
        first = dict(quizzer.asked)
        assert uaeval("evaluate", run, "--name", "again", "-k", "1", *options).code == 0
    assert quizzer.asked["questions"] == first["questions"]
    assert quizzer.asked["answers"] < 2 * first["answers"]
    found = _metrics(run / "evaluations" / "quiz")
    assert {"final_score", "quest_recall", "quest_precision_over_all"} <= found.keys()
    assert found["final_score"]["errors"] == 0
    recall = found["quest_recall"]
    assert recall["errors"] == 0 and isinstance(recall["value"], float) and recall["value"] > 0.5
    assert found["quest_precision"]["value"] == 1.0


def test_metrics_go_through_batches_round_by_round(run: Path, uaeval: Uaeval) -> None:
    with BatchServer(Quizzer()) as server:
        options = ["--judge", "openai:judge", "--judge-base-url", server.url, "--mode", "batch"]
        options += ["--base-url", server.url, "--model", "openai:rag"]
        options += ["--metrics", "attribution,final_score,quest_eval"]
        assert uaeval("evaluate", run, "--name", "batch", *options).code == 5
        folder = run / "evaluations" / "batch"
        done = uaeval("batch", "fetch", folder, "--every", "0.001", "--all-rounds")
        assert done.code == 0, done.err + done.out
        assert len(server.answered) == len(set(server.answered))
    found = _metrics(folder)
    for metric in ("joint_score", "final_score", "quest_recall"):
        assert found[metric]["errors"] == 0, metric
