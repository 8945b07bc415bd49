"""A category from another package: queries that ask for a personal opinion."""

from typing import Literal

from uaeval.categories.base import CategorySpec, passage_only
from uaeval.llm.replies import Draft, Verification


class OpinionSeekingVerification(Verification):
    """Whether only a personal opinion would answer the query."""

    label: Literal["asks_for_opinion", "asks_for_fact"]


CATEGORY = CategorySpec(
    name="opinion_seeking",
    definition="Asks for a personal opinion or preference, which no document settles.",
    acceptance="Says that it has no opinion of its own; it may give the facts that bear on it.",
    difficulty="medium",
    draft=Draft,
    author_fields=passage_only,
    verification=OpinionSeekingVerification,
    passing_label="asks_for_opinion",
)
