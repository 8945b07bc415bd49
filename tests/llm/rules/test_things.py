from uaeval.llm.rules.templates.things import Kind, things
from uaeval.types import Passage


def passage(text: str, title: str = "Notes", heading: str = "") -> Passage:
    return Passage(number=1, title=title, heading=heading, text=text)


def test_a_thing_is_named_with_its_modifiers_and_without_its_article() -> None:
    (found,) = things(passage("Lay the blue loading bay permit on the dashboard of your van."))[:1]
    assert found.text in {"loading bay permit", "bay permit", "dashboard"}


def test_the_head_is_singular_for_things_that_one_has_one_of() -> None:
    named = {thing.text: thing for thing in things(passage("Bring the invoices to the desk."))}
    assert named["invoice"].kind is Kind.DOCUMENT
    assert not named["invoice"].plural


def test_a_heading_weighs_more_than_a_mention() -> None:
    text = "Show the receipt to the manager."
    found = things(passage(text, title="Sick leave"))
    assert found[0].text == "sick leave"
    assert found[0].weight > found[-1].weight


def test_vague_nouns_alone_are_no_topic() -> None:
    assert things(passage("Use the form and the tool before the review.")) == ()


def test_a_noun_that_goes_on_is_not_cut_short() -> None:
    assert "badge" not in {thing.text for thing in things(passage("Wear the badge holder."))}
