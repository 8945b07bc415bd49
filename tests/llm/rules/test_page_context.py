import pytest

from uaeval.llm.rules.english.openings import LEAD
from uaeval.llm.rules.mining.page_context import in_context
from uaeval.types import Passage


def page(title: str, heading: str = "", text: str = "") -> Passage:
    return Passage(number=1, title=title, heading=heading, text=text)


@pytest.mark.parametrize(
    ("question", "title", "heading"),
    [
        ("Who mends a torn map?", "Map repairs", ""),
        ("How much does a ferry ticket to Marlowick cost?", "Marlowick", ""),
        ("Can I open MapVault from the reading room?", "Rules for the night", ""),
        ("Can I take parental leave in parts?", "Paid parental leave", ""),
        ("Who approves a loan abroad?", "Loans", "For readers abroad"),
    ],
)
def test_a_question_that_says_what_its_page_is_about_is_left_as_it_is(
    question: str, title: str, heading: str
) -> None:
    assert in_context(question, page(title, heading)) == question


@pytest.mark.parametrize(
    ("question", "title", "heading", "said"),
    [
        ("Who can sign a request?", "Updating the atlas", "Requests", "updating the atlas"),
        ("Where do I get a locker?", "Marlowick", "Where are the...? › Lockers", "Marlowick"),
        ("How much leave can I take?", "Paid parental leave", "", "paid parental leave"),
        ("How many days can I keep?", "Leave types", "Types of leave › Sea leave", "sea leave"),
        ("Who approves a loan?", "Loans", "For readers abroad", ""),
    ],
)
def test_what_a_question_lacks_is_said_before_it_or_it_is_none(
    question: str, title: str, heading: str, said: str
) -> None:
    led = in_context(question, page(title, heading))
    if not said:
        assert led is None
        return
    assert led is not None
    lead = LEAD.match(led)
    assert lead and said in lead[0].lower() + lead[0]
    assert led.endswith(f"{question[0].lower()}{question[1:]}")


def test_a_page_whose_headings_say_nothing_cannot_be_named() -> None:
    assert in_context("Who can sign a request?", page("Frequently asked questions")) is None


def test_a_name_of_the_organisation_in_capitals_names_no_page() -> None:
    led = in_context("Must a request be read by ABC staff?", page("Updating the atlas"))
    assert led is not None
    assert "updating the atlas" in led
