"""Imports point down; a file has one subject."""

import ast
import itertools
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGE = Path(__file__).parents[2] / "pipeline" / "uaeval"

LAYERS = (
    {"pytest_plugin"},
    {"cli"},
    {"api"},
    {"results"},
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
    {"evaluation.metrics.names"},
    {"plugins"},
    {"user_code"},
    {"redaction", "http_replies", "serving"},
    {"errors", "text", "llm.names", "knowledge.facts", "categories.voices"},
    {"resources"},
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


def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _import_nodes(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    nodes = ast.walk(ast.parse(_source(path)))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def _imports(path: Path) -> set[str]:
    imported = set()
    for node in _import_nodes(path):
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


def test_imports_point_down() -> None:
    upward = {
        f"{_module(path)} may not import {name}"
        for path in MODULES
        for home in [_home(_module(path))]
        for name in _imports(path) - {home}
        if _rank(name) <= _rank(home) and (home, name) not in WITHIN_LAYER
    }
    assert not upward


def test_no_file_is_long() -> None:
    lengths = {_module(path): len(_source(path).splitlines()) for path in MODULES}
    assert not {module: lines for module, lines in lengths.items() if lines > LONGEST}


WITHOUT_NEED = {"uaeval", "pydantic_core", "pytest", "IPython"}
"""Ours; what pydantic always comes with; what loads our plugin; what runs a notebook."""


def test_every_package_that_is_imported_is_a_dependency() -> None:
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    wanted = [*project["project"]["dependencies"], *itertools.chain.from_iterable(extras)]
    declared = {canonicalize_name(Requirement(each).name) for each in wanted}
    owners = packages_distributions()
    missing = {
        f"{_module(path)}: {name}"
        for path in MODULES
        for name in _packages(path) - sys.stdlib_module_names - WITHOUT_NEED
        if declared.isdisjoint(map(canonicalize_name, owners.get(name, [name])))
    }
    assert not missing


def _packages(path: Path) -> set[str]:
    nodes = _import_nodes(path)
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named = [node.module for node in nodes if isinstance(node, ast.ImportFrom) if node.module]
    return {name.partition(".")[0] for name in (*plain, *named)}
