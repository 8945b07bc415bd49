"""One amount in every way of writing it."""

import itertools
from collections.abc import Iterator
from datetime import date
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from uaeval.text.amounts import Kind, amounts, same, without_amounts


def _leaves(names: object) -> Iterator[list[str]]:
    """Yield the lists of names in a part of the table of units."""
    if isinstance(names, dict):
        for part in names.values():
            yield from _leaves(part)
    else:
        yield [str(name) for name in cast(list[object], names)]


def _agree(one: str, other: str, **options: bool) -> bool:
    """Return whether every amount of `one` is in `other`, and `one` has an amount."""
    others = amounts(other)
    return bool(amounts(one)) and all(
        any(same(wanted, found, **options) for found in others) for wanted in amounts(one)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("25 days", "twenty-five days"),
        ("60 days", "two months"),
        ("62 days", "two months"),
        ("up to 7 days", "at most a week"),
        ("2 weeks", "14 days"),
        ("3 days", "72 hours"),
        ("a 100 - yard bar", "100 yards"),
        ("1.5 hours", "90 minutes"),
        ("1 hour 30 minutes", "90-minute"),
        ("90-minute", "an hour and a half"),
        ("half an hour", "30 minutes"),
        ("10 business days", "two working weeks"),
        ("every two weeks", "once a fortnight"),
        ("one year", "12 months"),
        ("$500", "five hundred dollars"),
        ("$500", "US$500.00"),
        ("500 USD", "USD 500"),
        ("Rs 500", "₹500"),
        ("€2m", "2 million euros"),
        ("$2.25", "two dollars and twenty-five cents"),
        ("$10-15 million", "10 to 15 million dollars"),
        ("80%", "four fifths"),
        ("6.2 per cent", "6.2%"),
        ("50 basis points", "0.5%"),
        ("0.551", "55.1%"),
        ("55.1", "55.1%"),
        ("two thirds", "66.7 %"),
        ("10-15%", "between 10 and 15 percent"),
        ("1 to 2 weeks", "7–14 days"),
        ("a dozen", "12"),
        ("1.5 million", "1,500,000"),
        ("4th floor", "the fourth storey"),
        ("(1,234)", "-1234"),
        ("negative 5", "−5"),
        ("$(1,234) million", "-$1.234 billion"),
        ("17:00", "5 pm"),
        ("5 p.m.", "17:00"),
        ("noon", "12 pm"),
        ("midnight", "0:00"),
        ("3:30 p.m.", "half past three"),
        ("8 a.m.", "eight in the morning"),
        ("9-5 pm", "9 am and 5 p.m."),
        ("October 10, 2023", "10/10/2023"),
        ("October 10, 2023", "2023-10-10"),
        ("10/12/2023", "12 October 2023"),
        ("10/12/2023", "10 December 2023"),
        ("31.12.2023", "Dec. 31st, 2023"),
        ("5 October", "the fifth of October 2026"),
        ("in 2012", "March 2012"),
        ("Q3 2022", "the third quarter of 2022"),
        ("2018", "FY2018"),
        ("FY18", "fiscal year 2018"),
        ("FY'09", "fiscal year 2009"),
        ("Q3 '19", "Q3 2019"),
        ("1 GB", "1000 MB"),
        ("5 km", "5,000 metres"),
        ("5 feet 6 inches", "66 inches"),
    ],
)
def test_the_same_amount_is_found_in_another_surface(one: str, other: str) -> None:
    assert _agree(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("60 days", "three months"),
        ("63 days", "two months"),
        ("60 days", "60 hours"),
        ("13 months", "1 year"),
        ("2 weeks", "1 to 2 weeks"),
        ("3 business days", "4 days"),
        ("$500", "500 people"),
        ("$500", "€500"),
        ("1577", "$1,577 million"),
        ("1577", "1600"),
        ("80%", "80 dollars"),
        ("5", "-5"),
        ("5", "(5)%"),
        ("5 kg", "5 km"),
        ("2 pm", "3 pm"),
        ("5 am", "17:00"),
        ("October 10, 2023", "in 2023"),
        ("October 10, 2023", "October 11, 2023"),
        ("October 10, 2023", "October 10"),
        ("4 chapters", "chapters"),
        ("1812", "#1812"),
        ("19", "COVID-19"),
        ("1", "no one, any one of them"),
    ],
)
def test_different_amounts_are_not_equal(one: str, other: str) -> None:
    assert not _agree(one, other)


SCALES = ("1577", "$1,577 million", "$1.577 billion", "1577.00", "1,577")


@pytest.mark.parametrize("one", SCALES)
@pytest.mark.parametrize("other", SCALES)
def test_a_bare_number_may_lack_its_scale_if_the_caller_allows_it(one: str, other: str) -> None:
    assert _agree(one, other, loosely=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [("$1.5 million", "$1.5 billion"), ("1577", "$1,594 million"), ("$1577", "€1,577")],
)
def test_amounts_with_their_scale_or_currency_stay_apart(one: str, other: str) -> None:
    assert not _agree(one, other, loosely=True)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("55.12%", "55.1%", True),
        ("1,577", "1,600", True),
        ("0.5512", "55.1%", True),
        ("0.01", "1.42%", True),
        ("$1.577 billion", "$1.6 billion", True),
        ("55.76%", "55.1%", False),
        ("5.4", "5", False),
        ("1577", "1594", False),
    ],
)
def test_a_rounded_figure_is_equal_if_the_caller_allows_it(
    one: str, other: str, expected: bool
) -> None:
    assert _agree(one, other, loosely=True) is expected
    assert not _agree(one, other)


