import pytest

from uaeval.report.context import CARD, judge_option, judge_worth
from uaeval.resources import shipped_table


def test_the_sentence_has_each_figure_beside_its_baseline() -> None:
    assert judge_worth("--judge openai:m") == (
        "The judge is the offline engine, not a language model (accuracy on data that it was not "
        "tuned on: refused or not, 97% of 720 on FinanceBench, keywords alone 92%; refused or not, "
        "93% of 585 on XSTest, keywords alone 81%; correctness, 91% of 363 on FinanceBench, "
        "keywords alone 77%); use a language model as judge before you rely on these figures: "
        "`--judge openai:m` takes the model that is configured here."
    )
    assert judge_worth().endswith("before you rely on these figures.")


def test_the_shipped_card_has_possible_figures() -> None:
    for row in shipped_table(CARD)["figures"]:
        assert set(row) == {"task", "data", "rows", "accuracy", "keywords"}
        assert row["rows"] >= 1
        assert 0 <= row["keywords"] <= 1 and 0 <= row["accuracy"] <= 1


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
