"""One line of a benchmark's table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A figure, what was measured, and what is wanted of it, if anything."""

    figure: str
    value: str
    wanted: str = ""
