"""Publishing the dataset on the Hugging Face Hub, or a server that speaks its API (`HF_ENDPOINT`).

The token is looked for where the Hub's own tools look (`HF_TOKEN`, `hf auth login`), and is never
written down.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from uaeval.errors import ConfigError, RunAborted
from uaeval.formats import hf
from uaeval.formats.dataset import Dataset

if TYPE_CHECKING:
    from huggingface_hub import HfApi

REFUSED = {401, 403}


def push(dataset: Dataset, name: str, *, public: bool, bars: bool) -> str:
    """Upload the dataset to `namespace/name`, in one commit; return where it stands.

    What the repository had under `data/` and is no part of the dataset any more is removed. An
    upload that broke off can be repeated: what has arrived is not sent again.

    Raises:
        ConfigError: the name is none, there is no token that may write there, or the repository
            is public and `public` was not asked for.
        RunAborted: the Hub could not be reached, or broke off.
    """
    from huggingface_hub import HfApi

    # The hub's HTTP client differs between its versions; this is the error of the one in use.
    from huggingface_hub.errors import (  # type: ignore[attr-defined]
        HfHubHTTPError,
        HFValidationError,
        HTTPError,
    )
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not bars:
        disable_progress_bars()
    if name.count("/") != 1:
        raise ConfigError(f"{name!r} is no name on the Hub; give namespace/name")
    api = HfApi(library_name="uaeval")
    try:
        _make_repository(api, name, public=public)
        with TemporaryDirectory() as scratch:
            folder = Path(scratch) / "dataset"
            hf.write(dataset, folder)
            return _upload(api, name, folder)
    except HFValidationError as error:
        raise ConfigError(f"{name!r} is no name on the Hub: {error}") from error
    except HfHubHTTPError as error:
        if error.response is not None and error.response.status_code in REFUSED:
            raise ConfigError(
                f"the Hub refuses to write {name} ({_first_line(error)}); set HF_TOKEN to a token "
                "that may, or run `hf auth login`"
            ) from error
        raise RunAborted(f"the upload to {name} broke off: {_first_line(error)}") from error
    except (HTTPError, OSError, RuntimeError) as error:
        # A RuntimeError is how huggingface_hub tells that the upload of one file failed.
        raise RunAborted(f"the upload to {name} broke off: {_first_line(error)}") from error


def _make_repository(api: "HfApi", name: str, *, public: bool) -> None:
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        found = api.dataset_info(name)
    except RepositoryNotFoundError:
        api.create_repo(name, repo_type="dataset", private=not public, exist_ok=True)
        return
    if not public and not found.private:
        raise ConfigError(f"{name} is public on the Hub; add --public, or choose another name")


def _upload(api: "HfApi", name: str, folder: Path) -> str:
    done = api.upload_folder(
        repo_id=name,
        folder_path=folder,
        repo_type="dataset",
        commit_message="Upload the dataset with uaeval",
        delete_patterns="data/*",
    )
    return str(done.repo_url)


def _first_line(error: Exception) -> str:
    told = str(error).strip().splitlines() or [type(error).__name__]
    cause = error.__cause__
    return f"{told[0]} ({cause})" if isinstance(error, RuntimeError) and cause else told[0]
