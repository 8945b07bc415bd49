"""Settings of a grading: models, conditions, gate, judges."""

from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from uaeval.config.calls import SPEED_AND_COST, BaseUrl, CallSettings, PromptSettings, Spending
from uaeval.config.settings import FolderName, Listed
from uaeval.config.systems import RetrievalSettings
from uaeval.llm.names import OFFLINE, ModelName, file_name

Share = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
DEFAULT_SIMILARITY: Final = 0.62


class GradingConfig(PromptSettings, Spending, CallSettings, RetrievalSettings):
    """All settings of `grade`."""

    heading: ClassVar[str] = "Grading"
    dataset: Path
    """The folder of a finished run."""
    name: FolderName = "graded"
    """Name of the grading, a folder below DATASET/gradings."""
    models: Listed[ModelName] = Field(default=(OFFLINE,), min_length=1)
    """Models that answer, comma-separated: `offline`, `provider:model`."""
    base_url: BaseUrl = None
    """The models' endpoint, such as http://localhost:8000/v1. [the provider's own]"""
    conditions: Listed[Literal["no_rag", "rag_gated", "rag_always"]] = Field(
        default=("no_rag", "rag_gated", "rag_always"), min_length=1
    )
    """Comma-separated: `no_rag`, no context; `rag_gated`, the retrieved passages if they pass the
    gate; `rag_always`, the retrieved passages."""
    judges: Listed[ModelName] = Field(default=(OFFLINE,), min_length=1)
    """Judges, comma-separated. The first grades; the others measure how far judges agree."""
    judge_base_url: BaseUrl = None
    """The judges' endpoint. [the provider's own]"""
    min_characters: int = Field(default=200, ge=0)
    """Gate: minimum number of characters of a context."""
    min_chunks: int = Field(default=2, ge=0)
    """Gate: minimum number of passages of a context."""
    min_similarity: Share | dict[str, Share] = DEFAULT_SIMILARITY
    """Gate: minimum of the best cosine similarity; in a file also one for each embedding."""

    @model_validator(mode="after")
    def _check_file_names(self) -> Self:
        for setting in ("models", "judges"):
            names = [file_name(name) for name in getattr(self, setting)]
            if len(set(names)) != len(names):
                raise ValueError(f"{setting}: two of them would share the files {names}")
        return self

    def similarity(self, embedding: str) -> float:
        """Return the smallest similarity that passes the gate, for an embedding."""
        if isinstance(self.min_similarity, dict):
            return self.min_similarity.get(embedding, DEFAULT_SIMILARITY)
        return self.min_similarity

    @property
    def folder(self) -> Path:
        """The folder of the grading."""
        return self.dataset / "gradings" / self.name

    def decisive(self) -> dict[str, object]:
        """Return the settings that affect the result, JSON-ready, without speed, cost and paths."""
        return self.model_dump(mode="json", exclude={"dataset", "name", *SPEED_AND_COST})
