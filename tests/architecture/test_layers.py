"""Imports point down; a file has one subject."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pipeline" / "uaeval"

LAYERS = (
    {"cli"},
    {"sweep", "grading"},
    {"api"},
    {"formats"},
    {"report", "review"},
    {"synthesis", "systems", "evaluation"},
    {"news"},
    {"knowledge"},
    {"llm", "offline"},
    {"runner"},
    {
        "storage",
        "prompts",
        "config",
        "call_config",
        "gate_config",
        "system_config",
        "news_config",
        "grading_config",
        "run_folder",
        "labels",
    },
    {"categories"},
    {"plugins"},
    {
        "types",
        "errors",
        "resources",
        "gc_control",
        "config_problems",
        "metric_names",
        "model_names",
        "settings",
        "text",
    },
)
"""From the top; a module imports from its own folder and from the layers below."""

WITHIN_LAYER = {
    ("run_folder", "storage"),
    ("config", "call_config"),
    ("config", "system_config"),
    ("config", "news_config"),
    ("labels", "storage"),
    ("grading_config", "config"),
    ("grading_config", "call_config"),
    ("grading_config", "system_config"),
    ("llm", "offline"),
    ("offline", "llm"),
}
LONGEST = 350


def _rank(name: str) -> int:
    return next(rank for rank, layer in enumerate(LAYERS) if name in layer)


def _home(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("uaeval"):
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            found |= {n.name.split(".")[1] for n in node.names if n.name.startswith("uaeval.")}
    return found


MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem[0] != "_"
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    home = _home(path)
    upward = {
        name
        for name in _imports(path) - {home}
        if _rank(name) <= _rank(home) and (home, name) not in WITHIN_LAYER
    }
    assert not upward, f"{home} may not import {upward}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_file_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
