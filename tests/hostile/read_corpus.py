"""Reads the hostile files; its own module, so that a new process can import it."""

import resource
from pathlib import Path

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers import read_file
from uaeval.knowledge.reading import ReadSettings, UnusableFile
from uaeval.knowledge.worker import FileWorker


def read_corpus(folder: Path) -> tuple[dict[str, str], int]:
    """Return why each unreadable file is left out, and the kilobytes of the largest worker."""
    left_out = {}
    with FileWorker(read_file, seconds=10) as worker:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            try:
                worker.read(path, name, ReadSettings())
            except (UnusableFile, KnowledgeBaseError) as error:
                left_out[name] = str(error)
    return left_out, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
