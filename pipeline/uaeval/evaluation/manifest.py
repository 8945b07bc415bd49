"""The manifest of an evaluation: its settings, its inputs and its results."""

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import Field

from uaeval.config import ScoreSettings, build
from uaeval.errors import StorageError
from uaeval.run_folder import BaseManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Percentiles of the seconds from request to complete answer, without retries and queueing."""

    n: int
    """Number of timed responses; failed, blocked and most recorded ones are not timed."""
    p50: float
    p90: float
    p95: float
    p99: float
    longest: float


class WorkManifest(BaseManifest):
    """The common part of the manifests of evaluations and gradings."""

    advice = "choose another --name"
    dataset: str
    """SHA-256 of `queries.jsonl`."""
    failures: dict[str, int] = Field(default={})
    """Failed calls by stage."""

    def changes(self, earlier: Self, free: Set[str] = frozenset()) -> list[str]:
        """Return the changes from an earlier manifest that affect the result, except of `free`."""
        changed = earlier.other_settings(self.settings, free)
        if earlier.dataset != self.dataset:
            changed.append("the dataset has changed")
        known = earlier.prompts.keys() & self.prompts.keys()  # metrics have prompts of their own
        if any(earlier.prompts[name] != self.prompts[name] for name in known):
            changed.append("prompts have changed")
        return changed

    def remedy(self, earlier: Self, folder: Path) -> str:
        """Return another remedy, for the end of the error message."""
        return ""

    def refuse_other(self, earlier: Self, folder: Path) -> None:
        """Raise `StorageError` if `folder` holds work with other data, settings or prompts."""
        if changed := self.changes(earlier):
            remedy = f"choose another --name, or delete that folder{self.remedy(earlier, folder)}"
            listed = "; ".join(changed)
            raise StorageError(f"{folder} holds another {self.described} ({listed}); {remedy}")


class EvaluationManifest(WorkManifest):
    """The manifest of an evaluation, written before the first query and after the last."""

    described = "evaluation"
    status: Literal["running", "waiting", "lacking", "complete"]
    """`waiting`: batch replies are still missing; `lacking`: calls failed, which the next session
    repeats; `complete`: no call failed. A judge that a content filter blocked would be blocked
    again, so it does not make the evaluation `lacking`; see `blocked`."""
    judged_policy: str | None = None
    """The policy of the judge's prompts, if `score` derived another policy from the verdicts."""
    recorded: str | None = None
    """SHA-256 of the recorded responses, or of the function under test (its source)."""
    sweep: str | None = None
    """The sweep that this evaluation is a cell of; calls and cost are counted there."""
    models: dict[str, str]
    """Model by role: judge, and system if it is the built-in RAG."""
    queries: int
    marked_invalid: int = 0
    """Number of queries that were not asked because people marked them invalid."""
    responses: int = 0
    blocked: dict[str, dict[str, int]] = Field(default={})
    """Number of blocked calls by stage (`respond`, `judge`) and category of the pair. Those of
    `judge` count as errors in the scores."""
    omissions: list[str] = Field(default=[])
    """Parts of the dataset's knowledge base that were not read or not used."""
    stopped_parts: dict[str, int] = Field(default={})
    """Number of responses for which a part of the built-in RAG was skipped, by part and reason."""
    judgements: int = 0
    undecided: dict[str, int] = Field(default={})
    """Number of undecided judgements by metric; these replies are final."""
    latency: Latency | None = None
    """Latency of the system's responses, in seconds."""

    @property
    def score_settings(self) -> ScoreSettings:
        """The settings that decide the scores, given the judgements."""
        known = self.settings
        return build(ScoreSettings, policy=known.get("policy"), weights=known.get("weights"))

    def changes(self, earlier: Self, free: Set[str] = frozenset({"metrics"})) -> list[str]:
        """Return the changes as `WorkManifest.changes`, and a change of `recorded`."""
        if not self.settings.get("majority"):  # with a majority vote the other judges decide, too
            free |= {"other_judges"}
        changed = super().changes(earlier, free)
        if self.recorded and earlier.recorded not in (None, self.recorded):
            is_function = str(self.settings["system"]).startswith("python:")
            what = "function has" if is_function else "recorded responses have"
            changed.append(f"the {what} changed")
        return changed

    def remedy(self, earlier: Self, folder: Path) -> str:
        """Return the command that recomputes the scores if weights or policy differ."""
        old, new = earlier.score_settings, self.score_settings
        if old == new:
            return ""
        first, second = new.weights
        options = "" if old.weights == new.weights else f" --weights {first:g},{second:g}"
        if old.policy != new.policy:
            options += f" --policy {new.policy} --name <name>"
        return f". To change only that without a call: uaeval score {folder}{options}"


read_manifest = EvaluationManifest.read
