"""Publish the dataset on the Hugging Face Hub, or a server with its API (`HF_ENDPOINT`).

The token comes from `HF_TOKEN` or `hf auth login`, and is never written to a file.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from uaeval.errors import ConfigError, RunAborted
from uaeval.evaluation.evaluation import Evaluation, read_evaluation
from uaeval.evaluation.metrics.registry import STANDARD
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.formats import hf
from uaeval.formats.dataset import Dataset
from uaeval.formats.parquet import write_parquet

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_LEADERBOARD: Final = "leaderboard"
"""Config and folder with a Parquet file of one row for each evaluation."""
_FIGURES: Final = [metric.name for metric in STANDARD if metric.headline]
_COLUMNS: Final = {
    **dict.fromkeys(("evaluation", "system", "system_model", "judge", "uaeval"), "string"),
    **dict.fromkeys(("queries", "failed_calls"), "int64"),
    **{f"{name}{end}": "double" for name in _FIGURES for end in ("", "_low", "_high")},
}


def push(
    dataset: Dataset, name: str, *, public: bool, bars: bool, evaluations: Sequence[str] = ()
) -> str:
    """Upload the dataset to `namespace/name` in one commit; return its URL.

    The scores of `evaluations` are added to the config `leaderboard`, which keeps the scores of
    other evaluations. Other files under `data/` of the repository are removed. An interrupted
    upload, a `RunAborted`, can be repeated; complete files are not sent again.

    Raises `ConfigError` if name or license are invalid, the token cannot write, or the repository
    is public and `public` is false; `StorageError` if an evaluation is missing or not finished.
    """
    from huggingface_hub import HfApi

    # The HTTP client of huggingface_hub depends on its version; this is the error of that client.
    from huggingface_hub.errors import (  # type: ignore[attr-defined]
        HfHubHTTPError,
        HFValidationError,
        HTTPError,
    )
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not bars:
        disable_progress_bars()
    if name.count("/") != 1:
        raise ConfigError(f"{name!r} is not a name on the Hub; give namespace/name")
    dataset.required_license()
    scored = [read_evaluation(dataset.run.path / "evaluations" / each) for each in evaluations]
    api = HfApi(library_name="uaeval")
    try:
        has_leaderboard = _make_repository(api, name, public=public)
        dataset.repository, dataset.leaderboard = name, has_leaderboard or bool(scored)
        with TemporaryDirectory() as scratch:
            folder = Path(scratch) / "dataset"
            hf.write(dataset, folder)
            for each in scored:
                path = folder / _LEADERBOARD / f"{each.folder.name}.parquet"
                path.parent.mkdir(exist_ok=True)
                write_parquet(path, [_scores(each)], _COLUMNS)
            uploaded = api.upload_folder(
                repo_id=name,
                folder_path=folder,
                repo_type="dataset",
                commit_message="Upload the dataset with uaeval",
                delete_patterns="data/*",
            )
            return str(uploaded.repo_url)
    except HFValidationError as error:
        raise ConfigError(f"{name!r} is not a name on the Hub: {error}") from error
    except (HTTPError, OSError, RuntimeError) as error:
        # huggingface_hub raises a RuntimeError if the upload of a file failed.
        response = error.response if isinstance(error, HfHubHTTPError) else None
        if response is not None and response.status_code in {401, 403}:
            raise ConfigError(
                f"the Hub refuses to write {name} ({_first_line(error)}); set HF_TOKEN to a token "
                "that can write, or run `hf auth login`"
            ) from error
        raise RunAborted(f"the upload to {name} broke off: {_first_line(error)}") from error


def _make_repository(api: "HfApi", name: str, *, public: bool) -> bool:
    """Create the repository if it does not exist; return whether it has a leaderboard."""
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        repository = api.dataset_info(name)
    except RepositoryNotFoundError:
        api.create_repo(name, repo_type="dataset", private=not public, exist_ok=True)
        return False
    if not public and not repository.private:
        raise ConfigError(f"{name} is public on the Hub; add --public, or choose another name")
    return any(file.rfilename.startswith(f"{_LEADERBOARD}/") for file in repository.siblings or ())


def _scores(evaluation: Evaluation) -> dict[str, object]:
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


def _first_line(error: Exception) -> str:
    first, *_ = str(error).strip().splitlines() or [type(error).__name__]
    cause = error.__cause__
    return f"{first} ({cause})" if isinstance(error, RuntimeError) and cause else first
