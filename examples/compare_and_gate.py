"""Compare two systems, and exit with 3 if the second misses a limit, as a CI job would.

    python examples/compare_and_gate.py DATASET [LEAST_JOINT_SCORE]

The second system refuses everything, so it is correct on no twin.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve()


def guess(question: str) -> str:
    """Answer everything."""
    return "It costs 12 euros and is open every day from 9 to 5."


def decline(question: str) -> str:
    """Answer nothing."""
    return "I do not have that information."


def uaeval(*arguments: str | Path) -> int:
    """Run a command where `python:compare_and_gate:…` can be imported; return its exit code."""
    command = [sys.executable, "-m", "uaeval", *map(str, arguments)]
    return subprocess.run(command, cwd=HERE.parent, check=False).returncode


def main(dataset: str | Path, least: str = "0.5") -> int:
    folder = Path(dataset).resolve()
    gate: list[str | Path] = ["--fail-under", f"joint={least}", "--junit", folder / "junit.xml"]
    uaeval("evaluate", folder, "--system", f"python:{HERE.stem}:guess", "--name", "guess")
    code = uaeval(
        *("evaluate", folder, "--system", f"python:{HERE.stem}:decline", "--name", "decline"),
        *gate,
    )
    evaluations = folder / "evaluations"
    uaeval("compare", evaluations / "guess", evaluations / "decline", "-o", folder / "compare.md")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
