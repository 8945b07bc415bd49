import pytest

from uaeval.llm.rules.rag import NOT_FOUND, TEXT_ONLY, answer, answer_checked, rerank, reword
from uaeval.types import Passage

BADGES = Passage(
    number=1,
    title="Badges",
    heading="Lost badges",
    text=(
        "A badge shows your name and photo. A lost badge must be reported to the front desk within "
        "two days.\n\n- A new badge costs $12."
    ),
)
PARKING = Passage(
    number=2,
    title="Parking",
    heading="Garage",
    text="The garage opens at 06:30. Bicycles can be left in the basement.",
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How soon must a lost badge be reported?", "within two days"),
        ("How much does a new badge cost?", "$12"),
        ("What time does the garage open?", "06:30"),
        ("Where can I leave my bicycle?", "basement"),
    ],
)
def test_it_answers_with_the_sentence_that_speaks_to_the_question(
    question: str, expected: str
) -> None:
    said = answer(question=question, passages=[BADGES, PARKING]).answer
    assert expected in said


@pytest.mark.parametrize(
    "question",
    [
        "Who founded the lighthouse company?",
        "How many litres does the fountain hold?",
        "How much does the garage cost per month?",
    ],
)
def test_it_says_so_when_no_sentence_is_good_enough(question: str) -> None:
    assert answer(question=question, passages=[BADGES, PARKING]).answer == NOT_FOUND


def test_without_passages_there_is_no_answer() -> None:
    assert answer(question="How much does a new badge cost?", passages=[]).answer == NOT_FOUND


def test_it_says_that_it_can_only_answer_in_text() -> None:
    said = answer(question="Can you send me a photo of a badge?", passages=[BADGES]).answer
    assert said == TEXT_ONLY


def test_every_sentence_of_an_answer_stands_in_a_passage() -> None:
    said = answer(question="What does a badge show and cost?", passages=[BADGES]).answer
    assert all(part.strip(".") in BADGES.text for part in said.split(". "))


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("What time does the garage open?", [2]),
        ("How much does a new badge cost?", [1]),
        ("Who wrote Hamlet?", []),
    ],
)
def test_passages_are_ordered_by_the_sentence_that_answers_best(
    question: str, order: list[int]
) -> None:
    assert rerank(question=question, passages=[BADGES, PARKING]).order == order


def test_a_question_is_reworded_as_its_key_words() -> None:
    found = reword(question="How soon must a lost badge be reported to the front desk?").queries
    assert found[0] == "lost badge reported front desk"
    assert all(text != "" for text in found)
    assert reword(question="?").queries == []


def test_the_checked_answer_says_what_it_rests_on() -> None:
    found = answer_checked(question="How much does a new badge cost?", passages=[BADGES])
    assert "$12" in found.answer
    assert found.answer in found.rationale
    nothing = answer_checked(question="Who wrote Hamlet?", passages=[BADGES])
    assert (nothing.answer, nothing.rationale) == (NOT_FOUND, "No sentence speaks to it.")
