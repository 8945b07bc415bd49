"""Settings of `synthesize`."""

from datetime import date
from pathlib import Path
from typing import Annotated, ClassVar, Final, Self

from pydantic import AfterValidator, Field, model_validator

from uaeval.categories.names import BUILT_IN, Category
from uaeval.categories.voices import ASKERS, MIX, Style, Voice
from uaeval.config.calls import SPEED_AND_COST, BaseUrl, RunSettings, refuse_for_offline, shared_url
from uaeval.config.settings import (
    Listed,
    Mixed,
    Option,
    Settings,
    Several,
    no_login,
    refuse_secrets,
)
from uaeval.llm.names import OFFLINE, ModelName
from uaeval.redaction import is_secret_name

HOLDOUT: Final = "holdout"
MOST_SHOWN: Final = 40
"""Largest number of hits that a verifier can see."""


def _without_secrets(entries: tuple[str, ...]) -> tuple[str, ...]:
    for entry in entries:
        no_login(entry)
    return refuse_secrets(entries, is_secret_name)


class NewsSettings(Settings):
    """The outside articles of a run."""

    heading: ClassVar[str] = "Outside articles"
    news: Annotated[Several, Field(min_length=1), AfterValidator(_without_secrets)] = (HOLDOUT,)
    """Articles for out_of_database: a folder or file of html, text or rows, `hf:<dataset>`, the
    address of a feed or of a search with {query}, `bing`, `gdelt`, `google`, or `holdout` (remove
    documents from the knowledge base). $NAME in an address is read from the environment. May be
    given several times."""
    holdout_share: float = Field(default=0.3, gt=0, lt=0.9)
    """Share of the documents that `--news holdout` removes from the knowledge base."""
    since: date | None = None
    """Use articles from this day on, such as 2026-03-14. [day of the newest document, if known]"""
    per_source: int = Field(default=200, ge=1)
    """Maximum number of articles considered from each --news."""
    topics: int = Field(default=12, ge=1)
    """Number of topics of the knowledge base to search for, besides --add-topic."""
    add_topics: Annotated[Several, Option("--add-topic")] = ()
    """Also search for this; may be given several times."""
    pin_topics: Annotated[Several, Option("--pin-topic")] = ()
    """Search for this first, in place of the lowest-ranked topic; may be given several times."""
    forbid_topics: Annotated[Several, Option("--forbid-topic")] = ()
    """Never search for this; may be given several times."""
    allow_hosts: Annotated[Several, Option("--allow-host")] = ()
    """A host of your own network to allow, such as `intranet.example` or `127.0.0.1:8000`; may be
    given several times."""


class WebSettings(Settings):
    """How pages are fetched. Only `site_pages` changes the result."""

    heading: ClassVar[str] = "Web pages"
    contact: str | None = Field(default=None, pattern=r"^[\x21-\x7e]{3,200}$")
    """Your e-mail or web address, sent to sites as part of the user agent."""
    web_proxy: str | None = None
    """HTTP proxy for pages, such as http://host:3128. It resolves the names of hosts. Proxies of
    the environment are not used."""
    host_delay: float = Field(default=1.0, ge=0)
    """Minimum seconds between two requests to a host."""
    fetch_concurrency: int = Field(default=16, ge=1)
    """Maximum number of pages in flight, at most one from each host."""
    page_timeout: float = Field(default=30.0, gt=0)
    """Seconds after which a page counts as failed."""
    site_pages: int = Field(default=1_000, ge=1)
    """Maximum number of pages of a knowledge base that is a site."""


class AuthorSettings(Settings):
    """The author and the verifier of the queries, and the styles of the queries."""

    heading: ClassVar[str] = "Author and verifier"
    model: ModelName = OFFLINE
    """The model that writes the queries: `offline` (English, no network) or `provider:model`."""
    base_url: BaseUrl = None
    """The model's endpoint, such as http://localhost:8000/v1. [the provider's own]"""
    verifier: ModelName | None = None
    """The model that verifies the queries. [the author's]"""
    verifier_base_url: BaseUrl = None
    """The verifier's endpoint. [the author's, if both are of the same provider]"""
    samples: int = Field(default=1, ge=1, le=25)
    """How often each candidate is verified; more than half must agree."""
    passages_shown: int = Field(default=8, ge=2, le=MOST_SHOWN)
    """How many hits a verifier sees. It sees 3/4 as many (6 of 8) if the passages only have to
    confirm the twin, and 1.5 times as many for out_of_database. For the offline engine, 40 is
    used."""
    ask_rag: bool = False
    """Ask the built-in RAG each proven out_of_database question; its answer is only recorded."""
    closed_book_check: bool = False
    """Ask the author's model each proven pair without passages. Mark the pair `easy` if the model
    answers the twin and declines the query."""
    drop_easy: bool = False
    """Leave out easy pairs: those whose words alone tell query and twin apart, and those that
    --closed-book-check marks."""
    styles: Mixed[Style] = Field(default=MIX, min_length=1)
    """Styles in which a model writes queries, in turn; one named twice is used twice as often."""
    askers: Annotated[Several, Field(min_length=1), Option("--asker")] = ASKERS
    """Who asks a model's queries, such as `a new colleague`; in turn if given several times."""


