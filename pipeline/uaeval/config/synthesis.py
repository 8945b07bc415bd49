"""Settings of `synthesize`."""

from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from uaeval.categories.names import BUILT_IN
from uaeval.categories.registry import category
from uaeval.config.calls import (
    BaseUrl,
    CallSettings,
    PromptSettings,
    Spending,
    refuse_for_offline,
    shared_endpoint,
)
from uaeval.config.news import NewsSettings, WebSettings
from uaeval.config.settings import Listed, Option
from uaeval.model_names import OFFLINE, ModelName
from uaeval.records import Category

_SPEED_AND_COST: Final = frozenset(
    {*CallSettings.model_fields, *Spending.model_fields, *WebSettings.model_fields}
)


MOST_SHOWN: Final = 40
"""Most hits that a verifier can be shown."""


class SynthesisConfig(PromptSettings, Spending, CallSettings, NewsSettings, WebSettings):
    """Everything that decides what `synthesize` writes, how fast, and what it may cost."""

    knowledge_base: str
    """A folder or file (txt, md, rst, html, pdf, docx, jsonl, csv, parquet, …), `hf:<dataset>`
    or `chroma:<folder>#<collection>`."""
    output: Annotated[Path, Option("-o")]
    """Folder of the run; made if it is not there."""
    size: int = Field(default=120, ge=1)
    """Unanswerable queries in all; twins on top."""
    categories: Listed[Category] = Field(default=BUILT_IN, min_length=1)
    """Categories to write, comma-separated; those of other packages only if named."""
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
    passages_shown: int = Field(default=8, ge=2, le=MOST_SHOWN)
    """How many hits a verifier sees; the offline engine always sees 40."""
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
    strict: bool = False
    """Exit with 2, before any model is asked, if a file or row cannot be read; exit with 1 if any
    category falls short."""
    follow_links: bool = False
    """Read files outside the folder of a knowledge base that symbolic links in it lead to."""

    @model_validator(mode="after")
    def _check_verifier(self) -> Self:
        refuse_for_offline("verifier", self.verifier_name, self.verifier_base_url, self.samples)
        return self

    @model_validator(mode="after")
    def _offline_serves_categories(self) -> Self:
        wanted = {"generate"} if self.model == OFFLINE and self.queries is None else set()
        wanted |= {"verify"} if self.verifier_name == OFFLINE else set()
        for name in self.categories:
            if name not in BUILT_IN and (lacking := sorted(wanted - category(name).offline.keys())):
                option = "--model" if "generate" in lacking else "--verifier"
                raise ValueError(
                    f"categories: the offline engine cannot {' or '.join(lacking)} {name!r}; "
                    f"name a model with {option}"
                )
        return self

    @property
    def verifier_name(self) -> str:
        """The model that verifies."""
        return self.verifier or self.model

    @property
    def shown_to_verifier(self) -> int:
        """How many hits the verifier sees; they cost the offline engine little."""
        return MOST_SHOWN if self.verifier_name == OFFLINE else self.passages_shown

    @property
    def verifier_url(self) -> str | None:
        """The endpoint of the model that verifies, if it is not the provider's own."""
        shared = shared_endpoint(self.verifier_name, self.model, self.base_url)
        return self.verifier_base_url or shared

    def decisive(self) -> dict[str, object]:
        """Return the settings that decide the result, JSON-ready, not speed, cost or paths."""
        return self.model_dump(mode="json", exclude={"output", "strict", *_SPEED_AND_COST})
