"""Recompute the scores of an evaluation with other weights or another policy, without calls."""

import shutil
from pathlib import Path

from uaeval.config import RescoreSettings, ScoreSettings, build
from uaeval.errors import ConfigError, StorageError
from uaeval.evaluation.evaluation import (
    SCORES,
    Evaluation,
    read_evaluation,
    read_scores,
    write_scores,
)
from uaeval.evaluation.judging.judge import Undecided, under_policy
from uaeval.evaluation.metrics.attribution import METRIC as ATTRIBUTION
from uaeval.evaluation.metrics.attribution import Attribution, by_code, texts_of
from uaeval.evaluation.metrics.registry import metric_named
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.evaluation.metrics.spec import Family
from uaeval.evaluation.run import write_judgements
from uaeval.records import Judgement
from uaeval.report.markdown import evaluation_report
from uaeval.run_folder import RunFolder
from uaeval.storage import write_journal, write_text


def rescore(folder: Path, settings: RescoreSettings) -> Evaluation:
    """Rewrite scores and report of the evaluation in `folder`, or with `name` those of a copy.

    Settings that are not given keep their values. Raise `ConfigError` if the policy changes without
    a name for the copy, `StorageError` if the evaluation is not finished or the copy exists.
    """
    evaluation = read_evaluation(folder)
    earlier = evaluation.manifest.score_settings
    given = settings.model_dump(exclude_none=True, exclude={"name"})
    chosen = build(ScoreSettings, **earlier.model_dump() | given)
    if chosen.policy != earlier.policy and settings.name is None:
        raise ConfigError(
            "--policy: judgements under another policy need a folder of their own; add --name"
        )
    if settings.name is not None:
        evaluation = read_evaluation(_copy(folder, settings.name))
    if chosen.policy != earlier.policy:
        labels: list[Judgement | Undecided] = [*evaluation.undecided, *evaluation.judgements]
        write_judgements(evaluation.folder, under_policy(chosen.policy, evaluation.queries, labels))
        evaluation = read_evaluation(evaluation.folder)
        _attribute(evaluation)
        asked_under = evaluation.manifest.judged_policy or earlier.policy
        evaluation.manifest.judged_policy = None if chosen.policy == asked_under else asked_under
    manifest, path = evaluation.manifest, evaluation.folder / SCORES
    manifest.settings |= chosen.model_dump(mode="json")
    manifest.judgements = len(evaluation.judgements)
    manifest.undecided = evaluation.undecided_counts
    further = (
        score for score in read_scores(path) if metric_named(score.metric).family is Family.JUDGED
    )
    scores = (*item_scores(evaluation.items, weights=chosen.weights), *further)
    RunFolder(evaluation.folder).write_manifest(manifest)
    write_scores(path, scores)
    write_text(evaluation.folder / "report.md", evaluation_report(evaluation))
    return evaluation


def _copy(folder: Path, name: str) -> Path:
    copy = folder.parent / name
    try:
        shutil.copytree(folder, copy)
    except FileExistsError as error:
        raise StorageError(f"{copy} exists already; choose another --name") from error
    except (OSError, shutil.Error) as error:
        raise StorageError(f"cannot copy {folder} to {copy}: {error}") from error
    return copy


def _attribute(evaluation: Evaluation) -> None:
    """Rewrite the attributions of bad responses, keeping those that exist."""
    known = {record.query_id: record for record in evaluation.records(ATTRIBUTION)}
    texts = texts_of(evaluation.dataset.chunks_path, evaluation.queries)
    records = (
        known.get(case.query.id, record)
        for case in evaluation.cases
        if (record := by_code(case, texts))
    )
    write_journal(evaluation.folder / ATTRIBUTION.file, Attribution, records)
