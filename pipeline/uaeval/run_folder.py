"""The folder of a run: its files and its manifest.

Each stage writes what was kept, rejected, blocked or failed; these sum to the stage's input.
"""

from collections.abc import Iterator, Mapping, Set
from datetime import date
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import AliasChoices, BaseModel, Field, ValidationError

from uaeval.errors import StorageError
from uaeval.knowledge.facts import KnowledgeBaseFacts
from uaeval.records import Query
from uaeval.storage import FileFingerprint, file_print, read_json, stream_journal, write_json

ADDRESSES: Final = frozenset({"base_url", "verifier_base_url", "judge_base_url"})
"""Settings with the address of a model; they may change when a run is resumed."""


class Count(BaseModel, extra="forbid"):
    """How the records of one stage and one category ended."""

    kept: int = 0
    rejected: int = 0
    failed: int = 0
    blocked: int = 0
    """Stopped by a provider's content filter; neither failures nor refusals."""
    by_offline: int = 0
    """Kept records that the offline engine wrote because the author was blocked."""
    waiting: int = 0
    """Not decided yet: a batch reply is missing for the record or an earlier one of the plan."""
    reasons: dict[str, int] = {}
    """Number of rejections by the check that failed."""


Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""US dollars per million tokens."""


class TokenPrices(BaseModel, extra="forbid", frozen=True):
    """The prices of one model's tokens."""

    input: Dollars
    cached_input: Dollars | None = None
    """For prompt tokens from the provider's cache; `None` if they cost as much as `input`."""
    output: Dollars


class PriceSource(BaseModel, extra="forbid", frozen=True):
    """Where and when prices were read."""

    batch_factor: float | None = Field(default=None, gt=0, le=1)
    """Price of a batch call as a share of that of a single call; `None` if they are equal."""
    as_of: date
    source: str = ""


class Price(PriceSource, TokenPrices, frozen=True):
    """The prices of one model's tokens, and their source."""


class ModelUsage(BaseModel, extra="forbid"):
    """The calls to one model in one role, over all sessions of the run."""

    role: str
    model: str
    calls: int
    """Requests sent, including failed ones and retries."""
    retries: int = 0
    """Calls that repeated a failed one."""
    rate_limited: int = 0
    """Calls that were answered by HTTP 429."""
    timeouts: int = 0
    prompt_tokens: int
    cached_tokens: int
    """Prompt tokens that came from the provider's cache."""
    completion_tokens: int
    cost_usd: float | None
    """`None` if the price is unknown, or the endpoint reported no tokens."""


class Leakage(BaseModel, extra="forbid", frozen=True):
    """How well the queries of one category can be told from their twins by words alone."""

    category: str
    pairs: int
    auc: float | None
    """Cross-validated AUC of a bag of words; 0.5 is chance, 1 tells every query from its twin."""
    opening: str | None
    """The most frequent first four words."""
    opening_share: float | None
    length_ratio: float | None
    """Mean length of the queries in characters, divided by that of their twins."""
    easy: int = 0
    """Queries marked as easy."""
    repeated_frames: float | None = None
    """Share of the queries that have the same frame as another query of any category."""
    hardness_mean: float | None
    """out_of_database: mean of the queries' best cosine similarity in the knowledge base."""
    hardness_median: float | None
    hardness_min: float | None
    hardness_max: float | None


class BaseManifest(BaseModel, extra="forbid"):
    """The common fields of the manifests of runs, evaluations and gradings."""

    format: int = 1
    settings: dict[str, object]
    """The settings that decide the result, and the addresses of the models."""
    versions: dict[str, str]
    prompts: dict[str, str]
    """SHA-256 of each prompt file in use."""
    usage: list[ModelUsage] = []
    """Calls, tokens and cost by role and model; reuse of a stored reply is not counted."""
    prices: dict[str, Price] = {}
    """The prices that the costs were computed with, by model."""

    described: ClassVar[str] = "manifest"
    """What error messages call the file, and what they advise if it cannot be read."""
    advice: ClassVar[str] = "choose another folder"

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read an earlier manifest; `None` if there is none.

        Raise `StorageError` if the file is not a manifest of this version of uaeval.
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
            written_by = f", written by {writer}" if writer else ""
            raise StorageError(
                f"{path} is no {cls.described} of this version of uaeval "
                f"({error.error_count()} problems{written_by}); {cls.advice}"
            ) from error

    def other_settings(
        self, settings: Mapping[str, object], free: Set[str] = frozenset()
    ) -> list[str]:
        """Return a description of each setting that differs from this manifest's.

        The settings in `free` and the addresses of models may differ.
        """
        names = [name for name in {**settings, **self.settings} if name not in free | ADDRESSES]
        return [
            f"{name} was {self.settings.get(name)!r}, is {settings.get(name)!r}"
            for name in names
            if self.settings.get(name) != settings.get(name)
        ]


