"""What is put before an annotator: one item, as plain text in named blocks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from uaeval.categories.names import category_names
from uaeval.types import Chunk

BlockKind: TypeAlias = Literal["text", "response", "passage", "context", "list"]
Quotes: TypeAlias = Mapping[str, tuple[str, ...]]
"""By query id, the words of the passages that it rests on."""
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
    """The chunks of a knowledge base, by id."""

    chunks: Mapping[str, Chunk]

    def blocks(self, ids: Iterable[str], marks: Sequence[str]) -> tuple[Block, ...]:
        """Show these chunks; one that is not there is named without a text."""
        return tuple(self._block(name, marks) for name in dict.fromkeys(ids))

    def _block(self, name: str, marks: Sequence[str]) -> Block:
        chunk = self.chunks.get(name)
        if chunk is None:
            return Block(title=name, text="It is not in the knowledge base.")
        place = " › ".join(filter(None, (chunk.title, chunk.heading)))
        held = tuple(mark for mark in dict.fromkeys(marks) if mark and mark in chunk.text)
        return Block(title=f"{place} ({name})", text=chunk.text, kind="passage", marks=held)


def title_of(group: str) -> str:
    """Write a key for people: `false presupposition`."""
    return group.replace("_", " ")


def right_categories(given: str) -> dict[str, str]:
    """Return what an invalid query that is `given` as one kind may be, with the key that says so.

    Keys are the same for all.
    """
    names = [*sorted(category_names()), ANSWERABLE]
    return {name: str(place) for place, name in enumerate(names, 1) if name != given}
