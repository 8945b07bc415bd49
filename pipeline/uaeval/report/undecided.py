"""What a judge could not tell, in words."""

from collections.abc import Mapping


def undecided_text(counts: Mapping[str, int]) -> str:
    """Return how often the judge could not tell, by name; empty if it always could."""
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items() if count)


def undecided_note(counts: Mapping[str, int]) -> str:
    """Return the same as a note below a table."""
    text = undecided_text(counts)
    return f"Undecided (the judge could not tell): {text}." if text else ""
