"""Find shipped data: inside an installed wheel, or at the root of a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parents[1]


def shipped(name: str) -> Path:
    """Return the shipped folder called `name` (`prompts` or `knowledge_bases`)."""
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else CHECKOUT / name
