from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest
from tests.evaluation.evidence import TEXTS, by_id, supported_control, with_contexts
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import blocked, both, unanswerable
from tests.scripted import ScriptedModel

from uaeval.config import EvaluationConfig
from uaeval.errors import BlockedError, ModelError, PendingReply, RunAborted
from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.metrics import attribution, final_score, quest_eval
from uaeval.evaluation.metrics.attribution import Fault
from uaeval.evaluation.metrics.judged import JudgedMetric, Sources
from uaeval.evaluation.metrics.on_demand import measure_further
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.llm.model import Field
from uaeval.llm.replies import (
    EvidenceJudgement,
    QuestAnswers,
    QuestQuestions,
    RelevancyJudgement,
    Reply,
    ScoreJudgement,
)
from uaeval.prompts import PromptLibrary
from uaeval.records import Blocked, Failure, Judgement, Query, Response, Score
from uaeval.run.progress import ProgressListener
from uaeval.storage import read_journal

R = TypeVar("R")
CONTROLS = [supported_control(number) for number in range(6)]
QUERIES = [
    query
    for number, twin in enumerate(CONTROLS)
    for query in (unanswerable(number, "nonsensical"), twin)
]
METRICS = ("attribution", "final_score", "quest_eval")


@dataclass(frozen=True)
class Found:
    """The scores of an evaluation, as far as these tests need them."""

    queries: tuple[Query, ...]
    responses: tuple[Response, ...]
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True)
class Measured:
    """The measured records and the journals written."""

    folder: Path
    scores: tuple[Score, ...]
    waiting: int

    def of(self, metric: JudgedMetric[R]) -> tuple[R, ...]:
        return read_journal(self.folder / metric.file, metric.record)

    @property
    def failures(self) -> tuple[Failure, ...]:
        return read_journal(self.folder / "further.failed.jsonl", Failure)

    @property
    def blocked(self) -> tuple[Blocked, ...]:
        return read_journal(self.folder / "further.blocked.jsonl", Blocked)

    @property
    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.glob("*.jsonl")}


def _found() -> Found:
    """Every response bad; control 4 blocked, control 5 without a response."""
    responses = [
        blocked(query)
        if query == CONTROLS[4]
        else with_contexts(query, *by_id("fees.md#0"), text=f"about {query.id}")
        for query in QUERIES
        if query != CONTROLS[5]
    ]
    judgements = [
        judgement
        for query in QUERIES
        if query not in CONTROLS[4:]
        for judgement in both(query, "answered", "no")
    ]
    return Found(tuple(QUERIES), tuple(responses), tuple(judgements))


def _score(**fields: Field) -> Reply:
    match fields["response"]:
        case "about nonsensical-0001":
            raise ModelError("down")
        case "about nonsensical-0002":
            raise BlockedError("filtered")
        case "about nonsensical-0003":
            raise PendingReply("to come")
        case _:
            return ScoreJudgement(rationale="r", score=0.5)


def _evidence(**_: Field) -> Reply:
    return EvidenceJudgement(rationale="r", label="absent")


def _judge(**replaced: object) -> ScriptedModel:
    scripts = {
        "judge/answer_correctness": _score,
        "judge/context_relevancy": RelevancyJudgement(rationale="r", grades=["partly"]),
        "judge/attribution": _evidence,
        "judge/quest_questions": QuestQuestions.model_validate(
            {"rationale": "r", "questions": [{"phrase": "240 hours", "question": "How many?"}]}
        ),
        "judge/quest_answers": QuestAnswers(rationale="r", answers=["240 hours"]),
    }
    return ScriptedModel(scripts | replaced)  # type: ignore[arg-type]


async def _measure(
    folder: Path,
    metrics: Collection[str] = METRICS,
    judge: ScriptedModel | None = None,
    *,
    found: Found | None = None,
    concurrency: int = 4,
) -> Measured:
    dataset, found = folder / "dataset", found or _found()
    written = write_evaluation(dataset, "rag", found.queries, found.responses, found.judgements)
    scores, waiting = await measure_further(
        read_evaluation(written),
        Sources(judge=judge or _judge(), texts=TEXTS, folder=dataset, prompts=PromptLibrary()),
        EvaluationConfig(dataset=dataset, metrics=tuple(metrics), concurrency=concurrency),
        ProgressListener(),
    )
    return Measured(written, scores, waiting)


def _get(scores: Sequence[Score], metric: str, group: str = "overall") -> Score:
    (one,) = [one for one in scores if (one.metric, one.group) == (metric, group)]
    return one


