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
        """Return whether every place is taken.

        Raises:
            RunAborted: the room was closed.
        """
        if self._closed is not None:
            raise self._closed
        return self._taken >= self._places

    def listen(self, notify: Callable[[], None]) -> None:
        """Have `notify` called whenever a place is free, or the slots are closed."""
        self._listeners.append(notify)

    def take(self, notify: Callable[[], None]) -> None:
        """Take a place; the other listeners are notified of the next one first."""
        self._taken += 1
        self._listeners.remove(notify)
        self._listeners.append(notify)

    def leave(self) -> None:
        """Give a place back."""
        self._taken -= 1
        self._notify()

    def close(self, reason: RunAborted) -> None:
        """Give no more places, for `reason`; what is in flight may end."""
        self._closed = reason
        self._notify()

    def _notify(self) -> None:
        for notify in self._listeners:
            notify()
