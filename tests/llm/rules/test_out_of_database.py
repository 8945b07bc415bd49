import pytest

from uaeval.llm.rules import out_of_database
from uaeval.llm.rules.readings.completed import completed
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


@pytest.mark.parametrize(
    ("passage", "label"),
    [
        ("Ask the HMB what the letters of a map mean, and what they stand for.", "not_answered"),
        ("The Harbour Map Board lends maps; what its letters mean stands there.", "answered"),
    ],
)
def test_an_abbreviation_is_answered_by_its_words_only(passage: str, label: str) -> None:
    verification = out_of_database.verify(
        question="What do the letters HMB mean?",
        answer="House of Many Books",
        twin_question="How many maps can I borrow from the loan desk?",
        twin_answer="up to 12 maps",
        passages=[INSIDE, Passage(number=2, title="Maps", heading="", text=passage)],
    )
    assert verification.label == label


def test_a_question_about_something_unknown_is_not_answered() -> None:
    assert verdict("How much did the Bellmoor Library pay for maps?", "£41,000") == "not_answered"


def test_an_answer_that_stands_in_a_passage_is_found() -> None:
    assert verdict("How many maps can I borrow at the loan desk?", "12") == "answered"
    assert verdict("How many maps can I borrow at the loan desk?", "30 maps") == "answered"


def test_a_question_that_points_at_the_article_does_not_stand_alone() -> None:
    assert verdict("How much did they pay for it?", "£41,000") == "does_not_stand_alone"


def drafted(text: str, turn: str = "1") -> str | None:
    article = Passage(number=1, title="Bellmoor Library atlas", heading="", text=text)
    written = out_of_database.generate(
        article=article, passages=[INSIDE], turn=turn, language="auto"
    )
    return written.draft.question if written.draft else None


@pytest.mark.parametrize(
    "text",
    [
        "You can copy maps of the Quill atlas at the Bellmoor Library.",
        "What the Quill atlas allows you to do is much. The Quill atlas allows you to see maps.",
    ],
    ids=["yes or no", "what all is possible"],
)
def test_only_one_concrete_thing_is_asked_for(text: str) -> None:
    assert drafted(text) is None


def test_abbreviations_wait_for_the_last_turn() -> None:
    text = "Maps of the atlas are kept by the Bellmoor Register of Harbours (BRH) in the library."
    assert drafted(text, "1") is None
    assert "BRH" in (drafted(text, "3") or "")


ACCESS = "How do I get access to Quillnet?"


def test_who_handles_a_thing_answers_how_to_get_it() -> None:
    told = (
        Passage(number=1, title="Tools", heading="", text="We manage Quillnet and Tern."),
        Passage(number=2, title="Desk", heading="", text="For Quillnet write to desk@bell.org."),
    )
    assert all(out_of_database.handles(ACCESS, one) for one in told)
    found = out_of_database.verify(
        question=ACCESS,
        answer="ask the librarian",
        twin_question="Who runs the desk of the library?",
        twin_answer="Ada Finch",
        passages=told,
    )
    assert found.label == "answered"


def test_a_mere_mention_is_no_part_of_an_answer() -> None:
    seen = Passage(number=1, title="Maps", heading="", text="Quillnet is older than the atlas.")
    assert not out_of_database.handles(ACCESS, seen)


def test_a_page_about_a_place_is_asked_for_what_one_needs_there() -> None:
    page = Passage(
        number=1,
        title="Port Bellmoor",
        heading="Bathrooms",
        text="The bathrooms are on the ninth floor, next to the lockers.",
    )
    asked = [fact.question for fact in completed(page)]
    assert asked
    assert all(question.endswith("in Port Bellmoor?") for question in asked)


def test_several_passages_that_touch_a_question_answer_it() -> None:
    question = "Which harbour maps does Quillnet store for readers?"
    told = [
        Passage(number=place, title="Tools", heading="", text=text)
        for place, text in enumerate(
            ("Quillnet has maps for all readers.", "Readers see their maps in Quillnet."), 1
        )
    ]
    assert all(out_of_database.touches(question, one) for one in told)
    labels = [
        out_of_database.verify(
            question=question,
            answer="the date of birth",
            twin_question="Who runs the desk of the library?",
            twin_answer="Ada Finch",
            passages=shown,
        ).label
        for shown in (told, told[:1])
    ]
    assert labels == ["answered", "not_answered"]