def test_a_table_is_drawn_in_time_proportional_to_its_figures() -> None:
    rows = "| from 1,234 to $5 million | (5.2) | one second |\n"
    assert len(amounts(rows * 2_000)) == 2_000 * len(amounts(rows))


def test_a_tolerance_is_a_share_of_the_value() -> None:
    (one,), (near,), (far,) = amounts("1001 kg"), amounts("1011 kg"), amounts("1012 kg")
    assert same(one, near, loosely=True)
    assert not same(one, near)
    assert not same(one, far, loosely=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a decrease of 5", ["5"]),
        ("an increase of $5 million (12%)", ["$5 million", "12%"]),
        ("from 10 to 15 days", ["10", "15 days"]),
        ("10-15 days", ["10-15 days"]),
        ("three or four weeks", ["three or four weeks"]),
        ("0.54 or 54%", ["0.54", "54%"]),
        ("They may march on", []),
        ("five (5) days", ["five", "5"]),
        ("the old one", []),
        ("one person", ["one"]),
        ("see section A-19, release 3.11.4", []),
        ("| (5.2) | 4 |", ["(5.2)", "4"]),
    ],
)
def test_amounts_are_found_with_their_words(text: str, found: list[str]) -> None:
    assert [amount.text for amount in amounts(text)] == found
    assert all(text[amount.start : amount.end] == amount.text for amount in amounts(text))


def test_the_rest_of_a_text_is_what_is_not_an_amount() -> None:
    assert without_amounts("Within 10-15 days, pay $5 million.") == "Within , pay ."


_WRITTEN = {
    "days": 24.0,
    "hours": 1.0,
    "weeks": 168.0,
    "months": 1.0,
    "years": 12.0,
    "kg": 1e3,
    "grams": 1.0,
    "MB": 1e6,
    "kilometres": 1e3,
}


@given(st.integers(0, 10**6), st.sampled_from(sorted(_WRITTEN)), st.sampled_from(["{:,}", "{}"]))
def test_units_are_read_back(number: int, unit: str, form: str) -> None:
    (amount,) = amounts(f"{form.format(number)} {unit}")
    assert amount.low == amount.high == pytest.approx(number * _WRITTEN[unit])


@given(
    st.decimals(0, 999, places=2),
    st.sampled_from([("", 1), (" million", 1e6), ("bn", 1e9), ("k", 1e3), (" trillion", 1e12)]),
    st.sampled_from(["${}{}", "{}{} dollars", "USD {}{}", "US${}{}"]),
)
def test_money_is_read_back(number: object, scale: tuple[str, float], form: str) -> None:
    (amount,) = amounts(form.format(number, scale[0]))
    assert (amount.kind, amount.unit) == (Kind.MONEY, "USD")
    assert amount.low == pytest.approx(float(str(number)) * scale[1])


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(
        [
            "%Y-%m-%d",
            "%B %d, %Y",
            "%d %B %Y",
            "%b %d, %Y",
            "%d of %B %Y",
            "%A, %B %d, %Y",
            "%d.%m.%Y",
        ]
    ),
)
def test_dates_are_read_back(day: date, form: str) -> None:
    (amount,) = amounts(day.strftime(form))
    assert (amount.kind, amount.low, amount.high) == (Kind.DATE, day.toordinal(), day.toordinal())


@given(st.integers(0, 1439), st.sampled_from(["%H:%M", "%I:%M %p", "%I.%M %p"]))
def test_times_are_read_back(minutes: int, form: str) -> None:
    hour, minute = divmod(minutes, 60)
    written = form.replace("%H", f"{hour:02}").replace("%M", f"{minute:02}")
    written = written.replace("%I", str((hour - 1) % 12 + 1))
    written = written.replace("%p", "am" if hour < 12 else "pm")
    (amount,) = amounts(written)
    assert amount.kind is Kind.TIME
    assert (amount.low - minutes) % (720 if amount.unit == "12 hours" else 1440) == 0


@given(st.text(alphabet="0123456789.,/-–$€%():½| \nMay3rdpmkQFYonehundredhalfofto", max_size=60))
@example("\ue000 5 \ue001\ue00f")
def test_any_text_can_be_read(text: str) -> None:
    found = amounts(text)
    for amount in found:
        assert text[amount.start : amount.end] == amount.text
        assert same(amount, amount)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("written", "plain"), [("5 mınutes", "5 minutes"), ("5 dayſ", "5 days"), ("5 Kılo", "5 kilo")]
)
def test_letters_that_differ_only_in_case_are_equal(written: str, plain: str) -> None:
    assert _agree(written, plain)
