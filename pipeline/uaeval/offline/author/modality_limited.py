"""Write requests for a form of input or output that plain text is not."""

from typing import get_args

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.drafting import DECLINED, request
from uaeval.types import Passage

TABLE = "modality_limited"
SUBTYPES: tuple[str, ...] = get_args(ModalityLimitedDraft.model_fields["subtype"].annotation)


def write(*, language: str, subtype: str, passage: Passage) -> Written[ModalityLimitedDraft]:
    """Return a query of the subtype, which may be `any`, with a twin from the passage."""
    fields = request(TABLE, SUBTYPES, subtype, passage)
    if not fields:
        return Written[ModalityLimitedDraft](declined=DECLINED, draft=None)
    return Written[ModalityLimitedDraft](
        declined=None, draft=ModalityLimitedDraft.model_validate(fields)
    )
