"""The folder of a run: its files and its manifest.

Each stage leaves what was kept, rejected, blocked or failed, and these sum to what it was given.
"""

from collections.abc import Iterator, Mapping, Set
from datetime import date
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uaeval.errors import StorageError
from uaeval.knowledge.facts import KnowledgeBaseFacts
from uaeval.records import Query
from uaeval.storage import FileFingerprint, file_print, read_json, stream_journal, write_json

FORMAT = 1
ADDRESSES: Final = frozenset({"base_url", "verifier_base_url", "judge_base_url"})
"""Settings that say where a model is called; the same model may move while a run is interrupted."""


class Count(BaseModel):
    """What became of the records of one stage in one category."""

    model_config = ConfigDict(extra="forbid")

    kept: int = 0
    rejected: int = 0
    failed: int = 0
    blocked: int = 0
    """Stopped by a provider's content filter: no failures, and no refusals."""
    by_offline: int = 0
    """Of the kept, those that the offline engine wrote because the author was blocked."""
    waiting: int = 0
    """Undecided as yet: an answer of a batch is to come, or that of one before it in the plan."""
    reasons: dict[str, int] = {}
    """Rejections by the check that failed."""


Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""US dollars per million tokens."""


class TokenPrices(BaseModel):
    """What one model's tokens cost."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Dollars
    cached_input: Dollars | None = None
    """Prompt tokens that the provider had in its cache; the price of `input` if there is none."""
    output: Dollars


class PriceSource(BaseModel):
    """Where prices were read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    batch_factor: float | None = Field(default=None, gt=0, le=1)
    """What a call in a batch costs, as a share of a single one; `None`: as much."""
    as_of: date
    source: str = ""


class Price(PriceSource, TokenPrices):
    """What one model's tokens cost, and where that was read."""


class ModelUsage(BaseModel):
    """What one model was asked in one role, over all sessions of the run."""

    model_config = ConfigDict(extra="forbid")

    role: str
    model: str
    calls: int
    """Requests sent, those that failed and those sent again included."""
    retries: int = 0
    """Of the calls, those that tried again what had failed."""
    rate_limited: int = 0
    """Calls that were answered by HTTP 429."""
    timeouts: int = 0
    prompt_tokens: int
    cached_tokens: int
    """The part of the prompt tokens that the provider had in its cache."""
    completion_tokens: int
    cost_usd: float | None
    """`None` when the price is unknown, or the endpoint reported no tokens; never 0 for that."""


class Leakage(BaseModel):
    """How easily one category's queries give themselves away."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    category: str
    pairs: int
    auc: float | None
    """Cross-validated AUC of a bag of words; .5 is chance, 1 tells every query from its twin."""
    opening: str | None
    """The commonest first four words."""
    opening_share: float | None
    length_ratio: float | None
    """Mean length of the queries in characters, divided by that of their twins."""
    easy: int = 0
    """Queries marked as easy."""
    repeated_frames: float | None = None
    """Share of the queries that have the frame of another, of any category."""
    hardness_mean: float | None
    """out_of_database: best similarity in the knowledge base; the higher, the nearer to it."""
    hardness_median: float | None
    hardness_min: float | None
    hardness_max: float | None


class BaseManifest(BaseModel):
    """What the manifests of runs, evaluations and gradings share."""

    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    settings: dict[str, object]
    """The settings that decide the result, and the addresses of the models."""
    versions: dict[str, str]
    prompts: dict[str, str]
    """SHA-256 of each prompt file in use."""
    usage: list[ModelUsage] = []
    """Calls, tokens and cost by role and model; a stored answer that serves again counts once."""
    prices: dict[str, Price] = {}
    """The prices that the costs were reckoned with, by model."""

    what: ClassVar[str] = "manifest"
    """What it describes, in one word, and the remedy where it cannot be read."""
    instead: ClassVar[str] = "choose another folder"

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read an earlier manifest; `None` if there is none.

        Raises:
            StorageError: the file is not a manifest, or one of another version of this program.
        """
        try:
            if not path.exists():
                return None
        except OSError as error:
            raise StorageError(f"cannot read {path.parent}: {error.strerror}") from error
        value = read_json(path)
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            versions = value.get("versions")
            writer = versions.get("uaeval") if isinstance(versions, dict) else None
            written = f", written by {writer}" if writer else ""
            raise StorageError(
                f"{path} is no {cls.what} of this version of uaeval "
                f"({error.error_count()} problems{written}); {cls.instead}"
            ) from error

    def other_settings(
        self, settings: Mapping[str, object], free: Set[str] = frozenset()
    ) -> list[str]:
        """Describe each of `settings` that decides the result and differs from this manifest's.

        Those in `free` may differ, and so may the address of a model.
        """
        names = [name for name in {**settings, **self.settings} if name not in free | ADDRESSES]
        return [
            f"{name} was {self.settings.get(name)!r}, is {settings.get(name)!r}"
            for name in names
            if self.settings.get(name) != settings.get(name)
        ]


