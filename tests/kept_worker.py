"""One worker that reads the files of many tests: to start one costs a second of CPU time."""

import sys
from pathlib import Path
from subprocess import Popen
from types import TracebackType
from typing import ClassVar

from uaeval.knowledge.reading import LoadedDocuments, ReadSettings
from uaeval.knowledge.worker import FileWorker


class KeptWorker(FileWorker):
    """Leaves its process to the next worker, unless a call was interrupted or failed.

    The next worker takes it if modules are found in the same places, as those of plugins are not.
    """

    _kept: ClassVar[dict[tuple[str, ...], Popen[bytes]]] = {}

    def __exit__(
        self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None
    ) -> None:
        if kind is None and self._process:
            self.end_kept()
            self._kept[tuple(sys.path)] = self._process
        else:
            self._end()

    def read(self, path: Path, name: str, settings: ReadSettings) -> LoadedDocuments:
        return super().read(path.absolute(), name, settings)

    def _start(self) -> Popen[bytes]:
        self._process = self._kept.pop(tuple(sys.path), None)
        return self._process or super()._start()

    @classmethod
    def end_kept(cls) -> None:
        """End the process that is left, if there is one."""
        while cls._kept:
            _, process = cls._kept.popitem()
            process.kill()
            process.communicate()
