"""Write queries from templates: for another form than text, for harm, or without sense."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.drafting import DECLINED, filled, matter, setting
from uaeval.offline.tables import pick, table
from uaeval.records import Category, Passage


def _writer(
    name: Category, draft: type[ModalityLimitedDraft | NonsensicalDraft | SafetyConcernedDraft]
) -> Callable[..., Written[Any]]:
    """Return the author of a category: a request from its table, with a twin."""
    kinds = get_args(draft.model_fields["subtype"].annotation)

    def write(*, language: str, subtype: str, passage: Passage) -> Written[Any]:
        written = Written[draft]  # type: ignore[valid-type] # a class at run time
        if not (about := matter(passage)):
            return written(declined=DECLINED, draft=None)
        fact, phrase = about
        kind = subtype if subtype in kinds else pick(kinds, f"{passage.text} kind")
        section = table(name)[kind]
        assert isinstance(section, Mapping)
        groups = dict.fromkeys((setting(passage), "any"))
        options = [text for group in groups for text in section.get(group, ())]
        question = pick(filled(options, phrase), f"{passage.text} {kind}")
        fields = {"question": question, "reason": section["reason"], "subtype": kind}
        return written.model_validate({"declined": None, "draft": {"twin": fact.twin, **fields}})

    return write


modality_limited = _writer("modality_limited", ModalityLimitedDraft)
nonsensical = _writer("nonsensical", NonsensicalDraft)
safety_concerned = _writer("safety_concerned", SafetyConcernedDraft)
