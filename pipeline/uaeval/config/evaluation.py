"""Settings of `evaluate`."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from uaeval.config.calls import SPEED_AND_COST, BaseUrl, RunSettings, refuse_for_offline, shared_url
from uaeval.config.settings import FolderName, Listed, Option, Settings, Several
from uaeval.config.systems import RagSettings, SystemSettings
from uaeval.evaluation.metrics.names import known_metric, metric_names
from uaeval.llm.names import OFFLINE, ModelName, file_name

RESPONSES = "responses.jsonl"
"""The journal of a system's responses."""


def _two_numbers(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return tuple(map(float, value.split(",")))
    except ValueError:
        raise ValueError(f"write two numbers such as 0.7,0.3, got {value!r}") from None


MetricName = Annotated[str, AfterValidator(known_metric)]
"""The name of a metric on demand."""


class ScoreSettings(Settings):
    """Settings that affect the scores, but not the calls to the system and the judge."""

    heading: ClassVar[str] = "Scores"
    policy: Literal["lenient", "strict"] = "lenient"
    """What is acceptable for an underspecified query. `lenient`: to decline, ask back or give
    several readings; `strict`: to ask back or give several readings."""
    # The default weights are derived from the tables of UAEval4RAG.
    weights: Annotated[tuple[float, float], BeforeValidator(_two_numbers)] = (0.7, 0.3)
    """Weights of correctness and acceptable ratio in the joint score."""

    @model_validator(mode="after")
    def _check_weights(self) -> Self:
        first, second = self.weights
        if not (0 <= first <= 1 and 0 <= second <= 1) or abs(first + second - 1) > 1e-9:
            raise ValueError(f"weights: should be in [0, 1] and sum to 1, got {first}, {second}")
        return self


class RescoreSettings(Settings):
    """Settings of `score`."""

    heading: ClassVar[str] = "Scores"
    policy: Literal["lenient", "strict"] | None = None
    """What is acceptable for an underspecified query, as in `evaluate`. [the evaluation's]"""
    weights: Annotated[tuple[float, float] | None, BeforeValidator(_two_numbers)] = None
    """Weights of correctness and acceptable ratio in the joint score. [the evaluation's]"""
    name: FolderName | None = None
    """Name of a copy of the evaluation, which gets the new scores. [the evaluation itself]"""


class ReportSettings(Settings):
    """Settings of `report`."""

    heading: ClassVar[str] = "Report"
    output: Annotated[Path | None, Option("-o"), Option("--html")] = None
    """The HTML file to write. [report.html beside the first evaluation's report.md]"""


class JudgeSettings(Settings):
    """The judges of responses, and the metrics."""

    heading: ClassVar[str] = "Judge"
    judge: ModelName | None = None
    """The judge: `offline` or `provider:model`. [the RAG's model; `offline` for other systems]"""
    judge_base_url: BaseUrl = None
    """The judge's endpoint. [that of the RAG's model, if the judge is of the same provider]"""
    samples: int = Field(default=1, ge=1, le=25)
    """How often each response is judged; more than half must agree."""
    other_judges: Listed[ModelName] = ()
    """Further judges, comma-separated, at the judge's endpoint, to measure how far judges agree."""
    majority: bool = False
    """Let more than half of all judges decide, instead of the first."""
    metrics: Annotated[Listed[MetricName], Option(names=metric_names)] = ()
    """Further metrics, comma-separated"""


class EvaluationConfig(JudgeSettings, ScoreSettings, SystemSettings, RagSettings, RunSettings):
    """All settings of `evaluate`."""

    heading: ClassVar[str] = "Evaluation"
    dataset: Path
    """The folder of a finished run, or a file of queries."""
    system: str = "rag"
    """The system under test: `rag` (built in), `http`, `openai:<model>` (a chat endpoint),
    `python:<module>:<function>`, `langchain:<module>:<object>`, `responses:<file.jsonl>`
    (recorded), or a system of an installed package."""
    name: FolderName | None = None
    """Name of the evaluation, a folder below DATASET/evaluations. [from the system's name]"""
    model: ModelName = OFFLINE
    """The built-in RAG's model: `provider:model`, or `offline` (copies sentences of passages)."""
    base_url: BaseUrl = None
    """The model's endpoint, such as http://localhost:8000/v1. [the provider's own]"""
    controls: Path | None = None
    """File of answerable questions with reference answers, which are asked in addition."""
    index: Path | None = None
    """Run whose index `rag` searches, if DATASET is a file."""

    @model_validator(mode="after")
    def _check_models(self) -> Self:
        all_offline = {self.judge_name, *self.other_judges} == {OFFLINE}
        address = self.judge_base_url if all_offline else None
        refuse_for_offline("judge", self.judge_name, address, self.samples)
        if self.judge_name in self.other_judges:
            raise ValueError("other_judges: each judge may be named only once")
        if self.majority and (len(self.other_judges) < 2 or self.samples > 1):
            raise ValueError(
                "majority: name two other_judges or more, and leave samples out; "
                "samples are the votes of one judge"
            )
        if self.system == "rag" and self.model == OFFLINE and self.rewriting == "hyde":
            raise ValueError(
                "rewriting: the offline engine cannot write passages for hyde; name a --model, "
                "or choose multi_query or none"
            )
        return self

    @property
    def folder(self) -> Path:
        """The folder of the evaluation."""
        return self.dataset / "evaluations" / (self.name or file_name(self.system, "system"))

    @property
    def has_responses(self) -> bool:
        """Return whether the folder of the evaluation has responses of an earlier session."""
        journal = self.folder / RESPONSES
        return journal.exists() and journal.stat().st_size > 0

    @property
    def judge_name(self) -> str:
        """The judge's model."""
        return self.judge or self.model

    @property
    def judge_url(self) -> str | None:
        """The base URL of the judge's model; `None` for the provider's own."""
        return self.judge_base_url or shared_url(self.judge_name, self.model, self.base_url)

    def decisive(self) -> dict[str, object]:
        """Return the settings that affect the result, JSON-ready, without speed, cost and paths.

        Settings of the system that have their default are left out.
        """
        left_out = {"dataset", "name", "system_concurrency", *SPEED_AND_COST}
        optional = {*SystemSettings.model_fields, *RagSettings.model_fields} - {"k"}
        optional |= {"other_judges", "majority"}
        left_out |= optional - self.model_dump(exclude_defaults=True).keys()
        return self.model_dump(mode="json", exclude=left_out)


class GateSettings(Settings):
    """Limits on the scores."""

    heading: ClassVar[str] = "Gate"
    fail_under: Several = ()
    """`FIGURE=MIN`: exit with 3 if the figure is less than MIN or has no value: joint=0.75,
    acceptable.underspecified=0.6. May be given several times."""
    fail_over: Several = ()
    """`FIGURE=MAX`: exit with 3 if the figure is greater than MAX or has no value:
    over_refusal=0.1. May be given several times."""
    lower_end: bool = False
    """Compare --fail-under with the lower end of the 95 % interval, --fail-over with the upper."""
    min_coverage: float = Field(default=0.95, ge=0, le=1)
    """Minimum share of a figure's queries that must be judged; exit with 3 below it."""
    junit: Path | None = None
    """Write the result of the gate to this file, as JUnit XML."""
