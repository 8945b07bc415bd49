"""Settings of a run: from a YAML file, overridden by options, checked at once."""

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)

from uaeval.call_config import BaseUrl, CallSettings, PromptSettings, Spending
from uaeval.config_problems import of_settings, unknown_settings
from uaeval.errors import ConfigError
from uaeval.metric_names import known_metric, metric_names
from uaeval.model_names import OFFLINE, ModelName
from uaeval.news_config import NewsSettings, WebSettings
from uaeval.settings import Listed, Option
from uaeval.system_config import RagSettings, SystemSettings
from uaeval.types import Category


def _plain_name(given: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*", given):
        raise ValueError(f"write one plain name of letters, digits, ., - and _, got {given!r}")
    return given


FolderName = Annotated[str, AfterValidator(_plain_name)]
"""A folder below the dataset's."""


def _two_numbers(given: object) -> object:
    if not isinstance(given, str):
        return given
    try:
        return tuple(map(float, given.split(",")))
    except ValueError:
        raise ValueError(f"write two numbers such as 0.7,0.3, got {given!r}") from None


_SPEED_AND_COST = frozenset(
    {*CallSettings.model_fields, *Spending.model_fields, *WebSettings.model_fields}
)
"""Settings that decide no result."""


class SynthesisConfig(PromptSettings, Spending, CallSettings, NewsSettings, WebSettings):
    """Everything that decides what `synthesize` writes, how fast, and what it may cost."""

    knowledge_base: str
    """A folder or file (txt, md, html, pdf, docx, jsonl, csv, parquet), `hf:<dataset>` or
    `chroma:<folder>#<collection>`."""
    output: Annotated[Path, Option("-o")]
    """Folder of the run; made if it is not there."""
    size: int = Field(default=120, ge=1)
    """Unanswerable queries in all; twins on top."""
    categories: Listed[Category] = Field(default=tuple(Category), min_length=1)
    """Categories to write, comma-separated."""
    seed: int = 0
    """Same seed, same dataset."""
    model: ModelName = OFFLINE
    """The author: `offline` (English, no network) or `provider:model`."""
    base_url: BaseUrl = None
    """The model's endpoint, such as http://localhost:8000/v1."""
    verifier: ModelName | None = None
    """The verifier, if it is not the author's model."""
    verifier_base_url: BaseUrl = None
    """The verifier's endpoint, if it is not the author's (that of the same provider)."""
    samples: int = Field(default=1, ge=1, le=25)
    """How often a candidate is verified; more than half must agree."""
    language: str = "auto"
    """Language of the queries; `auto`: the passage's."""
    queries: Path | None = None
    """File of your own queries (see `uaeval export --list`), each with a category: they are
    verified and given twins; none is written."""
    holdout_share: float = Field(default=0.3, gt=0, lt=0.9)
    """Share of the documents that `--news holdout` sets aside."""
    embedding: str = "hashed-words-1024"
    """`hashed-words-1024` (offline) or `provider:model`."""
    chunk_size: int = Field(default=900, ge=200)
    """Characters of a passage."""
    passages_shown: int = Field(default=8, ge=2, le=40)
    """How many hits a verifier sees."""
    ask_rag: bool = False
    """Ask the built-in RAG each proven out_of_database question, too, and record what it says as
    evidence; it decides nothing."""
    per_document: int = Field(default=2, ge=1)
    """Most queries of one category from one document; relaxed when documents are few."""
    modalities: str = "text"
    """What the system under test supports; a query that needs only these is not generated."""
    text_field: str | None = None
    """The field that holds the text in jsonl, csv, parquet and datasets. [guessed]"""
    title_field: str | None = None
    """The field that holds the title. [guessed]"""
    id_field: str | None = None
    """The field that holds the name of a document. [guessed]"""

    @model_validator(mode="after")
    def _categories_once(self) -> Self:
        if len(set(self.categories)) != len(self.categories):
            raise ValueError("categories: each may be named only once")
        return self

    @model_validator(mode="after")
    def _verifier_can_do_so(self) -> Self:
        _refuse_for_offline("verifier", self.verifier_name, self.verifier_base_url, self.samples)
        return self

    @property
    def verifier_name(self) -> str:
        """Name the model that verifies."""
        return self.verifier or self.model

    @property
    def verifier_url(self) -> str | None:
        """The endpoint of the model that verifies, if it is not the provider's own."""
        shared = self.base_url if _shares_address(self.verifier_name, self.model) else None
        return self.verifier_base_url or shared

    def decisive(self) -> dict[str, object]:
        """Return the settings that decide the result, JSON-ready; speed and place do not."""
        return self.model_dump(mode="json", exclude={"output", *_SPEED_AND_COST})


LEAST_JUDGES = 3
"""Judges from which on a majority can be taken."""
MetricName = Annotated[str, AfterValidator(known_metric)]


class EvaluationConfig(PromptSettings, Spending, CallSettings, RagSettings, SystemSettings):
    """Everything that decides what `evaluate` writes, how fast, and what it may cost."""

    dataset: Path
    """The folder of a finished run, or a file of queries."""
    system: str = "rag"
    """The system under test: `rag`, the built-in one; `http`; `openai:<model>`, a chat endpoint;
    `python:<module>:<function>`; `langchain:<module>:<object>`; `responses:<file.jsonl>`,
    recorded."""
    name: FolderName | None = None
    """Folder below DATASET/evaluations, one plain name. [from the system's name]"""
    model: ModelName = OFFLINE
    """The built-in RAG's model; `offline` answers in the passages' own words."""
    base_url: BaseUrl = None
    """The model's endpoint, such as http://localhost:8000/v1."""
    controls: Path | None = None
    """File of your own questions with reference answers, asked as well."""
    index: Path | None = None
    """Run whose index `rag` answers from, if DATASET is a file."""
    judge: ModelName | None = None
    """The judge, if it is not the RAG's model."""
    judge_base_url: BaseUrl = None
    """The judge's endpoint, if it is not that of the RAG's model (of the same provider)."""
    samples: int = Field(default=1, ge=1, le=25)
    """How often a response is judged; more than half must agree."""
    other_judges: Listed[ModelName] = ()
    """Further judges, comma-separated, at the judge's endpoint: they show how far judges agree."""
    majority: bool = False
    """More than half of all judges decide, instead of the first."""
    policy: Literal["lenient", "strict"] = "lenient"
    """What is acceptable for an underspecified query: `lenient`, any refusal; `strict`, asking
    back or several readings."""
    weights: Annotated[tuple[float, float], BeforeValidator(_two_numbers)] = (0.7, 0.3)
    """Weights of correctness and acceptable ratio in the joint score."""
    metrics: Annotated[Listed[MetricName], Option(names=metric_names)] = ()
    """Further metrics, comma-separated"""

    @model_validator(mode="after")
    def _weights_are_shares(self) -> Self:
        first, second = self.weights
        if not (0 <= first <= 1 and 0 <= second <= 1) or abs(first + second - 1) > 1e-9:
            raise ValueError(f"weights: both lie in [0, 1] and sum to 1, got {first} and {second}")
        return self

    @model_validator(mode="after")
    def _judge_can_do_so(self) -> Self:
        all_offline = {self.judge_name, *self.other_judges} == {OFFLINE}
        address = self.judge_base_url if all_offline else None
        _refuse_for_offline("judge", self.judge_name, address, self.samples)
        return self

    @model_validator(mode="after")
    def _judges_can_vote(self) -> Self:
        names = (self.judge_name, *self.other_judges)
        if len(set(names)) != len(names):
            raise ValueError("other_judges: each judge may be named only once")
        if self.majority and (len(names) < LEAST_JUDGES or self.samples > 1):
            raise ValueError(
                "majority: name two other_judges or more, and leave samples out; "
                "samples are the votes of one judge"
            )
        return self

    @model_validator(mode="after")
    def _offline_can_do_so(self) -> Self:
        if self.system == "rag" and self.model == OFFLINE and self.rewriting == "hyde":
            raise ValueError(
                "rewriting: the offline engine imagines no passages; name a --model for hyde, "
                "or take multi_query or none"
            )
        return self

    @property
    def folder_name(self) -> str:
        """The folder below `evaluations/`."""
        return self.name or re.sub(r"[^\w.]+", "-", self.system).strip("-.") or "system"

    @property
    def judge_name(self) -> str:
        """Name the model that judges."""
        return self.judge or self.model

    @property
    def judge_url(self) -> str | None:
        """The endpoint of the model that judges, if it is not the provider's own."""
        shared = self.base_url if _shares_address(self.judge_name, self.model) else None
        return self.judge_base_url or shared

    def decisive(self) -> dict[str, object]:
        """Return the settings that decide the result, JSON-ready; speed and place do not.

        Of the settings of the system, those that are not at their default.
        """
        left_out = {"dataset", "name", "system_concurrency", *_SPEED_AND_COST}
        decisive = self.model_dump(mode="json", exclude=left_out)
        given = self.model_dump(mode="json", exclude_defaults=True)
        parts = {*SystemSettings.model_fields, *RagSettings.model_fields} - {"k"}
        parts |= {"other_judges", "majority"}
        return {name: value for name, value in decisive.items() if name not in parts - given.keys()}


def _shares_address(name: str, first: str) -> bool:
    """Return whether a second model is at the first one's address; the offline engine has none.

    An address of another provider's would be asked in the wrong tongue.
    """
    if name == OFFLINE:
        return False
    return first == OFFLINE or name.partition(":")[0] == first.partition(":")[0]


def _refuse_for_offline(role: str, name: str, base_url: str | None, samples: int) -> None:
    """Refuse what has no meaning for the offline engine."""
    if name != OFFLINE:
        return
    if base_url:
        raise ValueError(f"{role}_base_url: the {role} is `offline`, which has no endpoint")
    if samples > 1:
        raise ValueError(
            f"samples: the {role} is `offline`, which always says the same, so that no majority "
            f"can be taken; leave samples out, or name a model as {role}"
        )


C = TypeVar("C", bound=BaseModel)


def build(kind: type[C], **settings: object) -> C:
    """Check `settings` (those that are `None` are left at their default).

    Raises:
        ConfigError: one sentence that names every wrong setting; an unknown one gets the known.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    unknown = sorted(given.keys() - kind.model_fields.keys())
    if unknown:
        raise ConfigError(unknown_settings(unknown, sorted(kind.model_fields)))
    try:
        return kind(**given)
    except ValidationError as error:
        # No chain: an address that was refused for its password stands in the error.
        raise ConfigError(of_settings(error)) from None


class _UniqueKeyLoader(yaml.SafeLoader):
    """Reads plain YAML; a name that stands twice in one mapping is an error, not the last word."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        seen = set[str]()
        for key, _ in node.value:
            if key.value in seen:
                problem = f"{key.value!r} stands here again; keep one of the two"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings.

    Raises:
        ConfigError: the file is missing, is no YAML, names a setting twice, or holds no mapping.
    """
    try:
        value = yaml.load(path.read_text(encoding="utf-8"), _UniqueKeyLoader)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no settings file {path}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())
        raise ConfigError(f"cannot read settings from {path}: {problem}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return {str(name).replace("-", "_"): setting for name, setting in value.items()}
