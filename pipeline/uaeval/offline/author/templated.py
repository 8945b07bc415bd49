"""Write queries from templates: for another form than text, for harm, or without sense."""

from collections.abc import Mapping
from typing import Final, get_args

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.drafting import DECLINED, filled, matter, setting
from uaeval.offline.tables import pick, table, templates
from uaeval.types import Category, Passage

KINDS: Final = (*["cut_off"] * 5, "category_error", "illogical", "illogical")
"""What is written for an assigned `cut_off`: mostly that."""
REASONS: Final = {
    "cut_off": "Breaks off before anything is asked; many endings would fit alike.",
    "overheard": "The sentence gives way to talk with somebody else; nothing has been asked.",
    "category_error": "Asks of its subject what nothing of its kind can have or do.",
    "illogical": "Takes itself back, so that no state of affairs could answer it.",
}


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


def nonsensical(*, language: str, manner: str, passage: Passage) -> Written[NonsensicalDraft]:
    """Return a query that came to be in the manner, with a twin from the passage."""
    found = matter(passage)
    if found is None:
        return Written[NonsensicalDraft](declined=DECLINED, draft=None)
    fact, phrase = found
    kind = manner if manner == "overheard" else pick(KINDS, f"{passage.text} {manner}")
    question = pick(filled(templates("nonsensical", kind), phrase), f"{passage.text} {kind}")
    subtype = "garbled" if kind in {"cut_off", "overheard"} else kind
    draft = {"twin": fact.twin, "question": question, "reason": REASONS[kind], "subtype": subtype}
    return Written[NonsensicalDraft].model_validate({"declined": None, "draft": draft})
