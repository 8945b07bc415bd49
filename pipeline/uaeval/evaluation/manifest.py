"""What an evaluation is: its settings, what it was run on, and what became of it."""

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from uaeval.errors import StorageError
from uaeval.evaluation.latency import Latency
from uaeval.model_names import describe_change
from uaeval.run_folder import FORMAT, ModelUsage, Price
from uaeval.storage import read_json, write_json


class EvaluationManifest(BaseModel):
    """Written before the first question and after the last."""

    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    status: Literal["running", "waiting", "lacking", "complete"]
    """`waiting`: answers of a batch are still to come; `lacking`: calls failed, and running it
    again asks them again; `complete`: no call failed. A judge that a content filter stopped does
    not make it `lacking`, for it would be stopped again: see `blocked`."""
    settings: dict[str, object]
    dataset: str
    """SHA-256 of `queries.jsonl`."""
    versions: dict[str, str]
    recorded: str | None = None
    """SHA-256 of the file of recorded responses, if they were not asked for."""
    prompts: dict[str, str]
    sweep: str | None = None
    """The sweep that it is a cell of; the calls and their cost are counted there."""
    models: dict[str, str]
    """Model by role: system (the built-in RAG's), judge."""
    queries: int
    responses: int = 0
    blocked: dict[str, dict[str, int]] = {}
    """Stopped by a content filter, by stage (`respond`, `judge`) and category of the pair; neither
    refusals nor failures. Of `judge`: queries without a judgement, errors of the figures."""
    stopped_parts: dict[str, int] = {}
    """Responses for which a part of the built-in RAG did nothing, by part and reason."""
    judgements: int = 0
    undecided: dict[str, int] = {}
    """What the judge could not tell, by metric; these replies are final."""
    latency: Latency | None = None
    """Of the system's responses, in seconds."""
    failures: dict[str, int] = {}
    """Failed calls by stage: `respond`, `judge`, `other_judge` and those of further metrics."""
    usage: list[ModelUsage] = []
    prices: dict[str, Price] = {}
    """The prices that the costs were reckoned with, by model."""


def dataset_hash(queries: Path) -> str:
    """Return the SHA-256 of the dataset file."""
    return hashlib.sha256(queries.read_bytes()).hexdigest()


def read_manifest(path: Path) -> EvaluationManifest | None:
    """Read an earlier manifest, if there is one.

    Raises:
        StorageError: it is no manifest of this version.
    """
    if not path.exists():
        return None
    try:
        return EvaluationManifest.model_validate(read_json(path))
    except ValidationError as error:
        message = f"{path} is no evaluation of this version of uaeval; choose another --name"
        raise StorageError(message) from error


def write_manifest(path: Path, manifest: EvaluationManifest) -> None:
    """Write the manifest."""
    write_json(path, manifest.model_dump(mode="json"))


_ADDABLE = frozenset({"metrics", "other_judges"})
"""Settings that may differ when an evaluation goes on: they change nothing that is there, unless
a majority of the judges decides."""


def refuse_other(earlier: EvaluationManifest, now: EvaluationManifest, folder: Path) -> None:
    """Raise `StorageError` if `folder` holds an evaluation of other data, settings or prompts."""
    kept = _ADDABLE - ({"other_judges"} if now.settings.get("majority") else set())
    changed = [
        describe_change(name, earlier.settings.get(name), now.settings.get(name))
        for name in dict.fromkeys([*now.settings, *earlier.settings])
        if name not in kept and earlier.settings.get(name) != now.settings.get(name)
    ]
    if earlier.recorded != now.recorded:
        changed.append("the recorded responses have changed")
    if earlier.dataset != now.dataset:
        changed.append("the dataset has changed")
    if earlier.prompts != now.prompts:
        changed.append("prompts have changed")
    if changed:
        raise StorageError(
            f"{folder} holds another evaluation ({'; '.join(changed)}); "
            f"choose another --name, or delete that folder"
        )