async def test_without_a_metric_bad_responses_are_attributed_by_code_only(tmp_path: Path) -> None:
    judge = _judge()
    found = await _measure(tmp_path, (), judge)
    assert judge.history == []
    assert [one.fault for one in found.of(attribution.METRIC)] == [
        Fault.NOTHING_TO_RETRIEVE,
        Fault.RETRIEVAL,
    ] * 4 + [Fault.NOTHING_TO_RETRIEVE] * 2
    assert found.scores == ()
    assert not (found.folder / final_score.METRIC.file).exists()


async def test_a_failed_call_is_an_error_and_not_a_score(tmp_path: Path) -> None:
    found = await _measure(tmp_path)
    assert [one.id for one in found.failures] == ["nonsensical-0001/final_score"]
    assert [one.id for one in found.blocked] == ["nonsensical-0002/final_score"]
    assert found.waiting == 1
    score = _get(found.scores, "final_score", "nonsensical")
    assert (score.n, score.judged, score.errors) == (6, 3, 3)
    assert score.value == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert score.worst == pytest.approx((0.5 + 0.5 + 1) / 6)


async def test_no_response_is_an_error_and_a_blocked_one_is_left_out(tmp_path: Path) -> None:
    found = await _measure(tmp_path)
    controls = _get(found.scores, "final_score", "controls")
    assert (controls.n, controls.judged, controls.errors) == (5, 4, 1)
    quest = _get(found.scores, "quest_recall", "controls")
    assert (quest.n, quest.judged, quest.errors, quest.value) == (5, 4, 1, 1.0)


async def test_a_control_that_is_not_evaluated_is_no_error(tmp_path: Path) -> None:
    nothing = QuestAnswers(rationale="r", answers=["<Unanswerable>"])
    found = await _measure(tmp_path, ["quest_eval"], _judge(**{"judge/quest_answers": nothing}))
    recall = _get(found.scores, "quest_recall", "controls")
    assert (recall.value, recall.n, recall.errors) == (None, 1, 1)
    assert {one.scores.recall for one in found.of(quest_eval.METRIC)} == {None}


async def test_a_judge_that_answers_garbage_changes_errors_and_never_a_value(
    tmp_path: Path,
) -> None:
    before = await _measure(tmp_path, ["final_score"])
    garbage = RelevancyJudgement(rationale="r", grades=[])
    found = await _measure(
        tmp_path, ["final_score"], _judge(**{"judge/context_relevancy": garbage})
    )
    score = _get(found.scores, "final_score")
    assert (score.value, score.errors) == (None, score.n)
    assert _get(before.scores, "final_score").errors < score.errors


async def test_a_judge_that_fails_about_evidence_leaves_the_cause_unknown(
    tmp_path: Path,
) -> None:
    def failing(**_: Field) -> Reply:
        raise ModelError("down")

    found = await _measure(tmp_path, ["attribution"], _judge(**{"judge/attribution": failing}))
    faults = {one.query_id: one.fault for one in found.of(attribution.METRIC)}
    assert faults[CONTROLS[0].id] is Fault.UNKNOWN
    assert faults["nonsensical-0000"] is Fault.NOTHING_TO_RETRIEVE
    assert len(found.failures) == 4


async def test_concurrency_changes_nothing(tmp_path: Path) -> None:
    one = await _measure(tmp_path, concurrency=1)
    files = one.files
    (tmp_path / "dataset" / "quest_eval.jsonl").unlink()
    many = await _measure(tmp_path, concurrency=32)
    assert (many.scores, many.waiting, many.files) == (one.scores, one.waiting, files)


async def test_an_outage_stops_the_run(tmp_path: Path) -> None:
    def failing(**_: Field) -> Reply:
        raise ModelError("down")

    queries = tuple(supported_control(number) for number in range(25))
    responses = tuple(with_contexts(query, *by_id("fees.md#0")) for query in queries)
    found = Found(queries, responses, ())
    judge = _judge(**{"judge/answer_correctness": failing})
    with pytest.raises(RunAborted, match="20 calls in a row failed"):
        await _measure(tmp_path, ["final_score"], judge, found=found)


async def test_records_of_further_metrics_are_in_the_order_of_the_queries(tmp_path: Path) -> None:
    found = await _measure(tmp_path)
    asked = [query.id for query in QUERIES]
    for metric in judged_metrics().values():
        measured = [record.query_id for record in found.of(metric)]
        assert measured == [query_id for query_id in asked if query_id in measured] != []


async def test_a_metric_whose_calls_all_failed_keeps_no_records_of_an_earlier_session(
    tmp_path: Path,
) -> None:
    assert (await _measure(tmp_path)).of(final_score.METRIC)
    garbage = RelevancyJudgement(rationale="r", grades=[])
    judge = _judge(**{"judge/context_relevancy": garbage})
    found = await _measure(tmp_path, ["final_score"], judge)
    assert (found.folder / final_score.METRIC.file).read_bytes() == b""
