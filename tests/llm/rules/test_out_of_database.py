from uaeval.llm.rules import out_of_database
from uaeval.types import Passage

ARTICLE = Passage(
    number=1,
    title="Bellmoor Library buys the Quill atlas",
    heading="",
    text="The Bellmoor Library paid £41,000 for the Quill atlas of harbour maps. It is old.",
)
INSIDE = Passage(
    number=1,
    title="Loan desk",
    heading="Maps",
    text="The library lends maps and an atlas to readers. "
    "You can borrow up to 12 maps from the loan desk.",
)


def test_the_query_is_from_the_article_and_the_twin_from_the_passage() -> None:
    draft = out_of_database.generate(
        article=ARTICLE, passages=[INSIDE], turn="1", language="auto"
    ).draft
    assert draft is not None
    assert (
        draft.question
        == "How much did the Bellmoor Library pay for the Quill atlas of harbour maps?"
    )
    assert draft.outside_answer == "£41,000"
    assert len(draft.phrasings) == 2
    assert draft.twin.question == "How many maps can I borrow from the loan desk?"
    assert draft.twin.quote in INSIDE.text


def test_articles_without_a_common_topic_are_declined() -> None:
    cooking = Passage(number=1, title="Soup", heading="", text="You must stir soup for 9 minutes.")
    written = out_of_database.generate(
        article=ARTICLE, passages=[cooking], turn="1", language="auto"
    )
    assert written.draft is None


def verdict(question: str, answer: str) -> str:
    return out_of_database.verify(
        question=question,
        answer=answer,
        twin_question="How many maps can I borrow from the loan desk?",
        twin_answer="up to 12 maps",
        passages=[INSIDE],
    ).label


def test_a_question_about_something_unknown_is_not_answered() -> None:
    assert verdict("How much did the Bellmoor Library pay for maps?", "£41,000") == "not_answered"


def test_an_answer_that_stands_in_a_passage_is_found() -> None:
    assert verdict("How many maps can I borrow at the loan desk?", "12") == "answered"
    assert verdict("How many maps can I borrow at the loan desk?", "30 maps") == "answered"


def test_a_question_that_points_at_the_article_does_not_stand_alone() -> None:
    assert verdict("How much did they pay for it?", "£41,000") == "does_not_stand_alone"
