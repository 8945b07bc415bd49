"""The wheel, built and installed as by a new user, works from another folder."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_installed_wheel_runs_the_whole_job_from_another_folder(tmp_path: Path) -> None:
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    wheel = next(tmp_path.glob("*.whl"))
    _run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    _run(python, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1", cwd=tmp_path)
    constraints = ROOT / "constraints.txt"
    _run(
        python, "-m", "pip", "install", "--quiet", "--constraint", constraints, wheel, cwd=tmp_path
    )
    place = "from uaeval.resources import shipped; print(shipped('knowledge_bases') / 'sample')"
    sample = Path(_run(python, "-c", place, cwd=tmp_path).strip())
    assert sample.is_relative_to(tmp_path)
    priced = (
        "from uaeval.llm.prices import open_prices; print(open_prices(None).price('openai:o3'))"
    )
    assert "input=2.0" in _run(python, "-c", priced, cwd=tmp_path)
    served = (
        "from uaeval.review.app import review_app; print(review_app('', [], blind=True).routes)"
    )
    assert "/style.css" in _run(python, "-c", served, cwd=tmp_path)
    listed = (
        "from pathlib import Path; from uaeval.view.app import view_app; "
        "print(view_app(Path()).routes)"
    )
    assert "/view.js" in _run(python, "-c", listed, cwd=tmp_path)
    uaeval = python.with_name("uaeval")
    _run(uaeval, "synthesize", sample, "-o", "run", "--size", "12", cwd=tmp_path)
    _run(uaeval, "evaluate", "run", cwd=tmp_path)
    assert (tmp_path / "run" / "evaluations" / "rag" / "report.md").stat().st_size > 0
