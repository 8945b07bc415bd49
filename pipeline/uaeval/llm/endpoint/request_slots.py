"""A bound on the requests in flight, shared by all models of a run."""

from collections.abc import Callable

from uaeval.errors import RunAborted


class RequestSlots:
    """So many places for requests; who takes one holds it from sending to the end of the reply.

    What only waits (for a rate limit, a pause or another attempt) holds none. No event loop is
    needed: who waits for a place listens for changes.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken = 0
        self._closed: RunAborted | None = None
        self._listeners: list[Callable[[], None]] = []

    def is_full(self) -> bool:
        """Say whether every place is taken.

        Raises:
            RunAborted: the room was closed.
        """
        if self._closed is not None:
            raise self._closed
        return self._taken >= self._places

    def listen(self, tell: Callable[[], None]) -> None:
        """Have `tell` called whenever a place is free, or none will ever be."""
        self._listeners.append(tell)

    def take(self, tell: Callable[[], None]) -> None:
        """Take a place; the others that listen are told of the next one before `tell` is."""
        self._taken += 1
        self._listeners.remove(tell)
        self._listeners.append(tell)

    def leave(self) -> None:
        """Give a place back."""
        self._taken -= 1
        self._tell()

    def close(self, reason: RunAborted) -> None:
        """Give no more places, for `reason`; what is in flight may end."""
        self._closed = reason
        self._tell()

    def _tell(self) -> None:
        for tell in self._listeners:
            tell()
