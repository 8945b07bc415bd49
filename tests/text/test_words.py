"""Words, stems and comparisons of wordings."""

import pytest

from uaeval.text.words import (
    content_words,
    count_words,
    covered_by,
    share,
    stands_in,
    stem,
    stems,
    tokens,
    words,
)


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        ("lock", "blocking calls", False),
        ("lock", "A lock, held", True),
        ("lock", "blocking the lock", True),
        ("“The lock”", 'It is "the lock".', True),
        ("(see below).", "Read on (see below).", True),
        ("5", "15 days", False),
        ("5", "5%", True),
        ("The  Lock", "on the lock", True),
        ("Result‹T, E>", "It returns Result<T, E> or panics.", True),
        ("東京", "東京都に住む", True),
        ("", "anything", False),
        (" ", "anything", False),
    ],
)
def test_a_part_is_found_only_as_whole_words(part: str, whole: str, expected: bool) -> None:
    assert stands_in(part, whole) is expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "The company's 1,000 rules at 10:30.",
            ("the", "company", "1,000", "rules", "at", "10:30"),
        ),
        ("don’t", ("don't",)),
        ("max_length of well-kept", ("max_length", "of", "well", "kept")),
        ("東京都 abc", ("東京", "京都", "abc")),
        ("…", ()),
    ],
)
def test_text_is_split_into_words(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


def test_identifiers_are_split_for_a_search() -> None:
    assert tokens("the max_length") == ("the", "max", "length")


def test_words_are_counted_in_scripts_without_spaces_too() -> None:
    assert count_words("two words") == 2
    assert count_words("東京都に") == 2


def test_inflected_forms_have_one_stem() -> None:
    assert len({stem(word) for word in ("policy", "policies")}) == 1
    assert len({stem(word) for word in ("require", "requires", "required", "requiring")}) == 1
    assert stems("The policies are required") == stems("a policy that requires")


def test_function_words_carry_no_meaning() -> None:
    assert content_words("Where is the lock of this door?") == {"lock", "door"}


@pytest.mark.parametrize(
    ("answer", "text", "covered"),
    [
        ("thirty working days", "Requests take thirty working days.", True),
        ("30 working days", "Requests take many working days.", False),
        ("the red harbour ferry leaves", "The red ferry leaves at noon.", True),
        ("the red harbour ferry leaves", "The red bus is late.", False),
        ("Yes", "The bus is late.", True),
        ("No, the ferry is red", "The bus is late.", False),
        ("yes, the ferry", "The ferry is red.", True),
        ("of the", "The bus of the town is late.", True),
        ("of the", "Busses run late.", False),
    ],
)
def test_an_answer_is_covered_by_its_numbers_and_most_of_its_words(
    answer: str, text: str, covered: bool
) -> None:
    assert covered_by(answer, text) is covered


def test_the_share_of_all_words_is_one_in_every_order() -> None:
    parts = dict(zip("abcdefghij", (0.1, 0.7, 0.3, 1.1, 2.3, 0.9, 0.2, 1.7, 0.6, 3.1), strict=True))
    orders = [dict(sorted(parts.items(), key=lambda part: (part[1] * n) % 1)) for n in range(1, 30)]
    assert {share(weights, frozenset(parts)) for weights in orders} == {1.0}
