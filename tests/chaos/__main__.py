"""Try every fault on every command and every reader; print the results.

`python -m tests.chaos [--short | --readers | --commands]`; the memory is held to a limit with
`--readers` alone, because the servers that fail run in the process that gives the commands.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.chaos.cases import Case, Clean, damage, fill_disk, kill, strike
from tests.chaos.commands import write_seed_run
from tests.chaos.fuzzing import MOST_KILOBYTES, Findings, fuzz, kilobytes
from tests.chaos.many_files import FILES, many_files
from tests.chaos.readers import Readers
from tests.chaos.scenarios import CANARY, FAULTS, NOT_JSON, OUTAGE, SCENARIOS, write_base
from tests.chaos.transfers import transfers
from tests.chaos.web import crawls

MUTATIONS = 10_000
SHORT_FAULTS = ("500", "truncated", OUTAGE)
LIMITS = (4_096, 65_536, 300_000)
"""Most bytes of a file on a disk that is full."""


def cases(folder: Path, *, short: bool) -> Iterator[Case]:
    """Yield every case, as it ends."""
    write_base(folder / "base")
    clean = Clean(folder / "base", folder)
    new = map("work-{}".format, count())  # a path once used is known to the index's library
    for scenario in SCENARIOS[:3] if short else SCENARIOS:
        for fault in SHORT_FAULTS if short else (*FAULTS, OUTAGE):
            if not (fault == NOT_JSON and scenario.plain):
                yield strike(fault, scenario, clean, folder / next(new))
        if not short:
            yield kill(scenario, clean, folder / next(new), kills=5)
            yield kill(scenario, clean, folder / next(new), kills=5, power=False)
            yield fill_disk(scenario, clean, folder / next(new), LIMITS)
            yield damage(scenario, clean, folder / next(new))
    yield from crawls(folder / "crawls", short=short)
    yield from transfers(folder / "transfers", short=short)
    yield many_files(folder / "many", 1_000 if short else FILES)


def findings(folder: Path, mutations: int) -> Iterator[Findings]:
    """Yield the result of each reader over so many damaged files in all."""
    with Readers(folder, write_seed_run) as opened:
        readers = list(opened)
        shares = sum(reader.share for reader in readers)
        for reader in readers:
            yield fuzz(reader, -(-mutations * reader.share // shares))


def main() -> int:
    """Run the chosen parts; return 1 if a fault had a forbidden effect."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="some faults, no damaged files")
    parser.add_argument("--readers", action="store_true", help="only the readers")
    parser.add_argument("--commands", action="store_true", help="only the commands")
    given = parser.parse_args()
    os.environ["OPENAI_API_KEY"] = CANARY
    ended: list[Case] = []
    read: list[Findings] = []
    with tempfile.TemporaryDirectory(prefix="chaos-") as place:
        if not given.readers:
            for case in cases(Path(place), short=given.short):
                _tell(f"{case.command}, {case.fault}: {'as it should be' if case.good else 'NOT'}")
                ended.append(case)
        if not given.commands and not given.short:
            for found in findings(Path(place) / "readers", MUTATIONS):
                _tell(f"{found.reader}: {found.tried} damaged files")
                read.append(found)
    _show(ended, read)
    memory = kilobytes()
    _tell(f"most memory of a process: {memory // 1000} MB")
    good = all(case.good for case in ended) and not any(found.tracebacks for found in read)
    return int(not good or (given.readers and memory > MOST_KILOBYTES))


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")


def _show(ended: list[Case], read: list[Findings]) -> None:
    console = Console(width=120)
    table = Table("command", "fault", "tried", "differed", "tracebacks", "secrets")
    for case in ended:
        counts = (case.tried, case.differed, case.tracebacks, case.secrets)
        table.add_row(case.command, case.fault, *map(str, counts))
    console.print(table)
    readers = Table("reader", "damaged files", "tracebacks", "slowest (s)")
    for found in read:
        seconds = f"{found.slowest:.1f}"
        readers.add_row(found.reader, str(found.tried), str(found.tracebacks.total()), seconds)
    console.print(readers)
    for case in ended:
        for note in case.notes:
            console.print(f"{case.command}, {case.fault}: {note}", markup=False)
    for found in read:
        for kind, example in found.examples.items():
            console.print(f"{found.reader}: {kind}\n{example}", markup=False)


if __name__ == "__main__":
    raise SystemExit(main())
