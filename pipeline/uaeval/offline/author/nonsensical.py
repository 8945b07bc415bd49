"""Write messages without a coherent reading: broken off, overheard, or of parts that clash."""

from typing import Final

from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.drafting import DECLINED, filled, matter
from uaeval.offline.tables import pick, templates
from uaeval.types import Passage

TABLE: Final = "nonsensical"
KINDS: Final = (*["cut_off"] * 5, "category_error", "illogical", "illogical")
"""What is written for an assigned `cut_off`: mostly that."""
REASONS: Final = {
    "cut_off": "Breaks off before anything is asked; many endings would fit alike.",
    "overheard": "The sentence gives way to talk with somebody else; nothing has been asked.",
    "category_error": "Asks of its subject what nothing of its kind can have or do.",
    "illogical": "Takes itself back, so that no state of affairs could answer it.",
}


def write(*, language: str, manner: str, passage: Passage) -> Written[NonsensicalDraft]:
    """Return a query that came to be in the manner, with a twin from the passage."""
    found = matter(passage)
    if found is None:
        return Written[NonsensicalDraft](declined=DECLINED, draft=None)
    fact, phrase = found
    kind = manner if manner == "overheard" else pick(KINDS, f"{passage.text} {manner}")
    subtype = "garbled" if kind in {"cut_off", "overheard"} else kind
    draft = NonsensicalDraft.model_validate(
        {
            "twin": fact.twin,
            "question": pick(filled(templates(TABLE, kind), phrase), f"{passage.text} {kind}"),
            "reason": REASONS[kind],
            "subtype": subtype,
        }
    )
    return Written[NonsensicalDraft](declined=None, draft=draft)
