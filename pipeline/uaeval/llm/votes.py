"""Count the votes of several independent replies to one prompt."""

from collections import Counter
from collections.abc import Sequence


def count_votes(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of votes for each label, the most frequent first, then by name."""
    return dict(sorted(Counter(labels).items(), key=lambda vote: (-vote[1], vote[0])))


def majority(labels: Sequence[str]) -> str | None:
    """Return the label with more than half of the votes; `None` if there is none."""
    [(label, votes)] = Counter(labels).most_common(1)
    return label if 2 * votes > len(labels) else None


def votes_text(votes: dict[str, int]) -> str:
    """Return the votes as text, for example `proven 2, one_answer 1`."""
    return ", ".join(f"{label} {count}" for label, count in votes.items())
