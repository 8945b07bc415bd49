import pytest

from uaeval.llm.rules.mining.facts import facts
from uaeval.llm.rules.mining.patterns import FactKind
from uaeval.types import Passage


def passage(text: str, *, title: str = "Loan desk", heading: str = "") -> Passage:
    return Passage(number=1, title=title, heading=heading, text=text)


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        (
            "You can borrow up to 12 books from the loan desk.",
            "How many books can I borrow from the loan desk?",
            "up to 12 books",
        ),
        (
            "You must return a laptop from the loan desk within 14 days of the loan.",
            "When do I have to return a laptop from the loan desk?",
            "within 14 days of the loan",
        ),
        (
            "To renew a loan at the desk, show your reader card to the clerk.",
            "How do I renew a loan at the desk?",
            "show your reader card to the clerk",
        ),
        (
            "If you lose your card for the loan desk, call the night porter.",
            "What should I do if I lose my card for the loan desk?",
            "call the night porter",
        ),
        (
            "The Cassini Depot is a warehouse for rarely used maps.",
            "What is the Cassini Depot?",
            "a warehouse for rarely used maps",
        ),
        (
            "The Registrar approves every loan abroad.",
            "Who approves every loan abroad?",
            "The Registrar",
        ),
        (
            "Every foreign loan must be approved by a supervisor.",
            "Who has to approve every foreign loan?",
            "a supervisor",
        ),
        (
            "A reader card for the loan desk costs £7.50 a year and can be extended.",
            "How much does a reader card for the loan desk cost?",
            "£7.50 a year",
        ),
        (
            "In 2031 the loan desk lent 4,100 maps to schools.",
            "How many maps did the loan desk lend to schools in 2031?",
            "4,100 maps",
        ),
        (
            "The head of the loan desk, Ada Quill, answers questions about maps.",
            "Who is the head of the loan desk?",
            "Ada Quill",
        ),
        (
            "The reading hall of the loan desk was opened in 1931 by a baker.",
            "When was the reading hall of the loan desk opened?",
            "in 1931",
        ),
        (
            "The book committee meets weekly in the loan desk's back room.",
            "How often does the book committee meet?",
            "weekly",
        ),
        (
            "You may not bring wet umbrellas to the loan desk.",
            "Can I bring wet umbrellas to the loan desk?",
            "No, you cannot bring wet umbrellas to the loan desk",
        ),
        (
            "There are 64 lockers at the loan desk.",
            "How many lockers are there at the loan desk?",
            "64 lockers",
        ),
    ],
)
def test_a_plain_sentence_gives_a_question_that_stands_alone(
    sentence: str, question: str, answer: str
) -> None:
    found = {fact.question: fact.answer for fact in facts(passage(sentence))}
    assert found.get(question, found) == answer


@pytest.mark.parametrize(
    "text",
    [
        "This can be requested at the loan desk within 14 days.",
        "However, you can borrow up to 12 books from the loan desk.",
        "It costs £7.50 a year for readers of the loan desk.",
        "You can find the opening hours of the loan desk below.",
        "We lend maps to readers of the loan desk for 14 days.",
        "## You can borrow up to 12 books from the loan desk.",
        "You can borrow up to 12 books from the loan desk",
        "Pick one of:\n\n- You can borrow up to 12 books from the loan desk.",
        "```\nYou can borrow up to 12 books from the loan desk.\n```",
        "Can you borrow up to 12 books from the loan desk?",
        "| You can borrow up to 12 books from the loan desk. |",
    ],
)
def test_sentences_that_need_their_context_and_what_is_no_prose_are_not_used(text: str) -> None:
    assert facts(passage(text)) == ()


def test_a_fact_keeps_the_words_of_the_passage_with_their_markup() -> None:
    text = "You can borrow up to **12 books** from the [loan desk](https://desk.example/x)."
    fact, *_ = facts(passage(text))
    assert fact.sentence == text
    assert fact.plain == "You can borrow up to 12 books from the loan desk."


def test_the_parts_of_a_fact_put_its_statement_together() -> None:
    fact, *_ = facts(
        passage("If you study abroad, you can borrow up to 12 books a year from the desk.")
    )
    assert (fact.subject, fact.modal, fact.verb) == ("I", "can", "borrow")
    assert fact.condition == "if I study abroad"
    assert fact.kind is FactKind.AMOUNT
    assert fact.gap == "up to 12 books"


def test_facts_of_examples_are_left_out() -> None:
    text = "You can borrow up to 12 books from the loan desk."
    assert facts(passage(text, heading="Example of a letter")) == ()


def test_the_same_passage_gives_the_same_facts_in_the_same_order() -> None:
    text = (
        "You can borrow up to 12 books from the loan desk. "
        "Readers must show their card at the loan desk."
    )
    assert facts(passage(text)) == facts(passage(text))
    assert facts(passage(text))[0].kind is FactKind.AMOUNT
