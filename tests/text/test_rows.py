"""The rows of tables in a text."""

import pytest

from uaeval.text.structure import cells, named_sections

TABLE = """\
| Quay | Opening day | Fee |
| North Quay | Monday | 4 euros |
| South Mill |  | 9 euros |"""


def test_a_cell_is_named_by_its_row_and_its_column() -> None:
    found = [(cell.kind, cell.row, cell.column, cell.text) for cell in cells(TABLE)]
    assert found == [
        ("Quay", "North Quay", "Opening day", "Monday"),
        ("Quay", "North Quay", "Fee", "4 euros"),
        ("Quay", "South Mill", "Fee", "9 euros"),
    ]


def test_a_cell_has_the_whole_row_as_it_stands() -> None:
    assert next(cells(TABLE)).line == "| North Quay | Monday | 4 euros |"


@pytest.mark.parametrize(
    "text",
    [
        "Quay | Notes\nNorth Quay | Closed on Mondays",
        "Quay | opening\nNorth Quay | Monday",
        "Quay | Weekly\nNorth Quay | Mondays",
        "Quay | Item\nNorth Quay | Crane",
        "Quay | Fee\n1 | 4 euros",
        "Quay | Fee\nNorth Quay | 4 euros | Monday",
        "Quay | Fee\nthe long stone quay on the north side of the harbour | 4 euros",
    ],
)
def test_a_cell_without_a_name_is_left_out(text: str) -> None:
    assert not list(cells(text))


def test_what_a_heading_names_is_yielded_in_one_order() -> None:
    for room in range(12):
        hours = f"The opening hours of room {room} are nine to five."
        sections = named_sections("Opening hours", f"{hours} Send form {room} to the office.")
        assert [section.kind for section in sections] == ["act", "thing"]
