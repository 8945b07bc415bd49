import pytest

from uaeval.llm.rules import evidence
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage

S, C, N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.SILENT


def passage(text: str, *, title: str = "Loan desk", heading: str = "") -> Passage:
    return Passage(number=1, title=title, heading=heading, text=text)


@pytest.mark.parametrize(
    ("claim", "text", "wanted"),
    [
        ("You can borrow 12 books.", "You can borrow up to 12 books.", S),
        ("You can borrow 30 books.", "You can borrow up to 12 books.", C),
        ("You can borrow 30 maps.", "You can borrow up to 12 books.", N),
        ("You cannot borrow atlases.", "You can borrow atlases.", C),
        ("You can borrow atlases.", "Atlases cannot be borrowed.", C),
        ("Readers do not have to show a card.", "Readers must show a card.", C),
        ("A card is charged for.", "A card is free of charge.", C),
        ("The work at the desk is paid.", "The work at the desk is unpaid.", C),
        ("There is a lift to the map room.", "There is no lift to the map room.", C),
        ("The registrar approves loans abroad.", "The archivist approves loans abroad.", C),
        ("The desk opens on Friday.", "The desk opens on Monday.", C),
        ("The desk closes at 20:00.", "The desk closes at 17:00.", C),
        ("The desk lends skis to readers.", "The desk lends maps to readers.", N),
    ],
)
def test_a_claim_is_compared_with_amounts_negation_and_duty(
    claim: str, text: str, wanted: Stance
) -> None:
    assert evidence.stance(claim, passage(text)) is wanted


def test_another_year_or_another_named_place_is_no_contradiction() -> None:
    last_year = passage("A card costs £5 in 2030.")
    assert evidence.stance("A card costs £7 in 2031.", last_year) is N
    elsewhere = passage("The desk in Bellmoor holds 90 people.")
    assert evidence.stance("The desk in Dunfold holds 300 people.", elsewhere) is N


def test_a_heading_may_hold_the_words_that_a_sentence_leaves_out() -> None:
    house = passage("It has no heating in the winter months.", heading="The Tar House")
    assert evidence.stance("The Tar House has heating.", house) is C


@pytest.mark.parametrize(
    ("question", "answer", "text", "wanted"),
    [
        ("How many books can I borrow?", "12", "You can borrow 12 books.", S),
        ("How many books can I borrow?", "12", "You can borrow 9 books.", C),
        ("Who answers questions about maps?", "Ada Quill", "Ada Quill answers map questions.", S),
        ("Can I bring a dog?", "Yes, you can bring a dog", "You must not bring a dog.", C),
        ("How long are maps lent?", "no longer than 4 weeks", "Maps are lent for 4 weeks.", N),
        ("What does a locker cost?", "£2", "You can borrow 9 books.", N),
    ],
)
def test_an_answer_is_found_contradicted_or_missed(
    question: str, answer: str, text: str, wanted: Stance
) -> None:
    assert evidence.answers(question, answer, passage(text)) is wanted


def test_support_in_one_sentence_outweighs_a_clash_in_another() -> None:
    text = "You can borrow 12 books. You can borrow 3 books during the summer sale."
    assert evidence.stance("You can borrow 12 books.", passage(text)) is S
