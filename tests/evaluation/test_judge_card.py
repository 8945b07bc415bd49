import pytest
import yaml
from pydantic import ValidationError

from uaeval.evaluation.judging.judge_card import CARD, Measured, judge_worth, measured
from uaeval.report.context import judge_option

FIGURES = [
    Measured(task="refused or not", data="BenchA", rows=1120, accuracy=0.94, keywords=0.931),
    Measured(task="correctness", data="BenchB", rows=800, accuracy=0.9, keywords=0.78),
]


def test_the_sentence_has_each_figure_beside_its_baseline() -> None:
    assert judge_worth(None, FIGURES) == (
        "The judge is the offline engine, not a language model (accuracy on data that it was not "
        "tuned on: refused or not, 94% of 1,120 on BenchA, keywords alone 93%; correctness, 90% of "
        "800 on BenchB, keywords alone 78%); use a language model as judge before you rely on "
        "these figures."
    )


def test_without_figures_the_sentence_gives_none() -> None:
    assert judge_worth("--judge openai:m", []) == (
        "The judge is the offline engine, not a language model; use a language model as judge "
        "before you rely on these figures: `--judge openai:m` takes the model that is configured "
        "here."
    )


def test_the_shipped_card_can_be_read() -> None:
    card = yaml.safe_load(CARD.read_text(encoding="utf-8"))
    assert [figure.model_dump() for figure in measured()] == card["figures"]


@pytest.mark.parametrize(
    ("settings", "option"),
    [
        ({"system": "openai:gpt-x", "model": "offline"}, "--judge openai:gpt-x"),
        (
            {"system": "openai:m", "model": "offline", "url": "http://localhost:8000/v1"},
            "--judge openai:m --judge-base-url http://localhost:8000/v1",
        ),
        ({"system": "rag", "model": "ollama:m"}, "--judge ollama:m"),
        ({"system": "http", "model": "ollama:m", "url": "http://h/ask"}, "--judge ollama:m"),
        ({"system": "http", "model": "offline", "url": "http://h/ask"}, None),
        ({"system": "python:app:answer", "model": "offline"}, None),
        ({"system": "rag", "model": "offline"}, None),
    ],
)
def test_the_model_of_the_system_is_offered_as_judge(
    settings: dict[str, object], option: str | None
) -> None:
    assert judge_option(settings) == option


@pytest.mark.parametrize(
    "wrong", [{"rows": 0}, {"accuracy": 1.01}, {"accuracy": -0.01}, {"keywords": 94.0}, {"n": 3}]
)
def test_a_card_with_impossible_figures_is_refused(wrong: dict[str, object]) -> None:
    figure = FIGURES[0].model_dump() | {"rows": 1, "accuracy": 1.0, "keywords": 0.0}
    assert Measured.model_validate(figure).rows == 1
    with pytest.raises(ValidationError):
        Measured.model_validate(figure | wrong)