class ReadingSettings(Settings):
    """How the knowledge base is read and indexed."""

    heading: ClassVar[str] = "Knowledge base"
    embedding: str = "hashed-words-1024"
    """The embedding of the index: `hashed-words-1024` (offline) or `provider:model`."""
    chunk_size: int = Field(default=900, ge=200)
    """Maximum number of characters of a passage."""
    text_field: str | None = None
    """The field that holds the text in jsonl, csv, parquet, datasets and indexes. [guessed]"""
    title_field: str | None = None
    """The field that holds the title. [guessed]"""
    id_field: str | None = None
    """The field that holds the id of a document. [guessed]"""
    follow_links: bool = False
    """Read files outside of the knowledge base's folder if symbolic links in it lead to them."""


class SynthesisConfig(AuthorSettings, ReadingSettings, NewsSettings, WebSettings, RunSettings):
    """All settings of `synthesize`."""

    heading: ClassVar[str] = "Dataset"
    knowledge_base: Annotated[str, AfterValidator(no_login)]
    """The documents: a folder or file (txt, md, rst, html, pdf, docx, jsonl, csv, parquet, …), the
    address of a site, an object store such as `s3://…`, `hf:<dataset>`, an index such as
    `qdrant:<folder or URL>/<collection>`, or `python:<module>:<function>`."""
    output: Annotated[Path, Option("-o")]
    """Folder of the run; it is created if needed."""
    size: int = Field(default=120, ge=1)
    """Number of unanswerable queries; each gets an answerable twin in addition."""
    categories: Listed[Category] = Field(default=BUILT_IN, min_length=1)
    """Categories to write, comma-separated. Those of other packages must be named."""
    seed: int = 0
    """Seed of the plan; the same seed and replies give the same dataset."""
    language: str = "auto"
    """Language of the queries; `auto` is the language of the passage."""
    queries: Path | None = None
    """File of your own queries, each with a category (forms: `uaeval export --list`). They are
    verified and get twins; no other query is written."""
    per_document: int = Field(default=2, ge=1)
    """Maximum number of queries of one category from one document; raised if documents are few."""
    modalities: str = "text"
    """What the system supports, comma-separated, of `text`, `image`, `audio`, `video`, `live_data`,
    `file`, `action`; a query that needs nothing else is not written."""
    strict: bool = False
    """Exit with 2, before any model is asked, if a file or row cannot be read. Exit with 1 if a
    category has fewer queries than asked."""

    @model_validator(mode="after")
    def _check_models(self) -> Self:
        refuse_for_offline("verifier", self.verifier_name, self.verifier_base_url, self.samples)
        if self.model != OFFLINE:
            return self
        defaults = {"askers": ASKERS, "styles": MIX}
        if model_only := [name for name in defaults if getattr(self, name) != defaults[name]]:
            raise ValueError(
                f"{' and '.join(model_only)}: the offline engine has one style; name a model with "
                "--model"
            )
        if self.closed_book_check:
            raise ValueError(
                "closed_book_check: the offline engine has no knowledge of its own; name a model "
                "with --model"
            )
        return self

    @model_validator(mode="after")
    def _offline_serves_categories(self) -> Self:
        from uaeval.categories.registry import category  # slow to import

        needed = {"generate"} if self.model == OFFLINE and self.queries is None else set()
        needed |= {"verify"} if self.verifier_name == OFFLINE else set()
        for name in self.categories:
            if name not in BUILT_IN and (missing := sorted(needed - category(name).offline.keys())):
                option = "--model" if "generate" in missing else "--verifier"
                raise ValueError(
                    f"categories: the offline engine cannot {' or '.join(missing)} {name!r}; "
                    f"name a model with {option}"
                )
        return self

    @property
    def verifier_name(self) -> str:
        """The verifier's model."""
        return self.verifier or self.model

    @property
    def shown_to_verifier(self) -> int:
        """How many hits the verifier sees; for the offline engine always the maximum."""
        return MOST_SHOWN if self.verifier_name == OFFLINE else self.passages_shown

    @property
    def verifier_url(self) -> str | None:
        """The base URL of the verifier's model; `None` for the provider's own."""
        return self.verifier_base_url or shared_url(self.verifier_name, self.model, self.base_url)

    @property
    def voices(self) -> tuple[Voice, ...]:
        """All combinations of style and asker, cycling through the styles; empty if offline."""
        if self.model == OFFLINE:
            return ()
        return tuple(
            Voice(style=style, asker=self.askers[(shift + index) % len(self.askers)])
            for shift in range(len(self.askers))
            for index, style in enumerate(self.styles)
        )

    def decisive(self) -> dict[str, object]:
        """Return the settings that affect the result, JSON-ready, without speed, cost and paths."""
        left_out = {"output", "strict", *SPEED_AND_COST, *WebSettings.model_fields}
        return self.model_dump(mode="json", exclude=left_out)
