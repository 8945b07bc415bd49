"""Clauses of plain English statements."""

import pytest

from uaeval.text.parsing import clause, readable


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


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [
        ("The key is in the box.", True),
        ("The office is always open.", True),
        ("The office is in the closed", False),
        ("The shop closes at the new", False),
        ("The keys are kept in the", False),
    ],
)
def test_a_sentence_that_breaks_off_before_a_noun_is_not_readable(
    sentence: str, whole: bool
) -> None:
    assert readable(sentence) is whole


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("All harbour logs must be encoded in UTF-8.", "all harbour logs"),
        ("Installation of engines is left to the crew.", "installation of engines"),
        ("The old route is served by the Night Line.", "the old route"),
    ],
)
def test_the_subject_is_written_as_inside_a_sentence(sentence: str, subject: str) -> None:
    read = clause(sentence, f"Every year, The Harbour tells of it. {sentence}")
    assert read is not None and read.subject_inside == subject


@pytest.mark.parametrize(
    ("sentence", "auxiliary"),
    [
        ("Hartmann has recently come out with a new design of helmets.", "has"),
        ("The server has full read access to the queue directory.", "does"),
        ("The client has to run the update before midnight.", "does"),
    ],
)
def test_only_a_participle_makes_a_perfect_tense(sentence: str, auxiliary: str) -> None:
    read = clause(sentence)
    assert read
    assert read.auxiliary == auxiliary
