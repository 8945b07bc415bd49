"""What several independent replies to one question come to."""

from collections import Counter
from collections.abc import Sequence


def count_votes(labels: Sequence[str]) -> dict[str, int]:
    """Return how often each label was given: the most frequent first, then by name."""
    counted = Counter(labels).items()
    return dict(sorted(counted, key=lambda vote: (-vote[1], vote[0])))


def majority(labels: Sequence[str]) -> str | None:
    """Return the label that more than half of the votes are for; `None` if there is none."""
    label, votes = next(iter(count_votes(labels).items()))
    return label if 2 * votes > len(labels) else None


def votes_text(votes: dict[str, int]) -> str:
    """Return the votes in words, for example `proven 2, one_answer 1`."""
    return ", ".join(f"{label} {count}" for label, count in votes.items())
