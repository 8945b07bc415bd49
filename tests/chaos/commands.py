"""Run commands in this process, and write the run that they read."""

import io
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from uaeval.cli.main import main
from uaeval.resources import shipped
from uaeval.run_folder import RunFolder

SAMPLE = shipped("knowledge_bases") / "sample"
NEWS = SAMPLE.with_name("sample_news")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def ended(*arguments: str | Path) -> Ended:
    """Run a command; return its exit code and output."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    given = ["uaeval", *map(str, arguments)]
    with (
        patch.object(sys, "argv", given),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return Ended(code, out.getvalue(), err.getvalue())


def write_documents(folder: Path, count: int = 8) -> None:
    """Copy the first documents of the sample knowledge base."""
    folder.mkdir(parents=True)
    for path in sorted(SAMPLE.glob("*.md"))[:count]:
        shutil.copy(path, folder)


def write_seed_run(folder: Path) -> None:
    """Write a small run with an evaluation and a grading, as an earlier version did.

    Its manifest knows no hashes: damage is then met where the file is read.
    """
    documents = folder.with_name(folder.name + "-documents")
    write_documents(documents)
    for command in (
        ("synthesize", documents, "-o", folder, "--size", "6", "--news", NEWS),
        ("evaluate", folder, "--metrics", "attribution"),
        ("grade", folder),
    ):
        done = ended(*command)
        assert done.code == 0, done.err
    run = RunFolder(folder)
    manifest = run.finished()
    manifest.files = {}
    run.write_manifest(manifest)
