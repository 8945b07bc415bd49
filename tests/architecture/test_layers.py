"""Imports point down; a file has one subject."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pipeline" / "uaeval"

LAYERS = (
    {"pytest_plugin"},
    {"cli"},
    {"api"},
    {"results", "estimates"},
    {"sweep", "grading"},
    {"jobs"},
    {"formats"},
    {"view"},
    {"review"},
    {"report"},
    {"synthesis", "systems", "evaluation"},
    {"news"},
    {"knowledge"},
    {"run"},
    {"llm", "offline"},
    {"runner"},
    {"storage", "prompts", "config", "run_folder", "labels"},
    {"categories"},
    {"llm.model", "knowledge.retriever", "systems.system"},
    {"llm.replies"},
    {"records"},
    {"categories.names"},
    {"metric_names"},
    {"user_code"},
    {"plugins", "redaction", "http_replies", "serving"},
    {
        *("errors", "resources", "model_names", "text", "keywords", "knowledge_facts", "voices"),
        "conversation",
    },
)
"""From the top; a module imports from its own folder and from the layers below. Modules named with
their folder are interfaces without an implementation, or names: they lie below their folder."""

WITHIN_LAYER = {
    ("text", "errors"),
    ("run_folder", "storage"),
    ("labels", "storage"),
    ("llm", "offline"),
    ("offline", "llm"),
}
LONGEST = 350


def _rank(name: str) -> int:
    return next(rank for rank, layer in enumerate(LAYERS) if name in layer)


def _home(module: str) -> str:
    """Return the entry of `LAYERS` that a module, `llm.replies`, belongs to."""
    alone = any(module in layer for layer in LAYERS)
    return module if alone else module.partition(".")[0]


def _module(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _imports(path: Path) -> set[str]:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("uaeval"):
            _, _, module = node.module.partition(".")
            imported |= {module} if module else {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            imported |= {
                alias.name.removeprefix("uaeval.")
                for alias in node.names
                if alias.name.startswith("uaeval.")
            }
    return set(map(_home, imported))


MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem[0] != "_"
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    home = _home(_module(path))
    upward = {
        name
        for name in _imports(path) - {home}
        if _rank(name) <= _rank(home) and (home, name) not in WITHIN_LAYER
    }
    assert not upward, f"{home} may not import {upward}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_file_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
