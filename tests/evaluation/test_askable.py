import pytest

from uaeval.evaluation.metrics.quest_eval import askable
from uaeval.knowledge.keyphrases import key_phrases


@pytest.mark.parametrize(
    ("reference", "left"),
    [
        ("Yes, within 5 days", ("5 days",)),
        ("Employees may request it", ("Employees",)),
        ("Employees must not only request it", ("Employees",)),
        ("No, only staff may.", ("staff",)),
        ("Yes, but only once.", ()),
        ("Yes.", ()),
        ("OK", ()),
        ("No", ()),
        ("It is not permitted.", ()),
        ("It depends on the manager.", ("manager",)),
        ("You must call.", ()),
        ("Ask", ()),
        ("Submit a request in writing.", ("request", "writing")),
        ("Monday", ("Monday",)),
        ("HR", ("HR",)),
        ("twice a year", ("twice", "year")),
        ("It is free, not forbidden", ("free", "forbidden")),
        ("240", ("240",)),
        ("You may call Smith from the front desk.", ("call Smith", "front desk")),
        ("Das ist erlaubt", ("erlaubt",)),
    ],
)
def test_a_word_that_no_question_can_be_asked_about_is_left_out(
    reference: str, left: tuple[str, ...]
) -> None:
    found = askable(key_phrases(reference, 8), reference)
    assert sorted(found) == sorted(left)


def test_phrases_of_several_words_and_their_order_stay() -> None:
    phrases = ("Register online", "Yes", "may request it", "5 days")
    assert askable(phrases, "Yes.") == ("Register online", "may request it", "5 days")
