"""Settings of a grading: models, conditions, gate, judges."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from uaeval.config import BaseUrl, CallSettings, FolderName, Spending
from uaeval.model_names import OFFLINE, ModelName

Share = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
DEFAULT_SIMILARITY: Final = 0.62
_SPEED_AND_COST: Final = frozenset({*CallSettings.model_fields, *Spending.model_fields})


class GradingConfig(Spending, CallSettings):
    """Everything that decides what `grade` writes, how fast, and what it may cost."""

    dataset: Path
    name: FolderName = "graded"
    """Folder below `gradings/`, one plain name."""
    models: tuple[ModelName, ...] = Field(default=(OFFLINE,), min_length=1)
    """The models that answer: `offline`, or `provider:model`."""
    base_url: BaseUrl = None
    """Their endpoint, if it is not the provider's own."""
    conditions: tuple[Literal["no_rag", "rag_gated", "rag_always"], ...] = Field(
        default=("no_rag", "rag_gated", "rag_always"), min_length=1
    )
    judges: tuple[ModelName, ...] = Field(default=(OFFLINE,), min_length=1)
    """The first is primary and decides the grade; the others serve agreement."""
    judge_base_url: BaseUrl = None
    """The judges' endpoint, if it is not the provider's own."""
    embedding: str | None = None
    """The dataset's own when not set."""
    retriever: Literal["vector", "bm25", "fused"] = "fused"
    k: int = Field(default=5, ge=1)
    """Passages that are retrieved, once for all models and conditions."""
    min_characters: int = Field(default=200, ge=0)
    """The gate: a context with fewer is not used."""
    min_chunks: int = Field(default=2, ge=0)
    min_similarity: Share | dict[str, Share] = DEFAULT_SIMILARITY
    """The gate: best cosine similarity; a number, or one for each embedding by name."""
    prompts: Path | None = None

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for setting in ("models", "conditions", "judges"):
            given = getattr(self, setting)
            if len(set(given)) != len(given):
                raise ValueError(f"{setting}: each may be named only once")
        for setting in ("models", "judges"):
            names = [file_name(name) for name in getattr(self, setting)]
            if len(set(names)) != len(names):
                raise ValueError(f"{setting}: two of them would share the files {names}")
        return self

    @model_validator(mode="after")
    def _live(self) -> Self:
        if self.mode == "batch":
            raise ValueError("mode: grade asks models live only; leave it out")
        return self

    def similarity(self, embedding: str) -> float:
        """Return the least similarity that the gate wants of an embedding."""
        if isinstance(self.min_similarity, dict):
            return self.min_similarity.get(embedding, DEFAULT_SIMILARITY)
        return self.min_similarity

    @property
    def folder(self) -> Path:
        """The folder that the grading is written into."""
        return self.dataset / "gradings" / self.name

    def decisive(self) -> dict[str, object]:
        """Return the settings that decide the result, JSON-ready; speed and place do not."""
        left_out = {"dataset", "name", *_SPEED_AND_COST}
        return self.model_dump(mode="json", exclude=left_out)


def file_name(model: str) -> str:
    """Return a model's name as it stands in names of files."""
    return re.sub(r"[^\w.]+", "-", model).strip("-.") or "model"
