"""Finished evaluations on the disk, as `uaeval evaluate` leaves them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from uaeval.config import RESPONSES, EvaluationConfig
from uaeval.evaluation.evaluation import SCORES, Evaluation, write_altered_queries, write_scores
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.evaluation.run import JUDGEMENTS, evaluate
from uaeval.llm.model import Model
from uaeval.records import Judgement, Query, Response
from uaeval.run.progress import ProgressListener
from uaeval.run_folder import RunFolder
from uaeval.storage import file_print, write_journal
from uaeval.systems.system import System


async def evaluated(
    folder: Path,
    queries: Sequence[Query],
    system: System,
    judges: Sequence[Model],
    config: EvaluationConfig,
    progress: ProgressListener,
) -> Evaluation:
    """Evaluate `system` in `folder`, and score it."""
    write_altered_queries(folder, queries, altered=True)
    waiting = await evaluate(queries, system, judges, folder, config, progress)
    evaluation = Evaluation(folder=folder, manifest=manifest_of(queries), waiting=waiting)
    write_scores(folder / SCORES, item_scores(evaluation.items, weights=config.weights))
    return evaluation


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
    manifest = manifest_of(queries, policy=policy).model_copy(
        update={"status": status, "dataset": file_print(path).sha256}
    )
    RunFolder(folder).write_manifest(manifest)
    return folder


def manifest_of(queries: Sequence[Query], *, policy: str = "lenient") -> EvaluationManifest:
    return EvaluationManifest(
        status="complete",
        settings={"policy": policy, "weights": [0.7, 0.3]},
        dataset="",
        versions={},
        prompts={},
        models={"judge": "judge-model"},
        queries=len(queries),
    )
