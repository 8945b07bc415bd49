from pathlib import Path

import pytest

from uaeval.config import EvaluationConfig, GradingConfig, SynthesisConfig, build
from uaeval.model_names import describe_change, is_offline
from uaeval.run_folder import Count


def test_rules_is_an_alias_wherever_a_model_is_named() -> None:
    written = build(SynthesisConfig, knowledge_base="kb", output="o", model="rules")
    assert (written.model, written.verifier_name) == ("offline", "offline")
    verified = build(SynthesisConfig, knowledge_base="kb", output="o", verifier="rules")
    assert verified.verifier == "offline"
    judged = build(
        EvaluationConfig,
        dataset=Path("run"),
        model="rules",
        judge="openai:m",
        other_judges=["rules"],
    )
    assert (judged.model, judged.judge, judged.other_judges) == (
        "offline",
        "openai:m",
        ("offline",),
    )
    graded = build(GradingConfig, dataset=Path("run"), models=["rules"], judges=["rules"])
    assert (graded.models, graded.judges) == (("offline",), ("offline",))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("offline-2", True),
        ("offline", True),
        ("rules-1", True),
        ("openai:rules", False),
        ("offliner:m", False),
        (None, False),
    ],
)
def test_records_of_both_engines_are_known(name: str | None, expected: bool) -> None:
    assert is_offline(name) is expected


def test_a_change_of_the_engine_is_described() -> None:
    assert describe_change("model", "rules", "offline") == (
        "model was 'rules', the engine of an earlier version, is 'offline'"
    )
    assert describe_change("seed", 0, 7) == "seed was 0, is 7"


def test_counts_of_earlier_runs_are_read() -> None:
    count = Count.model_validate({"kept": 3, "by_rules": 1})
    assert count.by_offline == 1
    assert count.model_dump()["by_offline"] == 1
