"""The offline author of underspecified queries."""

import pytest

from uaeval.offline.author.cases import cases
from uaeval.offline.author.underspecified import write
from uaeval.offline.evidence import stands_alone
from uaeval.records import Passage


def page(number: int, title: str, heading: str, text: str) -> Passage:
    return Passage(number=number, title=title, heading=heading, text=text)


NORTH = page(1, "North Quay", "Opening hours", "North Quay is open from 9:00 to 17:00 on weekdays.")
SOUTH = page(2, "South Mill", "Opening hours", "South Mill is open on Sundays in July and August.")


def test_one_heading_on_pages_of_two_places_is_asked_without_the_place() -> None:
    draft = write(language="en", turn="0", passage=NORTH, related=[SOUTH]).draft
    assert draft
    assert draft.question.endswith("the opening hours?")
    assert [(reading.value, reading.passage) for reading in draft.readings] == [
        ("North Quay", 1),
        ("South Mill", 2),
    ]
    assert stands_alone(draft.twin.question)


@pytest.mark.parametrize(
    ("heading", "text", "part"),
    [
        ("Opening hours", "The quay is open from 9:00 to 17:00 on weekdays.", "the opening hours"),
        ("Fees", "The fees of the quay are due on the first of May.", "the fees"),
    ],
)
def test_a_heading_that_names_a_thing_is_asked_for(heading: str, text: str, part: str) -> None:
    found = cases(page(1, "Harbour", heading, text))
    assert len(found) == 1 and part in found[0].query


@pytest.mark.parametrize(
    ("title", "heading", "text"),
    [
        ("Harbour fees", "Fees", "The fees of the quay are due on the first of May."),
        ("harbour_fees", "Fees", "The fees of the quay are due on the first of May."),
        ("Harbour", "Borrowing books", "Books have been lent out here since 1911."),
        ("Harbour", "Borrowing books", "To borrow books, show your card at the desk."),
        ("Harbour", "Fees", "See the page of the fees for what is due in May."),
        ("Harbour", "Overview", "The overview of the quay is found at the desk."),
    ],
)
def test_a_heading_is_not_asked_where_the_passage_does_not_answer_it(
    title: str, heading: str, text: str
) -> None:
    assert not cases(page(1, title, heading, text))


def test_rows_of_a_table_are_cases() -> None:
    text = "Quay | Opening day | Fee\nNorth Quay | Monday | 4 euros\nSouth Mill | Friday | 9 euros"
    draft = write(language="en", turn="0", passage=page(1, "Fees", "", text), related=[]).draft
    assert draft and draft.question == "What is the opening day?"
    assert draft.twin.question == "What is the opening day for North Quay?"
    assert [(reading.value, reading.answer) for reading in draft.readings] == [
        ("North Quay", "Monday"),
        ("South Mill", "Friday"),
    ]


def test_things_of_one_kind_are_cases() -> None:
    text = (
        "- Night ferry: Carries coal and timber along the northern canal.\n"
        "- Steam ferry: Carries people across the harbour in summer."
    )
    draft = write(language="en", turn="0", passage=page(1, "Boats", "", text), related=[]).draft
    assert draft and draft.question.endswith("does the ferry do?")
    assert draft.twin.question.endswith("does the night ferry do?")
    assert [reading.value for reading in draft.readings] == ["night", "steam"]


def test_pages_that_say_the_same_are_no_two_readings() -> None:
    same = page(2, "South Mill", "Opening hours", NORTH.text.replace("North Quay", "South Mill"))
    assert write(language="en", turn="0", passage=NORTH, related=[same]).draft is None
