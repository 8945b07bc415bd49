"""Read a grid of settings, whose combinations a sweep evaluates."""

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from uaeval.config import EvaluationConfig, build, read_settings
from uaeval.errors import ConfigError
from uaeval.llm.names import file_name
from uaeval.systems.kind import RAG, kind_of

AXES: Final = tuple(
    "system embedding retriever rewriting reranker candidates k model answer_prompt judge "
    "prompts".split()
)
"""Settings that may vary, in an order that keeps cells with the same retrieval together."""
MOST_CELLS: Final = 500
_NAME: Final = re.compile(r"\w[\w-]*")


class Cell(NamedTuple):
    """One combination of the grid: the values by axis, and the settings with them."""

    values: Mapping[str, object]
    config: EvaluationConfig


class Grid(NamedTuple):
    """The cells of a sweep, and the axes that they combine."""

    name: str
    axes: Mapping[str, tuple[object, ...]]
    cells: tuple[Cell, ...]

    @property
    def folder(self) -> Path:
        """The folder of the table and of the response store that the cells share."""
        return self.cells[0].config.dataset / "sweeps" / self.name


def read_grid(path: Path, overrides: Mapping[str, object] | None = None) -> Grid:
    """Read a grid from a YAML file with settings of `evaluate`, and lists of values under `grid`.

    The settings `overrides` replace those of the file, for all cells. Raise `ConfigError` if the
    file cannot be read, or a cell of the grid cannot be run.
    """
    settings = {**read_settings(path), **(overrides or {})}
    try:
        return _grid(settings, path.stem)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _grid(settings: dict[str, object], stem: str) -> Grid:
    axes = _axes(settings.pop("grid", None))
    name = str(settings.pop("name", None) or stem)
    if not _NAME.fullmatch(name):
        raise ConfigError(f"name: {name!r} should be a plain name of letters, digits, - and _")
    for problem, is_present in _problems(settings, axes).items():
        if is_present:
            raise ConfigError(problem)
    return Grid(name, axes, tuple(_cells(name, settings, axes)))


def _axes(grid: object) -> dict[str, tuple[object, ...]]:
    if not isinstance(grid, dict) or not grid:
        raise ConfigError("it should hold `grid:` with lists, such as retriever: [bm25, fused]")
    listed = {str(name).replace("-", "_"): values for name, values in grid.items()}
    for name in (name for name in listed if name not in AXES):
        similar = difflib.get_close_matches(name, AXES, 1)
        hint = f"did you mean {similar[0]!r}?" if similar else f"the axes are {', '.join(AXES)}"
        raise ConfigError(f"grid: {name!r} cannot vary; {hint}")
    return {name: _values(name, listed[name]) for name in AXES if name in listed}


def _values(name: str, listed: object) -> tuple[object, ...]:
    if not isinstance(listed, list) or not listed:
        raise ConfigError(f"grid.{name}: give a list of values, got {listed!r}")
    values = tuple(listed)
    if any(value is None or isinstance(value, list | dict) for value in values):
        raise ConfigError(f"grid.{name}: values should be texts or numbers, got {listed!r}")
    if len(set(map(str, values))) < len(values) or len(set(values)) < len(values):
        raise ConfigError(f"grid.{name}: each value may occur only once, got {listed!r}")
    return values


def _problems(
    settings: Mapping[str, object], axes: Mapping[str, Sequence[object]]
) -> Mapping[str, bool]:
    """Return every possible problem of a grid, and whether it is present."""
    duplicates = ", ".join(name for name in axes if name in settings)
    only_rag = all(name == RAG for name in axes.get("system", [settings.get("system", RAG)]))
    is_live = settings.get("mode", "live") == "live"
    is_judged = len(axes.get("model", ())) < 2 or "judge" in {*settings, *axes}
    count = math.prod(map(len, axes.values()))
    return {
        "name the `dataset`, the folder of a finished run": "dataset" not in settings,
        f"{duplicates} is given both in the grid and beside it": bool(duplicates),
        "grid.model: only the built-in rag has a model that can vary": (
            "model" in axes and not only_rag
        ),
        "mode: a sweep calls its models live, not in batches": not is_live,
        "judge: name a judge, otherwise each model would judge itself": not is_judged,
        f"the grid has {count} cells, at most {MOST_CELLS} can be run": count > MOST_CELLS,
    }


def _cells(
    name: str, settings: Mapping[str, object], axes: Mapping[str, Sequence[object]]
) -> Iterator[Cell]:
    uses: Counter[str] = Counter()
    for chosen in product(*axes.values()):
        values = dict(zip(axes, chosen, strict=True))
        folder = f"{name}.{'_'.join(file_name(str(value), 'value') for value in chosen)}"
        uses[folder] += 1
        folder += f"-{uses[folder]}" if uses[folder] > 1 else ""
        config = build(EvaluationConfig, **{**settings, **values, "name": folder})
        kind_of(config)
        yield Cell(values, config)