class Manifest(BaseManifest):
    """The manifest of a run, written at its start, during it and at its end."""

    status: Literal["running", "waiting", "lacking", "complete"]
    """`waiting`: batch replies are still missing; `lacking`: calls failed, which the next session
    repeats; `complete`: no call failed."""
    knowledge_base: KnowledgeBaseFacts
    queries: str = ""
    """SHA-256 of the file of the user's own queries; empty without one."""
    models: dict[str, str]
    """Model by role: generator, verifier."""
    asked: dict[str, int]
    """Quota by category."""
    ended_early: bool = False
    """Whether `uaeval batch finish` ended the run with the queries proven so far."""
    selected: dict[str, int] = Field(
        default={}, validation_alias=AliasChoices("selected", "chosen")
    )
    """Queries in the dataset by category; `chosen` in runs of version 0.2.0."""
    stages: dict[str, dict[str, Count]] = {}
    """Counts by stage (`generate`, `verify`, `select`) and category."""
    leakage: list[Leakage] = []
    """Easy-item and leakage figures by category."""
    files: dict[str, FileFingerprint] = {}
    """Fingerprints of the finished files that other commands read, by file name."""

    @property
    def short(self) -> Mapping[str, int]:
        """Return how many queries each category lacks of its quota; full ones are left out."""
        missing = {name: asked - self.selected.get(name, 0) for name, asked in self.asked.items()}
        return {name: count for name, count in missing.items() if count}


class RunFolder:
    """The paths of a run's files, and the reading and writing of the manifest and the dataset."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest_path = path / "manifest.json"
        self.queries_path = path / "queries.jsonl"
        """The dataset."""
        self.labels_path = path / "labels.jsonl"
        """Human labels of the queries."""
        self.chunks_path = path / "chunks.jsonl"
        """Every indexed passage."""
        self.store_path = path / "responses.sqlite"
        """Every reply of a model: the state from which a run resumes."""
        self.pages_path = path / "pages.sqlite"
        """Every page fetched from the web: the state from which a crawl resumes."""
        self.site_path = path / "site.sqlite"
        """The pages of a knowledge base that is a website."""
        self.index_path = path / "index"
        """The index of the passages."""
        self.reduced_path = path / "knowledge_base"
        """The documents left after holdout, for the system under test to index."""

    def journal(self, stage: str, kind: str = "") -> Path:
        """Return the path of a stage's journal.

        `kind` is `rejected`, `failed` or `blocked`, or empty for the journal of kept records.
        """
        return self.path / (f"{stage}.{kind}.jsonl" if kind else f"{stage}.jsonl")

    def manifest(self) -> Manifest | None:
        """Read the manifest as `Manifest.read` does; `None` if the run has none yet."""
        return Manifest.read(self.manifest_path)

    def existing_manifest(self) -> Manifest:
        """Read the manifest; raise `StorageError` if this is not the folder of a run."""
        if manifest := self.manifest():
            return manifest
        raise StorageError(f"{self.path} is not the folder of a run: it has no manifest.json")

    def finished(self) -> Manifest:
        """Read the manifest; raise `StorageError` too if the run is not finished."""
        manifest = self.existing_manifest()
        if manifest.status not in {"complete", "lacking"}:
            remedy = "run its synthesize command to the end"
            if manifest.status == "waiting":
                remedy += f", or end it with `uaeval batch finish {self.path}`"
            raise StorageError(f"{self.path} is not finished; {remedy}")
        return manifest

    def write_manifest(self, manifest: BaseModel) -> None:
        """Write the manifest of a run, or of an evaluation or grading that this folder holds."""
        write_json(self.manifest_path, manifest.model_dump(mode="json"))

    def finished_files(self) -> dict[str, FileFingerprint]:
        """Return the fingerprints of the files that other commands read, by file name."""
        paths = (self.queries_path, self.chunks_path, self.journal("articles"))
        return {path.name: file_print(path) for path in paths if path.exists()}

    def damage(self, manifest: Manifest) -> str:
        """Describe the finished files that are missing or have changed; empty if there are none."""
        changes = []
        for name, fingerprint in manifest.files.items():
            path = self.path / name
            now = file_print(path) if path.exists() else None
            if now != fingerprint:
                state = f"was changed: it holds {now.records} records" if now else "is missing"
                changes.append(f"{path} {state}; {fingerprint.records} records were written")
        return "; ".join(changes)

    def check(self) -> None:
        """Raise `StorageError` if a finished file is missing, or differs from the manifest."""
        if (manifest := self.manifest()) and (damage := self.damage(manifest)):
            raise StorageError(
                f"{damage}. Restore it from a copy, or run the synthesize command of {self.path} "
                "again to rebuild it from the stored answers"
            )

    def queries(self) -> tuple[Query, ...]:
        """Return all queries that `stream_queries` yields."""
        return tuple(self.stream_queries())

    def stream_queries(self) -> Iterator[Query]:
        """Yield the queries of the dataset one by one; raise `StorageError` at a damaged line.

        Raise it too if the dataset is missing, or a finished file has changed.
        """
        self.check()
        if not self.queries_path.exists():
            raise StorageError(
                f"{self.path} holds no queries.jsonl; run `uaeval synthesize … -o {self.path}`"
            )
        yield from stream_journal(self.queries_path, Query)
