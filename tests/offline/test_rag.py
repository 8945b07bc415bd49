import pytest

from uaeval.offline.rag import (
    NOT_FOUND,
    answer,
    answer_evidence_first,
    multi_query,
    open_answer,
    open_answer_context,
    open_answer_context_again,
    rerank,
)
from uaeval.records import Passage

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
FAQ = Passage(
    number=3,
    title="Seeds",
    heading="",
    text=(
        "How long do tomato seeds last?\n\nThey keep for four years in a dry place.\n\n"
        "Three crops need frost to sprout:\n\n- garlic\n- winter wheat seeds\n- some alpine herbs\n"
    ),
)


def said(question: str, *passages: Passage) -> str:
    return answer(question=question, passages=passages).answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How soon must a lost badge be reported?",
            "A lost badge must be reported to the front desk within two days.",
        ),
        ("How much does a new badge cost?", "A new badge costs $12."),
        ("What time does the garage open?", "The garage opens at 06:30."),
        ("Where can bicycles be left?", "Bicycles can be left in the basement."),
    ],
)
def test_the_sentence_that_answers_is_given(question: str, expected: str) -> None:
    assert said(question, BADGES, PARKING) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who founded the lighthouse company?",
        "How many litres does the fountain hold?",
        "How much does the garage cost per month?",
        "What colour is a lost badge of a contractor?",
        "?",
    ],
)
def test_what_no_sentence_covers_is_not_found(question: str) -> None:
    assert said(question, BADGES, PARKING) == NOT_FOUND


def test_without_passages_nothing_is_found() -> None:
    assert said("How much does a new badge cost?") == NOT_FOUND


def test_a_question_in_a_passage_is_not_an_answer_but_leads_to_one() -> None:
    assert said("How long do tomato seeds last?", FAQ) == "They keep for four years in a dry place."


def test_a_sentence_that_ends_in_a_colon_is_returned_with_its_list() -> None:
    assert "winter wheat" in said("Which crops need frost to sprout?", FAQ)


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("What time does the garage open?", [2]),
        ("How much does a new badge cost?", [1]),
        ("Who wrote Hamlet?", []),
    ],
)
def test_passages_are_ordered_by_their_best_sentence(question: str, order: list[int]) -> None:
    assert rerank(question=question, passages=[BADGES, PARKING]).order == order


def test_a_question_is_reworded_as_its_key_words() -> None:
    question = "How soon must a lost badge be reported to the front desk?"
    assert multi_query(question=question).queries == ["lost badge reported front desk"]
    assert multi_query(question="?").queries == []
    assert multi_query(question="lost badge").queries == []


def test_the_checked_answer_names_its_passages() -> None:
    found = answer_evidence_first(question="How much does a new badge cost?", passages=[BADGES])
    assert (found.answer, found.rationale) == ("A new badge costs $12.", "Covered by passages 1.")
    nothing = answer_evidence_first(question="Who wrote Hamlet?", passages=[BADGES])
    assert (nothing.answer, nothing.rationale) == (NOT_FOUND, "No sentence covers it.")


def test_open_answers_keep_the_contract() -> None:
    assert open_answer(question="Who wrote Hamlet?").answer == "Final answer: I do not know."
    given = {"question": "How much does a new badge cost?", "passages": [BADGES]}
    assert open_answer_context(**given).answer == "Final answer: A new badge costs $12."  # type: ignore[arg-type]
    cited = Passage(number=1, title="", heading="", text="A new badge costs $12 (see Fees) [4].")
    again = open_answer_context_again(
        question="How much does a new badge cost?",
        passages=[cited],
    )
    assert again.answer == "Final answer: A new badge costs $12."
