"""What an evaluation is: its settings, what it was run on, and what became of it."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import numpy as np
from pydantic import Field

from uaeval.config import ScoreSettings, build
from uaeval.errors import StorageError
from uaeval.records import Response, ResponseStatus
from uaeval.run_folder import BaseManifest


class WorkManifest(BaseManifest):
    """What the manifests of evaluations and gradings share; written before and after the work."""

    advice = "choose another --name"
    dataset: str
    """SHA-256 of `queries.jsonl`."""
    failures: dict[str, int] = Field(default={})
    """Failed calls by stage."""

    def changes(self, earlier: Self, free: Set[str] = frozenset()) -> list[str]:
        """Describe what differs from an earlier manifest and decides the result.

        Settings in `free` may differ when the work goes on.
        """
        changed = earlier.other_settings(self.settings, free)
        if earlier.dataset != self.dataset:
            changed.append("the dataset has changed")
        known = earlier.prompts.keys() & self.prompts.keys()  # each metric brings its own prompts
        if any(earlier.prompts[name] != self.prompts[name] for name in known):
            changed.append("prompts have changed")
        return changed

    def remedy(self, earlier: Self, folder: Path) -> str:
        """Return what else can be done, to end the message."""
        return ""

    def refuse_other(self, earlier: Self, folder: Path) -> None:
        """Raise `StorageError` if `folder` holds work on other data, settings or prompts."""
        if changed := self.changes(earlier):
            raise StorageError(
                f"{folder} holds another {self.described} ({'; '.join(changed)}); "
                f"choose another --name, or delete that folder{self.remedy(earlier, folder)}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Percentiles of the seconds from asking to the whole answer, retries and queueing left out."""

    n: int
    """Responses that were watched; failed, blocked and recorded ones without a time are not."""
    p50: float
    p90: float
    p95: float
    p99: float
    longest: float


def latency(responses: Iterable[Response]) -> Latency | None:
    """Return the percentiles, interpolated linearly; `None` if no response was timed."""
    seconds = [
        response.latency_s
        for response in responses
        if response.status is ResponseStatus.OK and response.latency_s is not None
    ]
    if not seconds:
        return None
    p50, p90, p95, p99, longest = np.percentile(seconds, [50, 90, 95, 99, 100]).round(3).tolist()
    return Latency(n=len(seconds), p50=p50, p90=p90, p95=p95, p99=p99, longest=longest)


class EvaluationManifest(WorkManifest):
    """Written before the first question and after the last."""

    described = "evaluation"
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
    blocked: dict[str, dict[str, int]] = Field(default={})
    """Stopped by a content filter, by stage (`respond`, `judge`) and category of the pair; neither
    refusals nor failures. Of `judge`: queries without a judgement, errors of the figures."""
    omissions: list[str] = Field(default=[])
    """What of the dataset's knowledge base was not read or not used."""
    stopped_parts: dict[str, int] = Field(default={})
    """Responses for which a part of the built-in RAG did nothing, by part and reason."""
    judgements: int = 0
    undecided: dict[str, int] = Field(default={})
    """What the judge could not tell, by metric; these replies are final."""
    latency: Latency | None = None
    """Of the system's responses, in seconds."""

    @property
    def score_settings(self) -> ScoreSettings:
        """What decides the scores, given the judgements."""
        known = self.settings
        return build(ScoreSettings, policy=known.get("policy"), weights=known.get("weights"))

    def changes(self, earlier: Self, free: Set[str] = frozenset({"metrics"})) -> list[str]:
        """Describe what differs, the file of recorded responses too."""
        if not self.settings.get("majority"):  # else the other judges decide, too
            free |= {"other_judges"}
        recorded = ["the recorded responses have changed"]
        changed = super().changes(earlier, free)
        return changed + (recorded if earlier.recorded != self.recorded else [])

    def remedy(self, earlier: Self, folder: Path) -> str:
        """Return the command that computes the scores anew, if weights or policy differ."""
        was, given = earlier.score_settings, self.score_settings
        if was == given:
            return ""
        first, second = given.weights
        options = "" if was.weights == given.weights else f" --weights {first:g},{second:g}"
        if was.policy != given.policy:
            options += f" --policy {given.policy} --name <name>"
        return f". To change only that without a call: uaeval score {folder}{options}"


read_manifest = EvaluationManifest.read
