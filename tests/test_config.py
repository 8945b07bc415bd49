from pathlib import Path

import pytest

from uaeval.config import EvaluationConfig, SynthesisConfig, build, read_settings
from uaeval.errors import ConfigError
from uaeval.types import Category


def test_what_is_not_given_keeps_its_default() -> None:
    config = build(SynthesisConfig, knowledge_base="docs", output=Path("out"), size=None)
    assert config.size == 120
    assert config.categories == tuple(Category)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"sise": 3}, "unknown setting 'sise' (did you mean 'size'?); known settings: "),
        ({"requests_per_minute": 0}, "requests_per_minute: input should be greater than or equal"),
        ({"timeout": 0}, "timeout: input should be greater than 0, got 0"),
        ({"max_retries": -1}, "max_retries: input should be greater than or equal to 0, got -1"),
        ({"size": 0}, "size: input should be greater than or equal to 1, got 0"),
        ({"categories": ("underspecifed",)}, "categories.0: input should be 'underspecified'"),
        ({"categories": ("nonsensical", "nonsensical")}, "each may be named only once"),
        ({"mode": "later"}, "mode: input should be 'live' or 'batch', got 'later'"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(SynthesisConfig, knowledge_base="docs", output=Path("out"), **settings)
    assert problem in str(caught.value)


@pytest.mark.parametrize("weights", [(0.7, 0.4), (1.2, -0.2), (0.5, 0.4)])
def test_weights_are_shares_that_sum_to_one(weights: tuple[float, float]) -> None:
    with pytest.raises(ConfigError, match=r"weights: both lie in \[0, 1\] and sum to 1"):
        build(EvaluationConfig, dataset=Path("run"), weights=weights)


def test_settings_come_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("size: 30\nbase-url: http://localhost:8000/v1\n")
    assert read_settings(path) == {"size": 30, "base_url": "http://localhost:8000/v1"}


@pytest.mark.parametrize("text", ["- a\n- b\n", "a: [", "just words"])
def test_a_file_that_holds_no_settings_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"run\.yaml"):
        read_settings(path)


def test_speed_and_place_do_not_decide_the_result() -> None:
    first = build(SynthesisConfig, knowledge_base="docs", output=Path("a"), concurrency=1)
    second = build(
        SynthesisConfig,
        knowledge_base="docs",
        output=Path("b"),
        concurrency=64,
        requests_per_minute=60,
        tokens_per_minute=9000,
        timeout=5,
        max_retries=0,
    )
    assert first.decisive() == second.decisive()
