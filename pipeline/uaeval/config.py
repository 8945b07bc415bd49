"""Settings of a run: from a YAML file, overridden by options, checked at once."""

import difflib
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from uaeval.errors import ConfigError
from uaeval.types import Category

HOLDOUT = "holdout"


def _without_credentials(address: str | None) -> str | None:
    """Refuse an address that carries a name or password: it is written into the manifest."""
    if address and "@" in urlsplit(address).netloc:
        raise ValueError("base_url: leave name and password out, set a key in the environment")
    return address


BaseUrl = Annotated[str | None, AfterValidator(_without_credentials)]
"""An OpenAI-compatible endpoint."""


class CallSettings(BaseModel):
    """How fast and how often models are called; none of it decides the result."""

    concurrency: int = Field(default=8, ge=1)
    """Records worked on, and calls of one model under way, at once."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    """Of one model; not limited when not set."""
    tokens_per_minute: int | None = Field(default=None, ge=1)
    """Of one model, prompts and replies together; not limited when not set."""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one attempt at a call, to the last byte of its reply."""
    max_retries: int = Field(default=4, ge=0)
    """Further attempts at a call that failed in a way that may pass."""


class SynthesisConfig(CallSettings):
    """Everything that decides what `synthesize` writes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    knowledge_base: str
    """A folder, a file, `hf:<dataset>` or `chroma:<folder>#<collection>`."""
    output: Path
    size: int = Field(default=120, ge=1)
    """Unanswerable queries in all; twins come on top."""
    categories: tuple[Category, ...] = Field(default=tuple(Category), min_length=1)
    seed: int = 0
    model: str = "rules"
    """The author: `rules`, or `provider:model`."""
    verifier: str | None = None
    """The verifier; the author's model when not set."""
    base_url: BaseUrl = None
    """An OpenAI-compatible endpoint for the models above."""
    mode: Literal["live", "batch"] = "live"
    language: str = "auto"
    news: str = HOLDOUT
    """A folder of outside articles, or `holdout` to set documents of the knowledge base aside."""
    holdout_share: float = Field(default=0.3, gt=0, lt=0.9)
    embedding: str = "hashed-words-1024"
    chunk_size: int = Field(default=900, ge=200)
    """Characters."""
    passages_shown: int = Field(default=8, ge=2, le=40)
    """How many hits a verifier sees."""
    per_document: int = Field(default=2, ge=1)
    """Most queries of one category from one document; relaxed when documents are few."""
    modalities: str = "text"
    """What the system under test supports; a query that needs only these is not generated."""
    prompts: Path | None = None
    """A folder whose files replace the shipped prompts of the same name."""
    text_field: str | None = None
    """The field that holds the text in jsonl, csv, parquet and datasets; guessed if not set."""
    title_field: str | None = None
    id_field: str | None = None

    @model_validator(mode="after")
    def _categories_once(self) -> Self:
        if len(set(self.categories)) != len(self.categories):
            raise ValueError("categories: each may be named only once")
        return self

    @property
    def verifier_name(self) -> str:
        """Name the model that verifies."""
        return self.verifier or self.model

    def decisive(self) -> dict[str, object]:
        """Return the settings that decide the result, JSON-ready; speed and place do not."""
        left_out = {"output", "mode", *CallSettings.model_fields}
        return self.model_dump(mode="json", exclude=left_out)


class EvaluationConfig(CallSettings):
    """Everything that decides what `evaluate` writes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dataset: Path
    system: str = "rag"
    name: str | None = Field(default=None, pattern=r"^\w[\w.-]*$")
    """Folder below `evaluations/`, one plain name; the system's name when not set."""
    model: str = "rules"
    """The built-in RAG's model."""
    judge: str | None = None
    """The judge; the built-in RAG's model when not set."""
    base_url: BaseUrl = None
    mode: Literal["live", "batch"] = "live"
    policy: Literal["lenient", "strict"] = "lenient"
    """What is acceptable for an underspecified query."""
    weights: tuple[float, float] = (0.7, 0.3)
    """Weights of correctness and acceptable ratio in the joint score."""
    k: int = Field(default=5, ge=1)
    """Passages that the built-in RAG retrieves."""
    prompts: Path | None = None

    @model_validator(mode="after")
    def _weights_are_shares(self) -> Self:
        first, second = self.weights
        if not (0 <= first <= 1 and 0 <= second <= 1) or abs(first + second - 1) > 1e-9:
            raise ValueError(f"weights: both lie in [0, 1] and sum to 1, got {first} and {second}")
        return self

    def decisive(self) -> dict[str, object]:
        """Return the settings that decide the result, JSON-ready; speed and place do not."""
        left_out = {"dataset", "mode", "name", *CallSettings.model_fields}
        return self.model_dump(mode="json", exclude=left_out)


C = TypeVar("C", SynthesisConfig, EvaluationConfig)


def build(kind: type[C], **settings: object) -> C:
    """Check `settings` (those that are `None` are left at their default).

    Raises:
        ConfigError: one sentence that names every wrong setting; an unknown one gets the known.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    unknown = sorted(given.keys() - kind.model_fields.keys())
    if unknown:
        raise ConfigError(_unknown(unknown, sorted(kind.model_fields)))
    try:
        return kind(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        raise ConfigError("; ".join(map(_problem, error.errors()))) from error


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings.

    Raises:
        ConfigError: the file is missing, is no YAML, or holds no mapping.
    """
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"there is no settings file {path}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())
        raise ConfigError(f"cannot read settings from {path}: {problem}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return {str(name).replace("-", "_"): setting for name, setting in value.items()}


def _unknown(unknown: list[str], known: list[str]) -> str:
    names = []
    for name in unknown:
        close = difflib.get_close_matches(name, known, 1)
        names.append(f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name))
    return f"unknown setting {', '.join(names)}; known settings: {', '.join(known)}"


def _problem(error: object) -> str:
    assert isinstance(error, dict)
    place = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    if not place:
        return message
    return f"{place}: {message[0].lower()}{message[1:]}, got {error['input']!r}"
