"""What is put before an annotator: one item, as plain text in named blocks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

import yaml
from pydantic import TypeAdapter

from uaeval.categories.names import category_names
from uaeval.records import Chunk, Query

BlockKind: TypeAlias = Literal["text", "response", "passage", "context", "list"]
ANSWERABLE = "answerable"
WORDS = 4000
"""The longest reason that an annotator may give, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A titled piece of text; the page shows it as text, whatever it holds."""

    title: str
    text: str
    kind: BlockKind = "text"
    marks: tuple[str, ...] = ()
    """Words of the text that are highlighted, verbatim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOption:
    """One word that an annotator can say, and the key that says it."""

    word: str
    key: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidelines:
    """What the annotator decides by: the category's definition, or that of the verdicts."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """What is asked of the annotator about one kind of item."""

    task: str
    choices: tuple[DecisionOption, ...]
    guide: Guidelines | None = None
    """`None` where the query's category is decided by."""


INSTRUCTIONS: Final = TypeAdapter(dict[str, Instructions]).validate_python(
    yaml.safe_load(Path(__file__).with_name("instructions.yaml").read_text(encoding="utf-8"))
)
"""For `query`, `twin` and each metric of a judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to decide."""

    id: str
    """The query's id, or the judgement's."""
    group: str
    """What it can be filtered by."""
    kind: str
    """`query`, or the metric of a judgement; annotators are compared within a kind."""
    task: str
    """What is asked of the annotator."""
    question: str
    guide: Guidelines
    choices: tuple[DecisionOption, ...]
    blocks: tuple[Block, ...]
    opinions: tuple[Block, ...]
    """What verifier or judge said; in a blind review hidden until one has decided."""
    inclusion_probability: float
    categories: Mapping[str, str] = field(default_factory=dict)
    """Right categories to choose from where it is called invalid, with their keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """The chunks of a knowledge base, and what to highlight in them."""

    chunks: Mapping[str, Chunk]
    """By id."""
    quotes: Mapping[str, tuple[str, ...]]
    """By query id, the words of the passages that it rests on."""

    def blocks(self, query: Query, ids: Iterable[str], *marks: str) -> tuple[Block, ...]:
        """Return these chunks; what `query` rests on is marked, and a missing one has no text."""
        answers = (reading.answer for reading in query.readings)
        marks = (*self.quotes.get(query.id, ()), *answers, *marks)
        return tuple(self._block(name, marks) for name in dict.fromkeys(ids))

    def _block(self, name: str, marks: Sequence[str]) -> Block:
        chunk = self.chunks.get(name)
        if chunk is None:
            return Block(title=name, text="It is not in the knowledge base.")
        place = " › ".join(filter(None, (chunk.title, chunk.heading)))
        held = tuple(mark for mark in dict.fromkeys(marks) if mark and mark in chunk.text)
        return Block(title=f"{place} ({name})", text=chunk.text, kind="passage", marks=held)


def right_categories(given: str) -> dict[str, str]:
    """Return what an invalid query that is `given` as one kind may be, with the key that says so.

    Keys are the same for all.
    """
    names = [*sorted(category_names()), ANSWERABLE]
    return {name: str(place) for place, name in enumerate(names, 1) if name != given}
