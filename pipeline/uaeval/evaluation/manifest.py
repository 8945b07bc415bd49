"""What an evaluation is: its settings, what it was run on, and what became of it."""

import hashlib
from collections.abc import Set
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from uaeval.config import ScoreSettings
from uaeval.errors import StorageError
from uaeval.evaluation.latency import Latency
from uaeval.model_names import describe_change
from uaeval.run_folder import FORMAT, ModelUsage, Price
from uaeval.storage import read_json


class WorkManifest(BaseModel):
    """What the manifests of evaluations and gradings share; written before and after the work."""

    model_config = ConfigDict(extra="forbid")

    what: ClassVar[str]
    """What it is the manifest of, in one word."""
    format: int = FORMAT
    settings: dict[str, object]
    dataset: str
    """SHA-256 of `queries.jsonl`."""
    versions: dict[str, str]
    prompts: dict[str, str]
    failures: dict[str, int] = {}
    """Failed calls by stage."""
    usage: list[ModelUsage] = []
    prices: dict[str, Price] = {}
    """The prices that the costs were reckoned with, by model."""

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read an earlier manifest, if there is one.

        Raises:
            StorageError: it is no manifest of this version.
        """
        if not path.exists():
            return None
        try:
            return cls.model_validate(read_json(path))
        except ValidationError as error:
            message = f"{path} is no {cls.what} of this version of uaeval; choose another --name"
            raise StorageError(message) from error

    def refuse_other(
        self,
        earlier: "WorkManifest",
        folder: Path,
        *further: str,
        kept: Set[str] = frozenset(),
        remedy: str = "",
    ) -> None:
        """Raise `StorageError` if `folder` holds work on other data, settings or prompts.

        `further` names what else has changed; the settings `kept` may differ. `remedy` ends the
        message.
        """
        changed = [
            describe_change(name, earlier.settings.get(name), self.settings.get(name))
            for name in dict.fromkeys([*self.settings, *earlier.settings])
            if name not in kept and earlier.settings.get(name) != self.settings.get(name)
        ]
        changed += further
        if earlier.dataset != self.dataset:
            changed.append("the dataset has changed")
        known = earlier.prompts.keys() & self.prompts.keys()  # each metric brings its own prompts
        if any(earlier.prompts[name] != self.prompts[name] for name in known):
            changed.append("prompts have changed")
        if changed:
            raise StorageError(
                f"{folder} holds another {self.what} ({'; '.join(changed)}); "
                f"choose another --name, or delete that folder{remedy}"
            )


class EvaluationManifest(WorkManifest):
    """Written before the first question and after the last."""

    what = "evaluation"
    status: Literal["running", "waiting", "lacking", "complete"]
    """`waiting`: answers of a batch are still to come; `lacking`: calls failed, and running it
    again asks them again; `complete`: no call failed. A judge that a content filter stopped does
    not make it `lacking`, for it would be stopped again: see `blocked`."""
    judged_policy: str | None = None
    """The policy that the judge was asked under, if `score` derived another from verdicts."""
    recorded: str | None = None
    """SHA-256 of the file of recorded responses, if they were not asked for."""
    sweep: str | None = None
    """The sweep that it is a cell of; the calls and their cost are counted there."""
    models: dict[str, str]
    """Model by role: system (the built-in RAG's), judge."""
    queries: int
    responses: int = 0
    blocked: dict[str, dict[str, int]] = {}
    """Stopped by a content filter, by stage (`respond`, `judge`) and category of the pair; neither
    refusals nor failures. Of `judge`: queries without a judgement, errors of the figures."""
    omissions: list[str] = []
    """What of the dataset's knowledge base was not read or not used."""
    stopped_parts: dict[str, int] = {}
    """Responses for which a part of the built-in RAG did nothing, by part and reason."""
    judgements: int = 0
    undecided: dict[str, int] = {}
    """What the judge could not tell, by metric; these replies are final."""
    latency: Latency | None = None
    """Of the system's responses, in seconds."""


read_manifest = EvaluationManifest.read


def dataset_hash(queries: Path) -> str:
    """Return the SHA-256 of the dataset file."""
    return hashlib.sha256(queries.read_bytes()).hexdigest()


_ADDABLE = frozenset({"metrics", "other_judges"})
"""Settings that may differ when an evaluation goes on: they change nothing that is there, unless
a majority of the judges decides."""


def refuse_other(earlier: EvaluationManifest, now: EvaluationManifest, folder: Path) -> None:
    """Raise `StorageError` if `folder` holds an evaluation of other data, settings or prompts."""
    kept = _ADDABLE - ({"other_judges"} if now.settings.get("majority") else set())
    recorded = "the recorded responses have changed"
    further = [recorded] if earlier.recorded != now.recorded else []
    now.refuse_other(earlier, folder, *further, kept=kept, remedy=_rescoring(earlier, now, folder))


def _rescoring(earlier: EvaluationManifest, now: EvaluationManifest, folder: Path) -> str:
    """Return the command that computes the scores anew, if weights or policy differ."""
    was, given = (
        ScoreSettings.model_validate(
            {name: known[name] for name in ScoreSettings.model_fields if name in known}
        )
        for known in (earlier.settings, now.settings)
    )
    if was == given:
        return ""
    options = "" if was.weights == given.weights else " --weights {:g},{:g}".format(*given.weights)
    if was.policy != given.policy:
        options += f" --policy {given.policy} --name <name>"
    return f". To change only that without a call: uaeval score {folder}{options}"
