"""Stances of passages on claims, and terms that no passage has."""

import pytest

from uaeval.offline.evidence import missing_terms, stances, statement_stances
from uaeval.records import Passage


def test_a_name_whose_abbreviation_is_in_a_passage_is_not_missing() -> None:
    passage = Passage(number=1, title="Networks", heading="", text="A CIDR range is taken.")
    asked = "what do you know about Classless Inter-Domain Routing?"
    assert missing_terms(asked, [passage]) == frozenset()
    other = Passage(number=1, title="Networks", heading="", text="A range is taken.")
    assert "classless" in missing_terms(asked, [other])


def test_a_phrase_is_missing_if_no_passage_has_all_of_its_words() -> None:
    asked = "what do you know about harbour guards?"
    guard = Passage(number=1, title="", heading="", text="A guard waits at the gate every night.")
    harbour = Passage(number=2, title="", heading="", text="The harbour is open all day.")
    assert missing_terms(asked, [guard, harbour]) == {"harbour", "guard"}
    text = f"{guard.text} {harbour.text}"
    assert not missing_terms(asked, [Passage(number=1, title="", heading="", text=text)])


def test_a_question_is_missing_if_no_passage_has_most_of_its_words() -> None:
    asked = "What does the county pay to the class trip grant of the museum?"
    fee = Passage(number=1, title="", heading="", text="Members of the museum pay no handling fee.")
    road = Passage(number=2, title="", heading="", text="The county repairs the trip counter.")
    grant = Passage(number=3, title="", heading="", text="A grant for each class of a school.")
    assert missing_terms(asked, [fee, road])
    near = "The county gives a grant for every trip of a class."
    assert not missing_terms(
        asked, [fee, grant, Passage(number=4, title="", heading="", text=near)]
    )


def test_another_statement_about_a_thing_does_not_contradict_its_definition() -> None:
    said = Passage(
        number=1, title="", heading="", text="A cons list is built by the cons function."
    )
    assert stances("What is a cons list?", "a data structure", [said]).contradicts == []
    assert stances("What does a cons list hold?", "two values", [said]).contradicts == []
    cost = Passage(number=2, title="", heading="", text="The fee of the night ferry is $40.")
    assert stances("What is the fee of the night ferry?", "$30", [cost]).contradicts == [2]


@pytest.mark.parametrize(
    ("asked", "text", "new"),
    [
        ("can you explain modularity to me?", "A module holds functions.", set()),
        ("can you explain spots to me?", "A function takes parameters.", set()),
        ("can you explain polymorphism to me?", "A module holds functions.", {"polymorph"}),
        ("can you explain Module to me?", "A function takes parameters.", {"modul"}),
        ("How do I configure RBAC?", "Role-Based Access Control is on.", set()),
        ("How do I configure RBAC?", "Access is based on a role.", {"rbac"}),
        ("what is borrow_mut used for?", "A function may borrow a value.", {"borrow_mut"}),
    ],
)
def test_a_missing_word_is_a_name_or_rare_and_its_root_is_in_no_passage(
    asked: str, text: str, new: set[str]
) -> None:
    assert missing_terms(asked, [Passage(number=1, title="", heading="", text=text)]) == new


def test_a_denied_ability_contradicts_the_ability() -> None:
    text = "Constants can be declared in any scope, including the global scope."
    said = Passage(number=1, title="", heading="", text=text)
    assert statement_stances("Constants can't be declared in any scope.", [said]).contradicts == [1]
    assert statement_stances("Constants can be declared in any scope.", [said]).supports == [1]
