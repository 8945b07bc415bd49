"""A large dataset is streamed: memory does not grow with it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.formats.runs import CHUNKS, make_run, pair

from uaeval.categories.names import BUILT_IN
from uaeval.records import Query
from uaeval.storage import write_journal

RECORDS = 100_000
ALLOWED = 40 << 20
"""Bytes that ten times the records may take more: allocators and buffers, not records."""
EXPORT = """
import sys
from pathlib import Path
from uaeval.formats.dataset import Dataset
from uaeval.formats.format import export
from uaeval.formats.format import formats
from uaeval.run_folder import RunFolder

source = Dataset(RunFolder(Path(sys.argv[1])), name="x", license="mit")
export(source, formats()[sys.argv[2]], Path(sys.argv[3]))
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""
DIFFERENT = ("hf", "deepeval", "promptfoo", "beir", "uaeval4rag", "csv")
"""Formats that are written in different ways; the others are lines, as promptfoo's tests are."""


def queries(count: int) -> Iterator[Query]:
    categories = BUILT_IN
    for number in range(count // 2):
        category = categories[number % len(categories)]
        yield from pair(f"q-{number}", category, f"Is question {number} asked?" * 4, number)


def peak(folder: Path, name: str, count: int) -> int:
    """Return the peak memory, in bytes, of an export of `count` records."""
    places = [str(folder / str(count)), name, str(folder / f"{name}-{count}")]
    command = [sys.executable, "-c", EXPORT, *places]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout) * 1024


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for count in (RECORDS // 10, RECORDS):
        run = make_run(folder / str(count), [], CHUNKS)
        write_journal(run.queries_path, Query, queries(count))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", DIFFERENT)
def test_memory_is_bounded(name: str, runs: Path) -> None:
    few, many = peak(runs, name, RECORDS // 10), peak(runs, name, RECORDS)
    assert many - few < ALLOWED, f"{few:,} bytes for a tenth, {many:,} for all"
