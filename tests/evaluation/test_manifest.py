"""An evaluation resumes only with the prompts that it began with."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.records import blocked, response, unanswerable

from uaeval.errors import StorageError
from uaeval.evaluation.manifest import EvaluationManifest, Latency
from uaeval.evaluation.respond import latency


def _manifest(**prompts: str) -> EvaluationManifest:
    return EvaluationManifest(
        status="complete",
        settings={},
        dataset="d",
        versions={},
        prompts=prompts,
        models={},
        queries=1,
    )


def test_a_metric_that_is_added_or_left_out_brings_or_takes_its_own_prompts() -> None:
    plain, more = _manifest(verdict="1"), _manifest(verdict="1", politeness="2")
    more.refuse_other(plain, Path("rag"))
    plain.refuse_other(more, Path("rag"))


def test_a_changed_prompt_is_refused() -> None:
    with pytest.raises(StorageError, match="prompts have changed"):
        _manifest(verdict="2").refuse_other(_manifest(verdict="1"), Path("rag"))


def test_latency_is_that_of_the_answers_that_were_timed() -> None:
    times = (3.0, 1.0, 5.0004, 2.0, 4.0, None)
    queries = [unanswerable(number) for number in range(8)]
    timed = [
        replace(response(query), latency_s=seconds)
        for query, seconds in zip(queries, times, strict=False)
    ]
    slow = replace(blocked(queries[-1]), latency_s=100.0)
    expected = Latency(n=5, p50=3.0, p90=4.6, p95=4.8, p99=4.96, longest=5.0)
    assert latency([*timed, slow]) == expected
    assert latency([slow, timed[-1]]) is None


def test_a_new_evaluation_has_no_response_and_no_judgement() -> None:
    assert (_manifest().responses, _manifest().judgements) == (0, 0)


def test_a_judge_can_be_added_unless_a_majority_of_judges_decides() -> None:
    given = {"metrics": ["final_score"], "other_judges": ["openai:m"]}
    for settings, changed in (({}, []), ({"majority": True}, ["other_judges was None"])):
        earlier, later = (
            _manifest().model_copy(update={"settings": settings | more}) for more in ({}, given)
        )
        assert [change.partition(",")[0] for change in later.changes(earlier)] == changed


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ({}, ""),
        ({"weights": [0.5, 0.5]}, "uaeval score rag --weights 0.5,0.5"),
        ({"policy": "strict"}, "uaeval score rag --policy strict --name <name>"),
        (
            {"policy": "strict", "weights": [0.4, 0.6]},
            "uaeval score rag --weights 0.4,0.6 --policy strict --name <name>",
        ),
    ],
)
def test_weights_and_policy_can_be_changed_without_a_call(
    settings: dict[str, object], command: str
) -> None:
    changed = _manifest().model_copy(update={"settings": settings})
    told = changed.remedy(_manifest(), Path("rag"))
    assert told.rpartition(": ")[2] == command
