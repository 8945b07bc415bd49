"""One amount, however it is written."""

import pytest

from uaeval.synthesis.amounts import amounts
from uaeval.synthesis.numerals import in_digits


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("two hundred and forty hours", "240 hours"),
        ("one thousand eight hundred and seventy pairs", "1,870 pairs"),
        ("1,200 million copies", "1,200,000,000 copies"),
        ("twenty-five and a half", "25.5"),
        ("an hour and a half", "1.5 hour"),
        ("2½ inches", "2.5 inches"),
        ("the fourth floor", "the 4th floor"),
        ("a dozen years", "12 years"),
        ("nobody, none and no-one", "nobody, none and no-1"),
        ("three and four", "3 and 4"),
    ],
)
def test_number_words_become_digits(words: str, digits: str) -> None:
    assert in_digits(words) == digits


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("60 days", "two months"),
        ("up to 7 days", "at most a week"),
        ("3 days", "72 hours"),
        ("10 business days", "two working weeks"),
        ("every two weeks", "once a fortnight"),
        ("90-minute", "an hour and a half"),
        ("one year", "12 months"),
        ("$500", "five hundred dollars"),
        ("$2.25", "two dollars and twenty-five cents"),
        ("80%", "four fifths"),
        ("6.2 per cent", "6.2%"),
        ("2 pm", "14:00"),
        ("3:30 p.m.", "half past three"),
        ("8 a.m.", "eight in the morning"),
        ("October 10, 2023", "10/10/2023"),
        ("5 October", "the fifth of October 2026"),
        ("in 2012", "March 2012"),
        ("4th floor", "the fourth storey"),
    ],
)
def test_the_same_amount_is_found_in_another_surface(one: str, other: str) -> None:
    assert all(any(mine.stands_in(theirs) for theirs in amounts(other)) for mine in amounts(one))
    assert amounts(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("60 days", "three months"),
        ("60 days", "60 hours"),
        ("$500", "500 people"),
        ("80%", "80 dollars"),
        ("2 pm", "3 pm"),
        ("October 10, 2023", "in 2023"),
        ("October 10, 2023", "October 11, 2023"),
        ("4 chapters", "chapters"),
        ("1812", "#1812"),
    ],
)
def test_another_amount_is_not(one: str, other: str) -> None:
    assert not all(
        any(mine.stands_in(theirs) for theirs in amounts(other)) for mine in amounts(one)
    )
