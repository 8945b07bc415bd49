import pytest

from uaeval.llm.rules import twin
from uaeval.types import Claim, Passage


@pytest.mark.parametrize(
    "question",
    [
        "How many books can I borrow from the loan desk?",
        "What should I do if I lose my reader card?",
        "Can readers renew their loans by telephone?",
        "How long does it take to renew a reader card?",
        "What is Tarpaper?",
    ],
)
def test_a_question_that_names_its_matter_stands_alone(question: str) -> None:
    assert twin.stands_alone(question)


@pytest.mark.parametrize(
    "question",
    [
        "How do I submit this form to the desk?",
        "When do they have to return the laptop?",
        "And how much does a reader card cost?",
        "According to the passage, what does a card cost?",
        "How many readers can be up there at once?",
        "Where can I get it?",
        "Who signs that form for the reader?",
    ],
)
def test_a_question_that_points_outside_itself_does_not_stand_alone(question: str) -> None:
    assert not twin.stands_alone(question)


def test_the_check_names_the_passages_by_number() -> None:
    texts = ("You can borrow 12 books.", "You can borrow 9 books.", "Maps are never lent.")
    passages = [
        Passage(number=number, title="Loan desk", heading="", text=text)
        for number, text in enumerate(texts, 1)
    ]
    questions = ("How many books can I borrow?", "And how many maps?")
    claims = [Claim(number=n, question=one, answer="12") for n, one in enumerate(questions, 1)]
    found = twin.verify_readings(claims=claims, passages=passages)
    assert [one.claim for one in found.claims] == [1, 2]
    assert [one.stands_alone for one in found.claims] == [True, False]
    assert found.claims[0].supports == [1]
    assert found.claims[0].contradicts == [2]
    assert "[1]" in found.rationale
