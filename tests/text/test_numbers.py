"""Numbers in digits and in words, with their places."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import uaeval.text.numbers as module
from uaeval.text.numbers import Number, marked

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()

_SIZES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))


def numbers(text: str) -> tuple[Number, ...]:
    return tuple(number for _, number in sorted(marked(text)[1].items()))


def _spelled(number: int) -> str:
    for size, name in _SIZES:
        if number >= size:
            rest = number % size
            link = " and " if 0 < rest < 100 else " " if rest else ""
            return f"{_spelled(number // size)} {name}{link}{_spelled(rest) if rest else ''}"
    if number >= 20:
        tens, ones = divmod(number, 10)
        return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
    return _ONES[number]


@given(st.integers(0, 10**12 - 1))
def test_number_words_are_read_back(number: int) -> None:
    text = _spelled(number)
    assert [(found.value, found.start, found.end) for found in numbers(text)] == [
        (number, 0, len(text))
    ]


@given(st.integers(0, 10**15), st.sampled_from(["", ",", "spaced"]), st.integers(0, 4))
def test_digits_are_read_back(number: int, separator: str, decimals: int) -> None:
    written = f"{number:,}" if separator == "," else str(number)
    written += f".{'7' * decimals}" if decimals else ""
    text = f" {written} " if separator == "spaced" else written
    (found,) = numbers(text)
    assert found.value == float(written.replace(",", ""))
    assert text[found.start : found.end] == written


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("two hundred and forty hours", [240]),
        ("1,200 million copies", [1.2e9]),
        ("$1.577 billion", [1.577e9]),
        ("three trillion", [3e12]),
        ("12bn, 5k, 3m", [12e9, 5e3, 3e6]),
        ("1,00,000 or 2 lakh", [1e5, 2e5]),
        ("twenty-five and a half", [25.5]),
        ("2½ inches, 2 1/2 inches", [2.5, 2.5]),
        ("half a million", [5e5]),
        ("a dozen, half a dozen, Two Dozen", [12, 6, 24]),
        ("a couple of days", [2]),
        ("two thirds, one-third, three quarters, a fifth of it", [2 / 3, 1 / 3, 0.75, 0.2]),
        ("one hundredth of it, two thousandths, the one hundredth guest", [0.01, 0.002, 100]),
        ("half of the staff", [0.5]),
        ("a third party", [3]),
        ("in nineteen ninety-five", [1995]),
        ("three and four", [3, 4]),
        ("one hundred, two hundred", [100, 200]),
        ("the fourth floor, the 23rd, the twenty-third", [4, 23, 23]),
        ("version 3.11.4", []),
        ("nobody, none", []),
    ],
)
def test_every_spelling_is_read(text: str, values: list[float]) -> None:
    assert [found.value for found in numbers(text)] == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "step"),
    [("1577", 1), ("1600", 100), ("15.20", 0.01), ("1.577 billion", 1e6), ("two hundred", 100)],
)
def test_the_last_significant_digit_is_known(text: str, step: float) -> None:
    assert numbers(text)[0].step == pytest.approx(step)


@given(st.text(alphabet="0123456789.,/-$%()½ abth", max_size=40))
def test_any_text_can_be_read(text: str) -> None:
    for found in numbers(text):
        assert 0 <= found.start < found.end <= len(text)


@given(
    st.lists(
        st.sampled_from(
            """one twos half second the second-rate first third, o os OS point and trillion of a
            hundredths (twenty) ninety-five 3 3.5 nought (o) ſix eıght million dozen nor""".split()
        ),
        max_size=8,
    )
)
def test_words_are_read_as_a_whole_wherever_one_of_them_can_be_a_number(said: list[str]) -> None:
    text = " ".join(said)
    with patch.object(module, "_has_number", return_value=True):
        always = marked(text)
    assert marked(text) == always
