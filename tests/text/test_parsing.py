"""Clauses of plain English statements."""

import pytest

from uaeval.text.parsing import clause


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Acme gains support for reading plans from a file.", None),
        ("The two plans support travel to every other town.", "The two plans"),
    ],
)
def test_a_verb_after_a_name_is_not_read_as_its_noun(sentence: str, subject: str | None) -> None:
    read = clause(sentence)
    assert (read and read.subject) == subject
