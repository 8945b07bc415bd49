"""A task of a review: a sample of queries or judgements, and their labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from uaeval.errors import ConfigError
from uaeval.labels import JudgementLabel, Label, LabelBase
from uaeval.review.items import WORDS, Item
from uaeval.review.log import LabelLog
from uaeval.types import Query


class Decision(BaseModel):
    """What an annotator decides about an item, as the page sends it."""

    model_config = ConfigDict(extra="forbid")

    word: str | None
    """`None` takes an earlier word back."""
    reason: str = ""
    category: str | None = None
    """The right category of an invalid query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A sample of items, and the labels of all annotators."""

    title: str
    folder: Path
    """The run's or the evaluation's; its `labels.jsonl` is the log."""
    items: tuple[Item, ...]
    kinds: Mapping[str, str]
    """The kind of every item that can have a label, drawn or not, by id."""
    log: LabelLog
    queries: tuple[Query, ...] = ()
    """Those whose validity the labels tell; none where judgements are labelled."""

    def record(
        self, item: Item, annotator: str, decision: Decision, *, settles: bool = False
    ) -> None:
        """Write what an annotator decides about an item; on return it is on the disk.

        Raises:
            ConfigError: the item has no such choice or category.
            StorageError: it cannot be written.
        """
        word, category = decision.word, decision.category
        words = [choice.word for choice in item.choices]
        if word is not None and word not in words:
            raise ConfigError(f"{item.id}: choose one of {', '.join(words)}, got {word!r}")
        if category and (word != "invalid" or category not in item.categories):
            raise ConfigError(f"{item.id}: as {word} it cannot have the category {category!r}")
        if len(decision.reason) > WORDS:
            raise ConfigError(f"{item.id}: a reason has at most {WORDS} characters")
        self.log.add(_row(item, annotator, decision, settles=settles))

    def finished(self, annotator: str) -> bool:
        """Return whether the annotator has labelled the whole sample."""
        return all(self.log.own(annotator, item.id) for item in self.items)


def _row(item: Item, annotator: str, decision: Decision, *, settles: bool) -> LabelBase:
    common = {
        "annotator": annotator,
        "reason": decision.reason,
        "inclusion_probability": item.inclusion_probability,
        "settles": settles,
    }
    if item.kind == "query":
        about = {"query_id": item.id, "question": item.question, "category": decision.category}
        return Label.model_validate(about | common | {"valid": decision.word})
    query_id, _, metric = item.id.rpartition("/")
    about = {"query_id": query_id, "metric": metric, "label": decision.word}
    return JudgementLabel.model_validate(about | common)
