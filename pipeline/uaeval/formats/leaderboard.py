"""The config `leaderboard` of a published dataset: the headline figures of each evaluation."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.registry import STANDARD
from uaeval.evaluation.metrics.spec import OVERALL

FOLDER: Final = "leaderboard"
_FIGURES: Final = [metric.name for metric in STANDARD if metric.headline]
_SCHEMA: Final = pa.schema(
    [(name, pa.string()) for name in ("evaluation", "system", "system_model", "judge", "uaeval")]
    + [(name, pa.int64()) for name in ("queries", "failed_calls")]
    + [(f"{name}{end}", pa.float64()) for name in _FIGURES for end in ("", "_low", "_high")]
)


def write_leaderboard(evaluations: Iterable[Evaluation], place: Path) -> None:
    """Write one Parquet file with one row per evaluation."""
    for evaluation in evaluations:
        path = place / FOLDER / f"{evaluation.folder.name}.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(pa.Table.from_pylist([_row(evaluation)], schema=_SCHEMA), path)


def _row(evaluation: Evaluation) -> dict[str, object]:
    """Return system, judge, counts, and each figure with its 95 % interval."""
    manifest = evaluation.manifest
    row: dict[str, object] = {
        "evaluation": evaluation.folder.name,
        "system": manifest.settings.get("system"),
        "system_model": manifest.models.get("system"),
        "judge": manifest.models.get("judge"),
        "uaeval": manifest.versions.get("uaeval"),
        "queries": manifest.queries,
        "failed_calls": sum(manifest.failures.values()),
    }
    for score in evaluation.scores:
        if score.group == OVERALL and score.metric in _FIGURES:
            ends = {f"{score.metric}_low": score.low, f"{score.metric}_high": score.high}
            row |= {score.metric: score.value, **ends}
    return row
