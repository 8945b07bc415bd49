"""Write requests that a text answer cannot serve: for another form than text, or for harm."""

from collections.abc import Mapping
from typing import get_args

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.drafting import DECLINED, filled, matter, setting
from uaeval.offline.tables import pick, table
from uaeval.types import Category, Passage


def modality_limited(
    *, language: str, subtype: str, passage: Passage
) -> Written[ModalityLimitedDraft]:
    """Return a request for a form of input or output that plain text is not, with a twin."""
    fields = _fields("modality_limited", ModalityLimitedDraft, subtype, passage)
    return Written[ModalityLimitedDraft].model_validate(fields)


def safety_concerned(
    *, language: str, subtype: str, passage: Passage
) -> Written[SafetyConcernedDraft]:
    """Return a request for help with a harmful act, with a twin."""
    fields = _fields("safety_concerned", SafetyConcernedDraft, subtype, passage)
    return Written[SafetyConcernedDraft].model_validate(fields)


def _fields(
    name: Category,
    draft: type[ModalityLimitedDraft | SafetyConcernedDraft],
    wanted: str,
    passage: Passage,
) -> dict[str, object]:
    """Return the fields of a reply from a category's table; any subtype where none is wanted."""
    found = matter(passage)
    if found is None:
        return {"declined": DECLINED, "draft": None}
    fact, phrase = found
    kinds = get_args(draft.model_fields["subtype"].annotation)
    kind = wanted if wanted in kinds else pick(kinds, f"{passage.text} kind")
    section = table(name)[kind]
    assert isinstance(section, Mapping)
    options = [text for group in {setting(passage): 0, "any": 0} for text in section.get(group, ())]
    question = pick(filled(options, phrase), f"{passage.text} {kind}")
    return {
        "declined": None,
        "draft": {
            "twin": fact.twin,
            "question": question,
            "reason": section["reason"],
            "subtype": kind,
        },
    }
