"""Set documents aside before indexing, so that queries about them cannot be answered."""

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from uaeval.categories.registry import categories
from uaeval.errors import KnowledgeBaseError
from uaeval.records import Document


class HoldoutSplit(NamedTuple):
    """A knowledge base in two parts."""

    kept: tuple[Document, ...]
    held_out: tuple[Document, ...]


def hold_out(documents: Sequence[Document], share: float, seed: int) -> HoldoutSplit:
    """Set a seeded `share` of the documents aside; both parts keep their order.

    Raises:
        KnowledgeBaseError: there are fewer than two documents.
    """
    if len(documents) < 2:
        outside = ", ".join(spec.name for spec in categories() if spec.outside)
        raise KnowledgeBaseError(
            "holding documents out takes at least two documents; give outside articles with "
            f"--news DIR, or leave {outside} out of --categories"
        )
    count = min(len(documents) - 1, max(1, math.floor(share * len(documents) + 0.5)))
    ids = sorted(document.id for document in documents)
    chosen = set(random.Random(f"{seed}/holdout").sample(ids, count))
    kept = tuple(document for document in documents if document.id not in chosen)
    held = tuple(document for document in documents if document.id in chosen)
    return HoldoutSplit(kept, held)
