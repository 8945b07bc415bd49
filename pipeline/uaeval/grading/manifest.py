"""What a grading is, and whether a folder holds the same one."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from uaeval.errors import StorageError
from uaeval.model_names import describe_change
from uaeval.run_folder import FORMAT, ModelUsage, Price
from uaeval.storage import read_json, write_json


class GradingManifest(BaseModel):
    """Written before the first question and after the last."""

    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    status: Literal["running", "lacking", "complete"]
    """`lacking`: calls failed, and running it again asks them again."""
    settings: dict[str, object]
    dataset: str
    """SHA-256 of `queries.jsonl`."""
    versions: dict[str, str]
    prompts: dict[str, str]
    embedding: str
    questions: int
    answers: int = 0
    blocked: int = 0
    failures: dict[str, int] = {}
    """Failed calls by stage (`answer`, `judge`)."""
    usage: list[ModelUsage] = []
    prices: dict[str, Price] = {}


def read_grading(folder: Path) -> GradingManifest | None:
    """Read the manifest of a grading, if there is one.

    Raises:
        StorageError: it is none of this version.
    """
    path = folder / "manifest.json"
    if not path.exists():
        return None
    try:
        return GradingManifest.model_validate(read_json(path))
    except ValidationError as error:
        message = f"{path} is no grading of this version of uaeval; choose another --name"
        raise StorageError(message) from error


def write_grading(folder: Path, manifest: GradingManifest) -> None:
    """Write the manifest."""
    write_json(folder / "manifest.json", manifest.model_dump(mode="json"))


def refuse_other(earlier: GradingManifest | None, now: GradingManifest, folder: Path) -> None:
    """Raise `StorageError` if `folder` holds a grading of other data, settings or prompts."""
    if earlier is None:
        return
    names = dict.fromkeys([*now.settings, *earlier.settings])
    changed = [
        describe_change(name, earlier.settings.get(name), now.settings.get(name))
        for name in names
        if earlier.settings.get(name) != now.settings.get(name)
    ]
    if earlier.dataset != now.dataset:
        changed.append("the dataset has changed")
    if earlier.prompts != now.prompts:
        changed.append("prompts have changed")
    if changed:
        raise StorageError(
            f"{folder} holds another grading ({'; '.join(changed)}); "
            "choose another --name, or delete that folder"
        )
