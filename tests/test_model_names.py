from pathlib import Path

import pytest

from uaeval.config import EvaluationConfig, GradingConfig, SynthesisConfig, build
from uaeval.llm.names import is_offline


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
        ("openai:offline", False),
        ("offliner:m", False),
        (None, False),
    ],
)
def test_records_of_the_offline_engine_are_known(name: str | None, expected: bool) -> None:
    assert is_offline(name) is expected
