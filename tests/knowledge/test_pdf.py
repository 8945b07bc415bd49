"""Text, headings and columns of PDF files."""

from collections.abc import Sequence

import pytest
from tests.knowledge.test_documents import pdf_pages

from uaeval.knowledge.readers.pdf import read_pdf

Placed = tuple[int, int, int, str]
"""Distance from the left and from the bottom, size of the font, and text."""


def pdf_of(pages: Sequence[Sequence[Placed]]) -> bytes:
    return pdf_pages(
        [
            " ".join(
                f"BT /F1 {size} Tf {left} {low} Td ({text}) Tj ET" for left, low, size, text in page
            )
            for page in pages
        ]
    )


def test_larger_lines_are_headings_and_gaps_separate_paragraphs() -> None:
    pages = [
        [
            (72, 700, 20, "Reading room"),
            (72, 660, 14, "Opening hours"),
            (72, 640, 10, "The reading room opens at nine on every day of the week, and"),
            (72, 628, 10, "it closes at six."),
            (72, 604, 10, "On Sundays it is closed."),
            (72, 570, 10, "# pip install shelf"),
        ]
    ]

    assert read_pdf(pdf_of(pages)).text == (
        "# Reading room\n\n## Opening hours\n\n"
        "The reading room opens at nine on every day of the week, and it closes at six.\n\n"
        "On Sundays it is closed.\n\n    # pip install shelf"
    )


def test_columns_of_a_page_are_read_one_after_the_other() -> None:
    left = [
        "The reading room of the hall opens at nine",
        "and it closes at six on each day of the week",
    ]
    right = ["but on Sundays nobody is in the hall who can", "lend a book to visitors."]
    page = [
        (72 + 250 * column, 700 - 12 * row, 10, text)
        for column, lines in enumerate((left, right))
        for row, text in enumerate(lines)
    ]

    assert read_pdf(pdf_of([page])).text == " ".join(left + right)


def test_cells_of_a_row_are_separate() -> None:
    rows = [("Place", "Hours"), ("Bonn", "nine to six"), ("Ulm", "ten to five")]
    page = [
        (72 + 200 * column, 700 - 12 * row, 10, cell)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]

    assert read_pdf(pdf_of([page])).text == "Place   Hours\nBonn   nine to six\nUlm   ten to five"


@pytest.mark.parametrize("header", ["Shelves", "{} Chapter 2. Shelves", "Shelves {}"])
def test_headers_with_page_numbers_are_removed(header: str) -> None:
    pages = [
        [
            (72, 750, 10, header.format(number)),
            (72, 700, 10, f"Shelf {word} is in the hall."),
            (300, 40, 10, str(number)),
        ]
        for number, word in enumerate(["one", "two", "three"], start=7)
    ]

    assert read_pdf(pdf_of(pages)).text == "\n\n".join(
        f"Shelf {word} is in the hall." for word in ("one", "two", "three")
    )


def test_last_lines_that_differ_only_by_a_number_are_kept() -> None:
    pages = [
        [(72, 700, 10, f"Page of bill {n}."), (72, 650, 10, f"Total price in euro {n}00")]
        for n in range(1, 5)
    ]

    text = read_pdf(pdf_of(pages)).text

    assert [f"Total price in euro {n}00" in text for n in range(1, 5)] == [True] * 4
