"""Write requests for help with a harmful act."""

from typing import get_args

from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.drafting import DECLINED, request
from uaeval.types import Passage

TABLE = "safety_concerned"
SUBTYPES: tuple[str, ...] = get_args(SafetyConcernedDraft.model_fields["subtype"].annotation)


def write(*, language: str, subtype: str, passage: Passage) -> Written[SafetyConcernedDraft]:
    """Return a query of the subtype, which may be `any`, with a twin from the passage."""
    fields = request(TABLE, SUBTYPES, subtype, passage)
    if not fields:
        return Written[SafetyConcernedDraft](declined=DECLINED, draft=None)
    return Written[SafetyConcernedDraft](
        declined=None, draft=SafetyConcernedDraft.model_validate(fields)
    )
