"""One worker that reads the files of many tests: to start one costs a second of CPU time."""

import sys
from pathlib import Path
from subprocess import Popen
from typing import ClassVar

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, UnusableFile
from uaeval.knowledge.worker import FileWorker


class KeptWorker(FileWorker):
    """Leaves its process to the next worker, unless it still owes an answer.

    The next worker takes it only if `sys.path` is the same, so that it finds the same plugins.
    """

    _kept: ClassVar[dict[tuple[str, ...], Popen[bytes]]] = {}

    def __exit__(self, *raised: object) -> None:
        answered = raised[1] is None or isinstance(raised[1], UnusableFile | KnowledgeBaseError)
        if answered and self._process:
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
