"""What a command loads: a run that is finished needs neither index nor model nor statistics."""

import subprocess
import sys
from pathlib import Path

HEAVY = {"chromadb", "datasets", "langchain_core", "openai", "pandas", "scipy", "sklearn", "spacy"}
PROGRAM = f"""
import sys
from uaeval.cli.main import main
try:
    main()
except SystemExit as end:
    code = end.code or 0
print("loaded:", code, *sorted(set({sorted(HEAVY)!r}) & sys.modules.keys()))
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
    assert lines[1] == "loaded: 0"
