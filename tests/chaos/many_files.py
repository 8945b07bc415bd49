"""A knowledge base of very many small files."""

from pathlib import Path

from tests.chaos.cases import Case
from tests.chaos.commands import ended

FILES = 100_000
PLACES = "harbour ferry museum library garden market station theatre bakery workshop".split()
OPTIONS = ("--size", "2", "--categories", "nonsensical")


def many_files(folder: Path, files: int = FILES) -> Case:
    """Write queries for a folder of so many files; every one of them has to be read."""
    case = Case(fault=f"{files:,} files", command="synthesize")
    for number in range(files):
        path = folder / "documents" / str(number // 1000) / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_page(number), encoding="utf-8")
    run = folder / "run"
    done = ended("synthesize", folder / "documents", "-o", run, *OPTIONS)
    case.look(done, run)
    with (run / "chunks.jsonl").open(encoding="utf-8") as chunks:
        case.tried = sum(1 for _ in chunks)
    if done.code or case.tried != files:
        case.differed += 1
        case.notes.append(f"exit code {done.code}, {case.tried} passages: {done.err[-300:]}")
    return case


def _page(number: int) -> str:
    place = PLACES[number % len(PLACES)]
    return (
        f"# The {place} of quarter {number}\n\nThe {place} of quarter {number} opens at "
        f"{6 + number % 5} o'clock. Visitors can rent a locker at the {place} of quarter {number} "
        f"for {number % 90 + 1} euros a day.\n"
    )
