import pytest

from uaeval.llm.rules.english.grammar import content
from uaeval.llm.rules.readings.contacts import contact_groups
from uaeval.llm.rules.readings.siblings import attach
from uaeval.llm.rules.underspecified import generate, verify
from uaeval.types import Passage


def _passage(number: int, title: str, heading: str, text: str) -> Passage:
    return Passage(number=number, title=title, heading=heading, text=text)


QUAY = _passage(
    1,
    "Gannet Quay – site guide",
    "Opening hours",
    "Gannet Quay opens all year. The last admission at Gannet Quay is 45 minutes before closing.",
)
PANS = _passage(
    2,
    "Saltgarth Pans – site guide",
    "Opening hours",
    "Saltgarth Pans is small. The last admission at Saltgarth Pans is 30 minutes before closing.",
)
SHOP = _passage(
    3, "The shop", "Hours", "The shop sells postcards. It never sells tickets for the ferry."
)
TERN = _passage(
    1,
    "Membership",
    "Tern",
    "Tern membership costs £38 a year. In the shop a Tern member gets a discount.",
)
HERON = _passage(
    2, "Membership", "Heron", "Every Heron is welcome. Heron membership costs £62 a year."
)


def test_a_query_leaves_out_what_tells_its_readings_apart() -> None:
    draft = generate(passage=QUAY, related=[PANS, SHOP], turn="1", language="en").draft
    assert draft is not None
    assert draft.question == "How long before closing is the last admission?"
    assert {reading.answer for reading in draft.readings} == {"45 minutes", "30 minutes"}
    assert {reading.passage for reading in draft.readings} == {1, 2}
    for reading in draft.readings:
        assert reading.value in reading.question
        assert not content(reading.value) & content(draft.question)


def test_the_twin_is_the_reading_of_the_passage_itself() -> None:
    draft = generate(passage=QUAY, related=[PANS], turn="1", language="en").draft
    assert draft is not None
    assert draft.twin.question == "How long before closing is the last admission at Gannet Quay?"
    assert draft.twin.answer == "45 minutes"
    assert draft.twin.quote in QUAY.text


def test_the_reason_names_the_readings() -> None:
    draft = generate(passage=TERN, related=[HERON], turn="1", language="en").draft
    assert draft is not None
    assert draft.question == "How much does membership cost?"
    assert "Tern or Heron" in draft.reason


def test_the_same_passages_give_the_same_draft() -> None:
    first = generate(passage=TERN, related=[HERON, QUAY], turn="1", language="en")
    again = generate(passage=TERN, related=[HERON, QUAY], turn="1", language="en")
    assert first == again


@pytest.mark.parametrize(
    "related",
    [
        [],
        [SHOP],
        [
            _passage(
                2, "Other", "", "The last admission at Saltgarth Pans is 45 minutes before closing."
            )
        ],
    ],
    ids=["nothing else", "nothing alike", "the same answer"],
)
def test_it_declines_without_a_second_answer(related: list[Passage]) -> None:
    written = generate(passage=QUAY, related=related, turn="1", language="en")
    assert written.draft is None
    assert written.declined


OFFICES = [
    _passage(
        1,
        "Chicago",
        "How do I … › Get a locker",
        "To get a locker, ask the front desk on the ninth floor.",
    ),
    _passage(
        2,
        "New York City",
        "How do I … › Get a locker",
        "Email the building team in New York City to get a locker.",
    ),
]


def test_sections_under_one_heading_are_readings_of_one_query() -> None:
    draft = generate(passage=OFFICES[0], related=OFFICES[1:], turn="1", language="en").draft
    assert draft is not None
    assert "Chicago" not in draft.question
    assert {reading.value for reading in draft.readings} == {"Chicago", "New York City"}


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How long before closing is the last admission?", "several_readings"),
        ("How long before closing is the last admission at Gannet Quay?", "one_answer"),
        ("What does the ferry ticket for a bicycle cost?", "no_reading"),
        ("How long before closing is the last admission at each of your sites?", "one_answer"),
        ("Can you send me photos of the last admission?", "modality_limited"),
    ],
)
def test_a_reader_looks_for_the_readings_without_being_told(question: str, label: str) -> None:
    assert verify(question=question, passages=[QUAY, PANS, SHOP]).label == label


def test_one_rule_for_all_is_no_set_of_readings() -> None:
    rule = _passage(
        3, "Membership", "For all", "Every membership costs the same at all sites, £40."
    )
    found = verify(question="How much does membership cost?", passages=[TERN, HERON, rule])
    assert found.label == "general_rule"


def test_passages_that_agree_are_one_answer() -> None:
    same = _passage(2, "Tickets", "", "The last admission everywhere is 45 minutes before closing.")
    found = verify(question="How long before closing is the last admission?", passages=[QUAY, same])
    assert found.label in {"one_answer", "general_rule"}


CONTACTS = [
    _passage(1, "Parking", "", "If you have questions about parking, contact the office manager."),
    _passage(2, "Payroll", "", "If you have questions about payroll, contact money@gannet.org."),
    _passage(2, "Parking", "", "For questions about parking, contact the office manager."),
    _passage(2, "Payroll", "", "Contact your supervisor who runs the payroll."),
]


@pytest.mark.parametrize(
    ("other", "answers"),
    [
        (CONTACTS[1], {"the office manager", "money@gannet.org"}),
        (CONTACTS[2], set()),
        (CONTACTS[3], set()),
    ],
    ids=["another matter", "the same matter", "no general contact"],
)
def test_whom_to_turn_to_depends_on_the_matter(other: Passage, answers: set[str]) -> None:
    groups = list(contact_groups(CONTACTS[0], [other]))
    found = {option.answer for group in groups if len(group) > 1 for option in group}
    assert found == answers


def test_a_channel_is_asked_for_only_where_the_answer_is_one() -> None:
    bases = [option.base for group in contact_groups(CONTACTS[0], []) for option in group]
    assert bases
    assert not [base for base in bases if "channel" in base or base.startswith("Where")]


def test_whom_to_contact_is_asked_only_after_everything_else() -> None:
    drafts = [
        generate(passage=CONTACTS[0], related=CONTACTS[1:2], turn=turn, language="en").draft
        for turn in ("1", "3")
    ]
    assert drafts[0] is None
    assert drafts[1] is not None


def test_a_name_keeps_its_capitals_in_the_completed_question() -> None:
    quay = _passage(1, "Gannet Quay", "", "Visitors to Gannet Quay like it.")
    assert attach("Gannet Quay", quay) == "for Gannet Quay"
