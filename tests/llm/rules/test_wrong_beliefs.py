import pytest

from uaeval.llm.rules import false_presupposition
from uaeval.llm.rules.wrong_beliefs import spoken
from uaeval.types import Passage

STIFF = ("Who decided", "Can you explain")
WHY = ("How come", "Why ", "What's the reason", "Is there a reason")


def question(text: str, title: str = "Loan desk") -> str | None:
    page = Passage(number=1, title=title, heading="", text=text)
    draft = false_presupposition.generate(passage=page, language="en").draft
    return draft.question if draft else None


@pytest.mark.parametrize(
    "text",
    [
        "You can borrow up to 12 books of the loan desk.",
        "You must show your reader card at the loan desk.",
        "Readers may not eat soup at the loan desk.",
        "You may take photographs of maps at the loan desk.",
        "A reader card for the loan desk costs £7.50 a year.",
        "Borrowers must return a map of the loan desk within 14 days.",
    ],
)
def test_a_wrong_belief_is_said_in_passing(text: str) -> None:
    asked = question(text)
    assert asked is not None
    assert not asked.startswith(STIFF)
    assert len(asked.split()) <= 20


@pytest.mark.parametrize(
    "text",
    [
        "You can borrow up to 12 books of the loan desk.",
        "A reader card for the loan desk costs £7.50 a year.",
        "Borrowers must return a map of the loan desk within 14 days.",
    ],
)
def test_nobody_asks_why_a_figure_is_what_it_is(text: str) -> None:
    asked = question(text)
    assert asked is not None
    assert not asked.startswith(WHY)


def test_a_fact_that_its_page_alone_ties_down_is_not_had_wrong() -> None:
    text = "Office Hours are held every Friday at 12 PM."
    assert question(text, title="Logging into Qualtrics") is None
    named = "Office Hours of the Qualtrics desk are held every Friday at 12 PM."
    assert question(named, title="Qualtrics") is not None


def test_what_is_forbidden_is_asked_for_as_if_it_were_common() -> None:
    asked = question("You must not eat soup at the loan desk.")
    assert asked is not None
    assert "eat soup at the loan desk?" in asked


def test_a_price_is_to_be_paid() -> None:
    asked = question("A reader card for the loan desk costs £7.50.")
    assert asked is not None
    assert "pay the £22.50 for a reader card for the loan desk?" in asked


@pytest.mark.parametrize(
    "text",
    [
        "GSA launched the loan desk on March 19.",
        "The loan desk has over 200,000 users.",
        "You must email the desk owner and request to join the loan desk.",
        "You can use the loan desk rules as a guide.",
        "You must let the desk owner(s) know about the loan desk.",
        "You can keep up to 5 maps of each loan desk for at most 3 weeks.",
    ],
)
def test_history_trivia_and_long_steps_are_no_beliefs(text: str) -> None:
    assert question(text) is None


def test_rules_are_put_as_people_say_them() -> None:
    assert spoken("since I do not have to ask in order to join") == (
        "since I don't have to ask to join"
    )
    assert spoken("readers cannot eat") == "readers can't eat"
