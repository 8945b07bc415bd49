"""The passages that a page shows, each of them once; whatever shows one refers to it by number."""

from collections.abc import Iterable

from uaeval.report.text import legible
from uaeval.types import Chunk, Context


class Passages:
    """Collects passages by their text, and numbers them from 0."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        """Take the chunks that may be referred to by id."""
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._numbers: dict[str, int] = {}
        self.rows: list[dict[str, str]] = []
        """`text`, and where they are known `id` and `title`; as they are to be shown."""

    def of_chunk(self, chunk_id: str) -> int | None:
        """Return the number of a chunk; `None` if the dataset does not hold it any more."""
        chunk = self._chunks.get(chunk_id)
        return None if chunk is None else self._number(chunk.text, chunk_id, _title(chunk))

    def of_context(self, context: Context) -> int:
        """Return the number of a passage that a system retrieved."""
        chunk = self._chunks.get(context.id or "")
        if chunk is not None and chunk.text == context.text:
            return self._number(chunk.text, chunk.id, _title(chunk))
        return self._number(context.text, context.id or "", "")

    def _number(self, text: str, name: str, title: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.rows)
            row = {"text": text, "id": name, "title": title}
            self.rows.append({key: legible(value) for key, value in row.items() if value})
        return self._numbers[text]


def _title(chunk: Chunk) -> str:
    return " › ".join(part for part in (chunk.title, chunk.heading) if part)
