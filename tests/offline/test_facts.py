"""Questions that a passage answers by itself."""

import pytest

from uaeval.offline.facts import facts
from uaeval.records import Passage


def asked(text: str) -> dict[str, str]:
    return {
        fact.question: fact.answer
        for fact in facts(Passage(number=1, title="the Harbour Office", heading="", text=text))
    }


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "The Harbour Office keeps three spare engines for the night route.",
            "How many spare engines does the Harbour Office keep for the night route?",
            "three spare engines",
        ),
        (
            "The Harbour Office provides life jackets for passengers under twelve.",
            "What does the Harbour Office provide for passengers under twelve?",
            "life jackets",
        ),
        (
            "A parking permit is valid within 5 working days of its purchase.",
            "Within how many working days of its purchase is a parking permit valid?",
            "within 5 working days",
        ),
        (
            "A parking permit is valid for two years.",
            "For how many years is a parking permit valid?",
            "for two years",
        ),
    ],
)
def test_objects_counts_and_spans_are_asked_for(text: str, question: str, answer: str) -> None:
    assert asked(text)[question] == answer


@pytest.mark.parametrize(
    "text",
    [
        "The Harbour Office allows six passengers to share a cabin.",
        "The Harbour Office does not provide life jackets for passengers under twelve.",
        "You can use life jackets for passengers under twelve.",
    ],
)
def test_an_object_is_not_asked_for_where_the_question_would_be_wrong(text: str) -> None:
    assert not [question for question in asked(text) if question.startswith(("What", "How many"))]


def test_a_question_that_repeats_a_word_is_left_out() -> None:
    assert not asked("The Harbour Office keeps ferry ferry engines for the night route.")
