"""Sync a file to the disk, once for all callers that wait for it."""

import asyncio
import os
from pathlib import Path


class SharedSync:
    """Syncs a file that others write to; concurrent callers share one sync."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._underway: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Return once the file, as it is now, is on the disk."""
        if self._next is None or self._next.done():
            self._next = asyncio.create_task(self._after(self._underway))
        await asyncio.shield(self._next)

    async def _after(self, underway: asyncio.Task[None] | None) -> None:
        """Sync when the sync before has ended: that one may miss what was written since."""
        if underway is not None and not underway.done():
            await asyncio.wait([underway])
        self._underway, self._next = self._next, None
        await asyncio.to_thread(self._sync)

    def _sync(self) -> None:
        with self._path.open("rb+") as file:
            os.fsync(file.fileno())
