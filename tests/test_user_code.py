"""The source of the user's functions, and what they bind."""

from collections.abc import Callable
from functools import partial

import pytest

from uaeval.user_code import source_hash


def ask(question: str) -> str:
    return question


class Asker:
    """Asks in a call and in a method."""

    def __call__(self, question: str) -> str:
        return question

    def ask(self, question: str) -> str:
        return question


@pytest.mark.parametrize(
    "function", [ask, Asker(), Asker().ask, partial(ask), lambda question: question]
)
def test_the_source_of_a_function_has_a_hash(function: Callable[[str], str]) -> None:
    assert len(source_hash(function) or "") == 64
    assert source_hash(function) == source_hash(function)


def test_functions_with_other_sources_have_other_hashes() -> None:
    assert source_hash(ask) != source_hash(Asker())
    assert source_hash(partial(ask)) == source_hash(ask)


def _joined(parts: object, question: str) -> str:
    return f"{parts}{question}"


def _with(number: int) -> Callable[[str], str]:
    return lambda question: question * number


def test_plain_values_that_a_function_binds_are_included() -> None:
    hashes = [source_hash(_with(number)) for number in (1, 2)]
    hashes += [source_hash(partial(ask, str(number))) for number in (1, 2)]
    hashes += [source_hash(lambda question, more=more: question * more) for more in (1, 2)]
    assert len(set(hashes)) == 6
    assert source_hash(_with(1)) == hashes[0]


def test_an_object_that_a_function_binds_has_no_influence() -> None:
    first, second = (partial(_joined, object()) for _ in range(2))
    assert source_hash(first) == source_hash(second)


def _counting(factor: int) -> Callable[[str], str]:
    calls = last = 0

    def answer(question: str) -> str:
        nonlocal calls
        calls += 1

        def note() -> None:
            nonlocal last
            last = calls

        note()
        return question * (factor + last)

    return answer


def test_counters_that_a_function_keeps_are_no_settings_of_it() -> None:
    function = _counting(1)
    before = source_hash(function)
    function("Who?")
    assert function("Who?") == "Who?" * 3
    assert source_hash(function) == before
    assert source_hash(_counting(2)) != before


def test_defaults_that_are_given_by_name_are_included() -> None:
    def with_more(more: int) -> Callable[[str], str]:
        def answer(question: str, *, again: int = more) -> str:
            return question * again

        return answer

    assert source_hash(with_more(1)) != source_hash(with_more(2))


def test_a_builtin_has_no_source() -> None:
    assert source_hash(str.upper) is None
