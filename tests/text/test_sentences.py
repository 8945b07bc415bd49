"""Sentences, entries, rows and lines of code."""

import pytest

from uaeval.text.sentences import sentences, without_citations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One ends. Another begins! Is it so?", ["One ends.", "Another begins!", "Is it so?"]),
        ("Tools, e.g. Git, i.e. This one.", ["Tools, e.g. Git, i.e. This one."]),
        ("Acme Inc. Berlin made it. It sold.", ["Acme Inc. Berlin made it.", "It sold."]),
        ("The U.S. Army has No. 5 of it.", ["The U.S. Army has No. 5 of it."]),
        ("No. The limit is 5.", ["No.", "The limit is 5."]),
        ("Dr. J. K. Smith vs. Mr. Lee", ["Dr. J. K. Smith vs. Mr. Lee"]),
        ("It opens at 5 p.m. The bar closes.", ["It opens at 5 p.m.", "The bar closes."]),
        ("It takes 1.5 hours. Wait.", ["It takes 1.5 hours.", "Wait."]),
        ("She said “Stop.” He did.", ["She said “Stop.”", "He did."]),
        ("A wrapped\nline goes on.", ["A wrapped line goes on."]),
        ("# Title\nText.", ["Title", "Text."]),
        (
            "- first entry\n  goes on\n- second\n2. third",
            ["first entry goes on", "second", "third"],
        ),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("Run:\n```\nx = 1. Then\ny\n```\nDone.", ["Run:", "x = 1. Then", "y", "Done."]),
        ("これは文です。次の文です。", ["これは文です。", "次の文です。"]),
        ("", []),
    ],
)
def test_text_is_split_where_a_statement_ends(text: str, found: list[str]) -> None:
    assert list(sentences(text)) == found


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It takes 5 days [1][2].", "It takes 5 days."),
        ("Yes (source: faq.md).", "Yes."),
        ("Yes (pages 3-5).", "Yes."),
        (
            "(Documents older than 30 days are deleted)",
            "(Documents older than 30 days are deleted)",
        ),
        ("Send it (page size 20 MB max).", "Send it (page size 20 MB max)."),
        ("[3]", "[3]"),
    ],
)
def test_only_marks_of_citations_are_removed(text: str, kept: str) -> None:
    assert without_citations(text) == kept
