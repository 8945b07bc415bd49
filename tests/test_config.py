import traceback
from pathlib import Path

import pytest

from uaeval.categories.names import BUILT_IN
from uaeval.categories.voices import STYLES
from uaeval.config import EvaluationConfig, GradingConfig, SynthesisConfig, build, read_settings
from uaeval.errors import ConfigError


def test_what_is_not_given_keeps_its_default() -> None:
    config = build(SynthesisConfig, knowledge_base="docs", output=Path("out"), size=None)
    assert config.size == 120
    assert config.categories == BUILT_IN


def test_a_style_named_twice_is_used_twice_as_often() -> None:
    given = {"knowledge_base": "docs", "output": Path("out"), "model": "openai:m"}
    config = build(SynthesisConfig, **given, styles="typos, terse, typos", askers=["a", "b"])
    assert [voice.style for voice in config.voices] == ["typos", "terse", "typos"] * 2
    assert len({voice.asker for voice in config.voices if voice.style == "terse"}) == 2
    assert set(build(SynthesisConfig, **given).styles) == set(STYLES)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"sise": 3}, "unknown setting 'sise' (did you mean 'size'?); known settings: "),
        ({"requests_per_minute": 0}, "requests_per_minute: input should be greater than or equal"),
        ({"timeout": 0}, "timeout: input should be greater than 0, got 0"),
        ({"max_retries": -1}, "max_retries: input should be greater than or equal to 0, got -1"),
        ({"size": 0}, "size: input should be greater than or equal to 1, got 0"),
        (
            {"categories": ("underspecifed",)},
            "categories.0: unknown category 'underspecifed'; install the package that defines it; "
            "known: underspecified, false_presupposition, ",
        ),
        ({"categories": ("nonsensical", "nonsensical")}, "each may be named only once"),
        ({"mode": "later"}, "mode: input should be 'live' or 'batch', got 'later'"),
        ({"max_cost": 0}, "max_cost: input should be greater than 0, got 0"),
        ({"max_calls": 0}, "max_calls: input should be greater than or equal to 1, got 0"),
        ({"max_calls": 9, "mode": "batch"}, "they limit live calls"),
        ({"base_url": "localhost:8000"}, "base_url: give an address such as http://localhost"),
        ({"verifier_base_url": "http://h/v1"}, "the verifier is `offline`, which has no endpoint"),
        ({"samples": 3}, "samples: the verifier is `offline`, whose replies are always the same"),
        ({"samples": 0, "model": "openai:m"}, "samples: input should be greater than or equal"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(SynthesisConfig, knowledge_base="docs", output=Path("out"), **settings)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"name": "../x"}, "name: write a plain name of letters, digits, ., - and _, got '../x'"),
        ({"name": "a b"}, "name: write a plain name"),
        ({"name": "a\n"}, "name: write a plain name"),
        ({"weights": (0.5,)}, "weights: a value is missing, got (0.5,)"),
    ],
)
def test_a_wrong_setting_of_an_evaluation_is_named(
    settings: dict[str, object], problem: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        build(EvaluationConfig, dataset="run", **settings)
    assert str(caught.value).startswith(problem)


def test_a_list_of_wrong_values_is_not_also_called_too_short() -> None:
    with pytest.raises(ConfigError) as caught:
        build(GradingConfig, dataset="run", conditions=("sometimes",))
    assert str(caught.value).startswith("conditions.0: input should be 'no_rag'")
    assert ";" not in str(caught.value)
    with pytest.raises(ConfigError, match="conditions: tuple should have at least 1 item"):
        build(GradingConfig, dataset="run", conditions=())


@pytest.mark.parametrize(
    ("address", "left_out"),
    [("https://me:s3cret@h/v1", "name and password"), ("https://h/v1?key=s3cret", "the query")],
)
def test_an_address_with_a_secret_is_refused_and_not_repeated(address: str, left_out: str) -> None:
    with pytest.raises(ConfigError, match=f"base_url: leave {left_out} out") as caught:
        build(SynthesisConfig, knowledge_base="docs", output=Path("out"), base_url=address)
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        ({}, "http://author/v1"),
        ({"verifier": "openai:other"}, "http://author/v1"),
        ({"verifier": "anthropic:claude"}, None),
        ({"verifier": "offline"}, None),
        ({"verifier_base_url": "http://own/v1"}, "http://own/v1"),
        ({"verifier": "ollama:m", "verifier_base_url": "http://own"}, "http://own"),
    ],
)
def test_a_verifier_of_the_same_provider_is_asked_where_the_author_is(
    settings: dict[str, object], address: str | None
) -> None:
    place = {"knowledge_base": "docs", "output": Path("out")}
    author = {"model": "openai:m", "base_url": "http://author/v1"}
    assert build(SynthesisConfig, **place, **author, **settings).verifier_url == address


def test_a_judge_of_another_provider_is_asked_at_its_own_endpoint() -> None:
    models = {"model": "openai:m", "base_url": "http://rag/v1", "judge": "anthropic:claude"}
    assert build(EvaluationConfig, dataset=Path("run"), **models).judge_url is None
    models["judge_base_url"] = "http://judge"
    config = build(EvaluationConfig, dataset=Path("run"), samples=3, **models)
    assert (config.judge_name, config.judge_url) == ("anthropic:claude", "http://judge")


@pytest.mark.parametrize("weights", [(0.7, 0.4), (1.2, -0.2), (0.5, 0.4), (float("nan"), 1.0)])
def test_weights_are_shares_that_sum_to_one(weights: tuple[float, float]) -> None:
    with pytest.raises(ConfigError, match=r"weights: should be in \[0, 1\] and sum to 1"):
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


def test_a_duplicate_setting_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("size: 30\nmodel: rules\nsize: 300\n")
    with pytest.raises(ConfigError, match=r"duplicate key 'size'.*line 3"):
        read_settings(path)


def test_speed_location_and_limits_do_not_decide_the_result() -> None:
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
        max_cost=2.5,
        prices=Path("prices.yaml"),
    )
    assert first.decisive() == second.decisive()
