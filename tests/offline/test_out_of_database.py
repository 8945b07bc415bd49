"""The offline author of queries that only an outside article answers."""

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.offline.author.out_of_database import write
from uaeval.offline.evidence import missing_terms
from uaeval.records import Passage


def page(number: int, title: str, text: str) -> Passage:
    return Passage(number=number, title=title, heading="", text=text)


QUAY = page(1, "Night ferry", "A night ferry is stored in the harbour shed.")
MILL = page(2, "Mill", "Seven looms are kept in the old mill.")


def draft(text: str, title: str = "Winter") -> OutOfDatabaseDraft | None:
    article = page(1, title, text)
    return write(language="en", turn="1", passages=[QUAY, MILL], article=article).draft


def test_a_topic_that_no_passage_names_gives_a_query_and_the_nearest_twin() -> None:
    written = draft("A steam ferry is stored in the harbour basin.", "Steam ferry")
    assert written and written.outside_answer == "in the harbour basin"
    assert written.passage == QUAY.number
    assert written.twin.question == "Where is a night ferry stored?"


def test_a_topic_that_a_passage_names_gives_no_query() -> None:
    assert draft("The harbour shed is home of a long, wet and cold night ferry.") is None


def test_a_topic_that_an_article_only_mentions_gives_no_query() -> None:
    assert draft("A steam dredger is stored in the harbour basin.", "Harbour basin") is None


def test_a_heading_with_a_word_that_no_passage_has_gives_a_query() -> None:
    text = "Work\n\nRepair a paddle ferry\n\nTo repair a ferry, take the chain off its wheel."
    written = draft(text)
    assert written and "repair a paddle ferry" in written.question
    assert written.outside_answer == "To repair a ferry, take the chain off its wheel"


def test_the_twin_is_about_a_thing_of_the_same_kind() -> None:
    text = "A steam dredger is a ship that digs by night. The steam dredger sank."
    barge = page(
        3, "Steam barge", "A steam barge is a ship that carries coal. The steam barge leaks."
    )
    article = page(1, "Steam dredger", text)
    written = write(language="en", turn="1", passages=[MILL, barge], article=article).draft
    assert written and "steam dredger" in written.question
    assert written.passage == barge.number
    assert "steam barge" in written.twin.question


def test_an_article_that_shares_no_word_with_a_fact_gives_no_query() -> None:
    article = page(1, "Steam dredger", "A steam dredger is moored in the canal basin.")
    assert write(language="en", turn="1", passages=[MILL], article=article).draft is None


def test_a_question_is_missing_if_no_sentences_have_most_of_its_words() -> None:
    told = [
        "Looms stand in the mill.",
        "Coal is sold here.",
        "Ferries dock at dawn.",
        "Rope is wet.",
    ]
    far = [page(number, "", text) for number, text in enumerate(told, 1)]
    assert missing_terms("Do looms need coal and rope at dawn?", far)
    assert not missing_terms("Do looms stand in the mill?", far)


def test_a_fact_about_the_topic_with_a_name_that_no_passage_has_gives_a_query() -> None:
    written = draft("The Harbour Shed was built by Ada Quill in 1931.", "Harbour Shed")
    assert written and "Ada Quill" in written.question and written.outside_answer == "1931"


def test_the_twin_shares_a_distinctive_noun_with_the_query_where_a_fact_has_one() -> None:
    boats = page(3, "Boats", "A paddle ferry is stored in the canal.")
    harbour = page(4, "Harbour", "A harbour basin is stored in the harbour plan.")
    text = "A steam ferry is stored in the canal shed. The steam ferry leaks."
    article = page(1, "Harbour basin of the harbour", text)
    written = write(language="en", turn="1", passages=[boats, harbour], article=article).draft
    assert written and written.passage == boats.number


def test_what_a_heading_names_gives_a_twin() -> None:
    sheds = page(3, "Harbour", "Ferry sheds\n\nFerry sheds keep the boats of the harbour dry.")
    article = page(1, "Steam ferry", "A steam ferry is stored in the harbour basin.")
    written = write(language="en", turn="1", passages=[sheds], article=article).draft
    assert written and "the ferry sheds" in written.twin.question
