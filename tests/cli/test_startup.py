"""A command loads no more than it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = {"pydantic", "uaeval.config"}
HEAVY = {"chromadb", "datasets", "langchain_core", "openai", "pandas", "scipy", "sklearn", "spacy"}
PROGRAM = f"""
import sys
from uaeval.cli.main import main
try:
    main()
except SystemExit as end:
    code = end.code or 0
print("loaded:", code, *sorted(set({sorted(HEAVY | SETTINGS)!r}) & sys.modules.keys()))
"""


def test_a_finished_run_loads_nothing_heavy(tmp_path: Path) -> None:
    page = "# Loans\n\nYou can borrow up to 12 books from the loan desk of Marrow Library.\n"
    (tmp_path / "loans.md").write_text(page * 2, encoding="utf-8")
    run = ["synthesize", str(tmp_path / "loans.md"), "-o", str(tmp_path / "run"), "--size", "1",
           "--categories", "false_presupposition"]  # fmt: skip
    lines = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *run],
            capture_output=True, encoding="utf-8", check=False, cwd=tmp_path,
        )  # fmt: skip
        lines.append(done.stdout.splitlines()[-1])
    assert "spacy" in lines[0]
    assert HEAVY.isdisjoint(lines[1].split())
    assert lines[1].split()[1] == "1"  # no query is proven from one sentence


def test_the_list_of_commands_loads_no_settings() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "--help"], capture_output=True, encoding="utf-8", check=True
    )
    assert "synthesize" in done.stdout
    assert done.stdout.splitlines()[-1] == "loaded: 0"


@pytest.mark.parametrize("command", ["synthesize", "evaluate", "estimate"])
def test_the_help_of_a_command_loads_its_settings_and_nothing_heavy(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, command, "--help"],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "loaded: 0 pydantic uaeval.config"
