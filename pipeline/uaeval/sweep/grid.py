"""A grid of settings: which RAGs a sweep evaluates."""

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from uaeval.config import EvaluationConfig, build, read_settings
from uaeval.errors import ConfigError
from uaeval.systems.named import RAG, kind_of

AXES: Final = (
    "system",
    "embedding",
    "retriever",
    "rewriting",
    "reranker",
    "candidates",
    "k",
    "model",
    "answer_prompt",
    "judge",
    "prompts",
)
"""What may vary, in the order in which cells follow: those that share a retrieval stay together."""
MOST_CELLS: Final = 500
_NAME: Final = re.compile(r"\w[\w-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One RAG of the grid."""

    values: Mapping[str, object]
    """By axis."""
    config: EvaluationConfig

    @property
    def title(self) -> str:
        """Its values in one line."""
        return ", ".join(map(str, self.values.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """All of them."""

    name: str
    dataset: Path
    axes: Mapping[str, tuple[object, ...]]
    cells: tuple[Cell, ...]

    @property
    def folder(self) -> Path:
        """Where the table is, and the answers that the cells share."""
        return self.dataset / "sweeps" / self.name


def read_grid(path: Path, given: Mapping[str, object] | None = None) -> Grid:
    """Read a grid from a YAML file: settings of `evaluate`, and under `grid` lists of them.

    What is `given` wins over the file, and holds for all cells.

    Raises:
        ConfigError: the file cannot be read, or a cell of the grid cannot be run.
    """
    settings = {**read_settings(path), **(given or {})}
    axes = _axes(path, settings.pop("grid", None))
    name = str(settings.pop("name", None) or path.stem)
    if not _NAME.fullmatch(name):
        raise ConfigError(f"name: {name!r} should be a plain name of letters, digits, - and _")
    for problem, holds in _problems(settings, axes).items():
        if holds:
            raise ConfigError(f"{path}: {problem}")
    cells = tuple(_cells(name, settings, axes))
    return Grid(name=name, dataset=cells[0].config.dataset, axes=axes, cells=cells)


def _axes(path: Path, given: object) -> dict[str, tuple[object, ...]]:
    if not isinstance(given, dict) or not given:
        raise ConfigError(
            f"{path} should hold `grid:` with lists, such as retriever: [bm25, fused]"
        )
    named = {str(name).replace("-", "_"): values for name, values in given.items()}
    for name in (name for name in named if name not in AXES):
        close = difflib.get_close_matches(name, AXES, 1)
        meant = f"did you mean {close[0]!r}?" if close else f"what may vary is {', '.join(AXES)}"
        raise ConfigError(f"grid: {name!r} cannot vary; {meant}")
    return {name: _values(name, named[name]) for name in AXES if name in named}


def _values(name: str, given: object) -> tuple[object, ...]:
    if not isinstance(given, list) or not given:
        raise ConfigError(f"grid.{name}: give a list of values, got {given!r}")
    values = tuple(given)
    if any(value is None or isinstance(value, list | dict) for value in values):
        raise ConfigError(f"grid.{name}: each value should be a plain one, got {given!r}")
    if len(set(map(str, values))) < len(values) or len(set(values)) < len(values):
        raise ConfigError(f"grid.{name}: each value may stand there only once, got {given!r}")
    return values


def _problems(
    settings: Mapping[str, object], axes: Mapping[str, Sequence[object]]
) -> Mapping[str, bool]:
    """Return what no sweep can be run with, and whether it holds."""
    twice = ", ".join(name for name in axes if name in settings)
    systems = {*axes.get("system", [settings.get("system", RAG)])}
    count = math.prod(map(len, axes.values()))
    return {
        "name the `dataset`, the folder of a finished run": "dataset" not in settings,
        f"{twice} stands both in the grid and beside it": bool(twice),
        "grid.model: only the built-in rag has a model that can vary": (
            "model" in axes and systems != {RAG}
        ),
        "mode: a sweep calls its models live, batches are not for it": (
            settings.get("mode", "live") != "live"
        ),
        "judge: name one, or each model would judge itself": (
            len(axes.get("model", ())) > 1 and "judge" not in settings and "judge" not in axes
        ),
        f"the grid has {count} cells, at most {MOST_CELLS} can be run": count > MOST_CELLS,
    }


def _cells(
    name: str, settings: Mapping[str, object], axes: Mapping[str, Sequence[object]]
) -> Iterator[Cell]:
    taken: Counter[str] = Counter()
    for chosen in product(*axes.values()):
        values = dict(zip(axes, chosen, strict=True))
        folder = f"{name}.{'_'.join(map(_slug, chosen))}"
        taken[folder] += 1
        folder += f"-{taken[folder]}" if taken[folder] > 1 else ""
        config = build(EvaluationConfig, **{**settings, **values, "name": folder})
        kind_of(config)
        yield Cell(values=values, config=config)


def _slug(value: object) -> str:
    return re.sub(r"[^\w.]+", "-", str(value)).strip("-.") or "value"
