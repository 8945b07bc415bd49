"""Chunks as an author or a verifier sees them: selected, and numbered from 1."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from uaeval.errors import ReplyError
from uaeval.llm.replies import ReadingDraft
from uaeval.records import Chunk, Passage, Reading


@dataclass(frozen=True, slots=True)
class NumberedPassages:
    """Chunks in the order in which they are shown, numbered from 1."""

    chunks: tuple[Chunk, ...]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The chunks as a model sees them: without their ids."""
        return tuple(
            Passage(number=number, title=chunk.title, heading=chunk.heading, text=chunk.text)
            for number, chunk in enumerate(self.chunks, 1)
        )

    def chunk(self, number: int) -> Chunk:
        """Return the chunk shown under `number`; raise `ReplyError` if there is none."""
        if not 1 <= number <= len(self.chunks):
            raise ReplyError(f"passage {number} was not shown; there were {len(self.chunks)}")
        return self.chunks[number - 1]

    def ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of the chunks shown under `numbers`, in the order shown."""
        return tuple(self.chunk(number).id for number in sorted(set(numbers)))

    def readings(self, drafts: Iterable[ReadingDraft]) -> tuple[Reading, ...]:
        """Return drafted readings as records; raise `ReplyError` as `chunk` does."""
        return tuple(
            Reading(
                question=draft.question.strip(),
                value=draft.value.strip(),
                chunk_id=self.chunk(draft.passage).id,
                answer=draft.answer.strip(),
            )
            for draft in drafts
        )


def in_turns(
    rankings: Iterable[Sequence[Chunk]], always: Chunk, limit: int, beside: Iterable[Chunk] = ()
) -> NumberedPassages:
    """Return `always` and the best chunks of each ranking in turn, up to `limit`, and `beside`.

    `beside` does not count against the limit. The passages are sorted by chunk id, so that their
    order does not reveal the source of the query.
    """
    selected = {always.id: always}
    for chunk in take_turns(rankings):
        if len(selected) < limit:
            selected.setdefault(chunk.id, chunk)
    selected |= {chunk.id: chunk for chunk in beside}
    return NumberedPassages(tuple(sorted(selected.values(), key=lambda chunk: chunk.id)))


def take_turns(rankings: Iterable[Sequence[Chunk]]) -> list[Chunk]:
    """Return the first chunk of each ranking, then the second of each, and so on."""
    return [chunk for turn in zip_longest(*rankings) for chunk in turn if chunk is not None]