class Manifest(BaseManifest):
    """What a run is, written first, now and then, and at the end."""

    status: Literal["running", "waiting", "lacking", "complete"]
    """`waiting`: answers of a batch are still to come; `lacking`: calls failed that were wanted,
    and running it again asks them again; `complete`: none did."""
    knowledge_base: KnowledgeBaseFacts
    queries: str = ""
    """SHA-256 of the file of the user's own queries, if there is one."""
    models: dict[str, str]
    """Model by role: generator, verifier."""
    asked: dict[str, int]
    """Quota by category."""
    ended_early: bool = False
    """Whether `uaeval batch finish` ended it with the queries that were proven by then."""
    chosen: dict[str, int] = {}
    stages: dict[str, dict[str, Count]] = {}
    """Counts by stage (`generate`, `verify`, `select`) and category."""
    leakage: list[Leakage] = []
    """Easy-item and leakage figures by category."""
    files: dict[str, FileFingerprint] = {}
    """Finished files that other commands read, by name."""

    @property
    def short(self) -> Mapping[str, int]:
        """Return by how many queries each category fell short of its quota."""
        missing = {name: asked - self.chosen.get(name, 0) for name, asked in self.asked.items()}
        return {name: count for name, count in missing.items() if count}


class RunFolder:
    """Paths of a run, and reading and writing of what every command needs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest_path = path / "manifest.json"
        self.queries_path = path / "queries.jsonl"
        """The dataset."""
        self.labels_path = path / "labels.jsonl"
        """People's labels of the queries, an overlay on the dataset."""
        self.chunks_path = path / "chunks.jsonl"
        """Every indexed passage."""
        self.store_path = path / "responses.sqlite"
        """Every reply of a model: the state from which a run resumes."""
        self.pages_path = path / "pages.sqlite"
        """The pages fetched from the web: the state from which a crawl resumes."""
        self.site_path = path / "site.sqlite"
        """The pages of a knowledge base that is a site."""
        self.news_path = path / "news.json"
        """How the articles were obtained, written when they are complete."""
        self.index_path = path / "index"
        """The index of the passages."""
        self.reduced_path = path / "knowledge_base"
        """The documents left after holdout, for the system under test to index."""

    def journal(self, stage: str, kind: str = "") -> Path:
        """Return the path of a stage's journal of what was kept, or of another `kind`.

        The kinds are `rejected`, `failed` and `blocked`.
        """
        return self.path / (f"{stage}.{kind}.jsonl" if kind else f"{stage}.jsonl")

    def manifest(self) -> Manifest | None:
        """Read the manifest; `None` if the run has none yet.

        Raises:
            StorageError: the file is not a manifest, or one of another version of this program.
        """
        return Manifest.read(self.manifest_path)

    def existing_manifest(self) -> Manifest:
        """Read the manifest.

        Raises:
            StorageError: it is not the folder of a run.
        """
        if manifest := self.manifest():
            return manifest
        raise StorageError(f"{self.path} is not the folder of a run: it has no manifest.json")

    def finished(self) -> Manifest:
        """Return the manifest of a finished run.

        Raises:
            StorageError: it is not the folder of a run, or the run is not finished.
        """
        manifest = self.existing_manifest()
        if manifest.status not in {"complete", "lacking"}:
            raise StorageError(
                f"{self.path} is not finished; run its synthesize command to the end"
            )
        return manifest

    def write_manifest(self, manifest: BaseModel) -> None:
        """Write the manifest of a run, or of an evaluation or grading that this folder holds."""
        write_json(self.manifest_path, manifest.model_dump(mode="json"))

    def finished_files(self) -> dict[str, FileFingerprint]:
        """Return count and hash of the files that other commands read."""
        paths = (self.queries_path, self.chunks_path, self.journal("articles"))
        return {path.name: file_print(path) for path in paths if path.exists()}

    def damage(self, manifest: Manifest) -> str:
        """Return which finished files are missing or have changed; empty if all are as written."""
        changes = []
        for name, fingerprint in manifest.files.items():
            path = self.path / name
            written = f"{fingerprint.records} records were written"
            if not path.exists():
                changes.append(f"{path} is missing; {written}")
            elif (current := file_print(path)) != fingerprint:
                changes.append(f"{path} was changed: it holds {current.records} records; {written}")
        return "; ".join(changes)

    def check(self) -> None:
        """Compare the finished files with the manifest, if there is one.

        Raises:
            StorageError: a file is missing or has changed.
        """
        if (manifest := self.manifest()) and (damage := self.damage(manifest)):
            raise StorageError(
                f"{damage}. Restore it from a copy, or run the synthesize command of {self.path} "
                "again to rebuild it from the stored answers"
            )

    def queries(self) -> tuple[Query, ...]:
        """Read the dataset.

        Raises:
            StorageError: there is none, a line of it is damaged, or a finished file has changed.
        """
        return tuple(self.stream_queries())

    def stream_queries(self) -> Iterator[Query]:
        """Yield the queries of the dataset one by one.

        Raises:
            StorageError: as `queries`, once the faulty line is reached.
        """
        self.check()
        if not self.queries_path.exists():
            raise StorageError(
                f"{self.path} holds no queries.jsonl; run `uaeval synthesize … -o {self.path}`"
            )
        yield from stream_journal(self.queries_path, Query)
