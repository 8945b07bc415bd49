"""Finished evaluations on the disk, as `uaeval evaluate` leaves them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from uaeval.evaluation.manifest import EvaluationManifest, dataset_hash
from uaeval.evaluation.run import JUDGEMENTS, RESPONSES
from uaeval.records import Judgement, Query, Response
from uaeval.run_folder import RunFolder
from uaeval.storage import write_journal


def write_evaluation(
    dataset: Path,
    name: str,
    queries: Sequence[Query],
    responses: Sequence[Response],
    judgements: Sequence[Judgement],
    *,
    policy: str = "lenient",
    status: Literal["running", "complete"] = "complete",
) -> Path:
    folder = dataset / "evaluations" / name
    path = RunFolder(dataset).queries_path
    write_journal(path, Query, queries)
    write_journal(folder / RESPONSES, Response, responses)
    write_journal(folder / JUDGEMENTS, Judgement, judgements)
    manifest = EvaluationManifest(
        status=status,
        settings={"policy": policy, "weights": [0.7, 0.3]},
        dataset=dataset_hash(path),
        versions={},
        prompts={},
        models={"judge": "judge-model"},
        queries=len(queries),
    )
    RunFolder(folder).write_manifest(manifest)
    return folder
