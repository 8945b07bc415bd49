import pytest

from uaeval.llm.rules import evidence, false_presupposition
from uaeval.llm.rules.signs.presupposed import presupposed
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage

RULES = (
    "You can borrow up to 12 books of the loan desk.",
    "You must show your reader card at the loan desk.",
    "Readers may not eat soup at the loan desk.",
    "You may take photographs of maps at the loan desk.",
    "A reader card for the loan desk costs £7.50 a year.",
    "The reading hall of the loan desk closes at 17:00.",
)


def passage(text: str) -> Passage:
    return Passage(number=1, title="Loan desk", heading="", text=text)


@pytest.mark.parametrize("rule", RULES)
def test_a_stated_rule_is_turned_and_taken_for_granted(rule: str) -> None:
    source = passage(rule)
    draft = false_presupposition.generate(passage=source, language="en").draft
    assert draft is not None
    assert draft.fact == rule
    assert draft.twin.quote in source.text
    assert draft.question.endswith("?")
    assert draft.question != draft.twin.question
    assert evidence.stance(draft.premise, source) is Stance.CONTRADICTS
    assert presupposed(draft.question, draft.premise) == "takes_for_granted"


def test_an_amount_is_changed_beyond_doubt() -> None:
    draft = false_presupposition.generate(passage=passage(RULES[0]), language="en").draft
    assert draft is not None
    assert draft.premise == "You can borrow 36 books of the loan desk."
    assert "36 books" in draft.question


@pytest.mark.parametrize(
    "text",
    [
        "The loan desk is old and full of charm.",
        "You can see the harbour from the loan desk.",
        "You may use any pen at the loan desk.",
    ],
)
def test_what_states_no_rule_is_declined(text: str) -> None:
    written = false_presupposition.generate(passage=passage(text), language="en")
    assert written.draft is None
    assert written.declined


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Who approves the 30 books that I can borrow?", "takes_for_granted"),
        ("Why can I borrow 30 books?", "takes_for_granted"),
        ("Since I can borrow 30 books, may I bring a trolley?", "takes_for_granted"),
        ("Can I borrow 30 books?", "asks_whether"),
        ("I'd like to know whether I can borrow 30 books.", "asks_whether"),
        ("How many books can I borrow?", "not_in_query"),
        ("Where is the cloakroom?", "not_in_query"),
    ],
)
def test_taking_for_granted_is_told_from_asking(question: str, label: str) -> None:
    assert presupposed(question, "You can borrow 30 books.") == label


def test_a_denied_premise_is_not_in_a_query_without_a_denial() -> None:
    premise = "You do not have to show your reader card."
    assert presupposed("Where do I show my reader card?", premise) == "not_in_query"


def test_the_verifier_names_what_contradicts_the_premise() -> None:
    found = false_presupposition.verify(
        question="Who approves the 30 books that I can borrow from the loan desk?",
        premise="You can borrow 30 books from the loan desk.",
        twin_question="How many books can I borrow from the loan desk?",
        twin_answer="up to 12 books",
        passages=[passage("You can borrow up to 12 books from the loan desk.")],
    )
    assert found.label == "takes_for_granted"
    assert (found.premise.supports, found.premise.contradicts) == ([], [1])
    assert (found.twin.stands_alone, found.twin.supports) == (True, [1])


def test_silence_is_no_contradiction() -> None:
    found = false_presupposition.verify(
        question="When does the ice rink behind the loan desk open?",
        premise="There is an ice rink behind the loan desk.",
        twin_question="How many books can I borrow from the loan desk?",
        twin_answer="up to 12 books",
        passages=[passage("You can borrow up to 12 books from the loan desk.")],
    )
    assert found.premise.contradicts == []
