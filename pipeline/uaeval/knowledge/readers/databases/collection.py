"""A collection of a database: its kind, place and name, and checks of what is read from it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import Row

PAGE: Final = 1_000
"""Number of records that are read at once."""
TIMEOUT_S: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A collection, as its address names it."""

    kind: str
    place: str
    """The folder or the URL of the database."""
    name: str
    fields: Mapping[str, Any]
    """The settings that the address makes: `text_field`, `title_field` and `id_field`."""

    @property
    def remote(self) -> bool:
        """Whether the database is a server."""
        return self.place.startswith(("http://", "https://"))

    def check_folder(self, part: str) -> None:
        """Raise `KnowledgeBaseError` if the folder lacks a part, which opening would create."""
        if not Path(self.place, part).exists():
            raise KnowledgeBaseError(f"{self.kind}:{self.place}: no {self.kind} database is there")

    def check_name(self, names: Iterable[str]) -> None:
        """Raise `KnowledgeBaseError` if the database has only collections of other names."""
        if self.name not in (known := sorted(names)):
            raise KnowledgeBaseError(
                f"{self.kind}:{self.place}: no collection {self.name!r}; its collections: "
                f"{', '.join(known) or 'none'}"
            )


def counted(records: Iterable[Row], number: int) -> Iterator[Row]:
    """Yield the records; raise `KnowledgeBaseError` if there are not `number` of them."""
    read = 0
    for record in records:
        read += 1
        yield record
    if read != number:
        raise KnowledgeBaseError(
            f"{read:,} records were read, but the index counts {number:,}; if it is being updated, "
            "run again later"
        )
