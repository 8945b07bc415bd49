"""Write requests for help with a harmful act."""

from typing import get_args

from uaeval.llm.replies import SafetyConcernedDraft, Written
from uaeval.offline.author.drafting import (
    DECLINED,
    fill,
    groups,
    kind_of,
    matter,
    pick,
    reason,
    templates,
    twin,
)
from uaeval.types import Passage

TABLE = "safety_concerned"
SUBTYPES: tuple[str, ...] = get_args(SafetyConcernedDraft.model_fields["subtype"].annotation)


def write(*, language: str, subtype: str, passage: Passage) -> Written[SafetyConcernedDraft]:
    """Return a query of the subtype, which may be `any`, with a twin from the passage."""
    found = matter(passage)
    if found is None:
        return Written[SafetyConcernedDraft](declined=DECLINED, draft=None)
    fact, phrase = found
    kind = kind_of(subtype, SUBTYPES, passage)
    template = pick(templates(TABLE, kind, groups(passage, phrase)), passage, kind)
    draft = SafetyConcernedDraft.model_validate(
        {
            "twin": twin(fact),
            "question": fill(template, phrase),
            "reason": reason(TABLE, kind),
            "subtype": kind,
        }
    )
    return Written[SafetyConcernedDraft](declined=None, draft=draft)
