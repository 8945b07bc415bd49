import pytest

from uaeval.llm.rules.mining.full_answers import contact_in_full, told_in_full
from uaeval.types import Passage


def page(text: str, title: str = "Sea leave", heading: str = "") -> Passage:
    return Passage(number=1, title=title, heading=heading, text=text)


QUOTE = "You can request up to 12 days of sea leave."


@pytest.mark.parametrize(
    ("after", "whole"),
    [
        ("", True),
        (" Sea leave is paid.", True),
        (" For more information, see the sea leave page.", True),
        (" If you have any questions, ask the harbour.", True),
        (" If you are a deckhand, you can request up to 4 days.", False),
        (" However, deckhands get 4 days.", False),
        (" Unless it storms, all of it is paid.", False),
        ("\n\nIf you are a deckhand, ask for an oar.", True),
    ],
)
def test_a_figure_that_the_next_sentence_narrows_is_half_an_answer(after: str, whole: bool) -> None:
    asked = "How many days of sea leave can I request?"
    shown = page(f"{QUOTE}{after}")
    assert told_in_full(asked, "up to 12 days", QUOTE, shown, steps=False) is whole


@pytest.mark.parametrize(
    ("after", "whole"),
    [
        ("", True),
        (" The alarm is loud.", True),
        (" The alarm is loud. Report it within an hour.", False),
        (" Please tell the harbour.", False),
        ("\n\nIt is critical that you tell the harbour.", False),
        ("\n\nRefer to the alarm page for more information.", True),
    ],
)
def test_a_step_with_a_further_step_is_half_an_answer(after: str, whole: bool) -> None:
    quote = "If you smell smoke on board, ring the alarm."
    asked = "What should I do if I smell smoke on board?"
    shown = page(f"{quote}{after}")
    assert told_in_full(asked, "ring the alarm", quote, shown, steps=True) is whole


def test_an_answer_that_points_to_its_page_is_none() -> None:
    quote = "To request sea leave, fill in this form."
    asked = "How do I request sea leave?"
    assert not told_in_full(asked, "fill in this form", quote, page(quote), steps=True)


@pytest.mark.parametrize(
    ("question", "quote", "heading", "whole"),
    [
        (
            "Who do I ask about sea leave?",
            "If you have questions, ask the harbour office.",
            "Sea leave",
            True,
        ),
        (
            "Who can help me with sea leave?",
            "For help mending a sail, ask the harbour office.",
            "Sea leave",
            False,
        ),
        (
            "Who do I ask about sea leave?",
            "If you run into issues, ask the harbour office.",
            "Error after a cancelled voyage",
            False,
        ),
        (
            "Who do I ask about sea leave?",
            "With their approval, email it to the harbour office.",
            "Sea leave",
            False,
        ),
        (
            "Who do I contact before I take sea leave?",
            "Before you take sea leave, contact the harbour office.",
            "Rules",
            True,
        ),
    ],
)
def test_a_contact_serves_the_purpose_that_its_statement_gives(
    question: str, quote: str, heading: str, whole: bool
) -> None:
    shown = page(quote, heading=heading)
    assert contact_in_full(question, "the harbour office", quote, shown) is whole


def test_a_question_before_the_contact_gives_its_purpose() -> None:
    quote = "Ask the harbour office."
    shown = page(f"Have questions about your oar? {quote}", heading="Sea leave")
    assert not contact_in_full("Who do I ask about sea leave?", "the harbour office", quote, shown)
    assert contact_in_full("Who do I ask about my oar?", "the harbour office", quote, shown)


def test_one_of_two_contacts_is_half_an_answer() -> None:
    quote = "Questions on sea leave can be posted to #harbour or sent to sea@harbour.example."
    both = "#harbour or sea@harbour.example"
    assert not contact_in_full("Where do I ask about sea leave?", "#harbour", quote, page(quote))
    assert contact_in_full("Where do I ask about sea leave?", both, quote, page(quote))


def test_a_yes_within_a_case_is_not_told_in_full() -> None:
    quote = "Your colleagues can give you their days off."
    ask = ("Can my colleagues give me their days off?", "Yes, your colleagues can give you them")
    alone = page(quote)
    within = page(f"If you are ill and have no days left, you can ask the board. {quote}")
    assert told_in_full(*ask, quote, alone, steps=False)
    assert not told_in_full(*ask, quote, within, steps=False)
