"""What there is to review: a sample of queries or judgements, and the labels that they have."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from uaeval.errors import ConfigError
from uaeval.labels import JudgementLabel, Label, LabelBase
from uaeval.review.items import WORDS, Item
from uaeval.review.log import LabelLog
from uaeval.types import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What an annotator says of an item."""

    annotator: str
    word: str | None
    """`None` takes an earlier word back."""
    reason: str = ""
    category: str | None = None
    """The right category of an invalid query."""
    settles: bool = False


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

    def say(self, item: Item, said: Decision) -> None:
        """Write down what an annotator says of an item; on return it is on the disk.

        Raises:
            ConfigError: that cannot be said of the item.
            StorageError: it cannot be written.
        """
        words = [choice.word for choice in item.choices]
        if said.word is not None and said.word not in words:
            raise ConfigError(f"{item.id}: choose one of {', '.join(words)}, got {said.word!r}")
        if said.category and (said.word != "invalid" or said.category not in item.categories):
            raise ConfigError(f"{item.id}: {said.category!r} is no right category of it")
        if len(said.reason) > WORDS:
            raise ConfigError(f"{item.id}: a reason has at most {WORDS} characters")
        self.log.add(_row(item, said))

    def finished(self, annotator: str) -> bool:
        """Return whether the annotator has labelled the whole sample."""
        return all(self.log.own(annotator, item.id) for item in self.items)


def _row(item: Item, said: Decision) -> LabelBase:
    common = {
        "annotator": said.annotator,
        "reason": said.reason,
        "inclusion_probability": item.inclusion_probability,
        "settles": said.settles,
    }
    if item.kind == "query":
        about = {"query_id": item.id, "question": item.question, "category": said.category}
        return Label.model_validate(about | common | {"valid": said.word})
    query_id, _, metric = item.id.rpartition("/")
    about = {"query_id": query_id, "metric": metric, "label": said.word}
    return JudgementLabel.model_validate(about | common)
