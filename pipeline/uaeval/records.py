"""Every record of the pipeline, in the order in which it comes to exist."""

from dataclasses import dataclass
from enum import StrEnum

from uaeval.categories.names import Category as Category
from uaeval.categories.voices import Voice
from uaeval.redaction import RedactedTexts
from uaeval.text.conversation import Turn, with_turns
from uaeval.text.telling_apart import Easy


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of a knowledge base, as plain text (Markdown headings are kept)."""

    id: str
    """Stable and readable: the path below the knowledge base, or the row's own id."""
    title: str
    text: str
    source: str
    """Where it was read from: a path, a URL or `collection/row`."""
    date: str | None = None
    """Day of its last change or publication, `2026-03-14`; `None` if it says none."""
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document: `document.text[start:end] == text`."""

    id: str
    """`<document id>#<position>`, position from 0."""
    document_id: str
    title: str
    heading: str
    """The headings above the passage, outermost first, joined by ` › `; empty if none."""
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk as it is shown to a model: numbered from 1, without its id."""

    number: int
    title: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A request for one candidate: this category and subtype, from this chunk."""

    id: str
    """`<category>-<position in the plan, four digits>`; its query keeps the id."""
    category: Category
    subtype: str | None
    """What the author is asked for; it may choose another kind if this one does not fit."""
    turn: int
    """How often this chunk has come up in the plan, from 1: each time for another of its facts."""
    chunk: Chunk
    """A chunk of the knowledge base; for `out_of_database` a chunk of the outside article."""
    voice: Voice | None = None
    """Who is to type it, and how; `None` where that is left to the author."""


class Outcome(StrEnum):
    """How a proof ends; only `proven` is released."""

    PROVEN = "proven"
    REFUTED = "refuted"
    MURKY = "murky"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One claim, searched in the whole knowledge base, and what each hit says about it."""

    claim: str
    outcome: Outcome
    supports: tuple[str, ...] = ()
    """Ids of the chunks that support the claim."""
    contradicts: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to complete an underspecified query, with its own answer."""

    question: str
    value: str
    """The words that single this reading out; they do not stand in the query."""
    chunk_id: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """The answerable question that a query was made from by one named change."""

    question: str
    reference_answer: str
    chunk_id: str
    quote: str
    """The words of the chunk that answer it, verbatim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A written query that nothing has checked yet, with what its proof needs."""

    id: str
    category: Category
    subtype: str | None
    question: str
    reason: str
    """Why it cannot be answered, in one sentence; names the change against the twin."""
    twin: Twin
    source_chunk_id: str
    """The chunk that it was written from."""
    author: str | None = None
    """Who wrote it, if not the run's generator: the offline engine, where that was blocked."""
    voice: Voice | None = None
    missing: str | None = None
    """underspecified: what is missing (time, location, entity, quantity, version)."""
    readings: tuple[Reading, ...] = ()
    """underspecified: at least two."""
    premise: str | None = None
    """false_presupposition: what the query takes for granted, as a declarative sentence."""
    fact: str | None = None
    """false_presupposition: the verbatim sentence that contradicts the premise."""
    outside_answer: str | None = None
    """out_of_database: the answer, which only the outside article gives."""
    phrasings: tuple[str, ...] = ()
    """out_of_database: further wordings under which the answer is searched."""
    outside_sentence: str | None = None
    """out_of_database: the sentence of the article that gives the answer, on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check that a candidate went through."""

    name: str
    passed: bool
    rationale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What made a query; holds nothing that differs between two runs of one seed."""

    document_id: str
    """The document the pair was written from; queries are clustered by it."""
    chunk_ids: tuple[str, ...]
    generator: str
    verifier: str
    generate_prompt: str
    """SHA-256 of the prompt file that wrote it."""
    verify_prompt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A released query: one row of the dataset."""

    id: str
    """`underspecified-0007`; its twin is `underspecified-0007-twin`."""
    category: Category | None
    """`None` for an answerable twin."""
    subtype: str | None
    pair_id: str | None
    """Id of the other half of the pair; `None` for a user's own query that has none."""
    pair_category: Category | None
    """The category of the pair's unanswerable half; `None` for a control without a pair."""
    question: str
    reason: str | None
    """Why it should not be answered; `None` for an answerable twin."""
    reference_answer: str | None
    """`None` for every unanswerable query."""
    evidence: tuple[Evidence, ...]
    checks: tuple[Check, ...]
    readings: tuple[Reading, ...]
    outside_answer: str | None
    hardness: float | None
    """out_of_database: best cosine similarity of the query in the knowledge base."""
    language: str
    provenance: Provenance
    outside_sentence: str | None = None
    """out_of_database: the one sentence of the article that gives the outside answer."""
    rag_answer: str | None = None
    """out_of_database: what a RAG over the knowledge base said, if it was asked; no verdict."""
    voice: Voice | None = None
    frame: str | None = None
    """How it opens and what it asks, without its subject: queries of one frame are alike."""
    easy: tuple[Easy, ...] = ()
    """Why its pair is right without the knowledge base; empty if it is not, or was not checked."""
    history: tuple[Turn, ...] = ()
    """The turns of its conversation before it; only a user's own queries have any."""

    @property
    def answerable(self) -> bool:
        """Whether the system under test should answer it."""
        return self.category is None

    @property
    def conversation(self) -> str:
        """The question as models and people read it: below the earlier turns, if any."""
        return with_turns(self.history, self.question)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection(RedactedTexts):
    """A record that a check turned down, and why."""

    id: str
    check: str
    rationale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure(RedactedTexts):
    """A record that could not be processed. Never a verdict, never counted as one."""

    id: str
    stage: str
    kind: str
    message: str
    raw: str | None = None
    """What the model said, cut after its first characters; `None` if it said nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked(RedactedTexts):
    """A record that a provider's content filter stopped. No failure, no refusal, no verdict."""

    id: str
    stage: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A passage that the system under test says it used."""

    id: str | None
    text: str
    heading: str = ""
    """Title and headings above it, as the system's model saw them; empty if it tells none."""


class ResponseStatus(StrEnum):
    """Whether the system replied, or its provider's content filter stopped it."""

    OK = "ok"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What the system under test said to one query. A call that failed is a `Failure`."""

    id: str
    query_id: str
    text: str
    status: ResponseStatus
    retrieved_contexts: tuple[Context, ...]
    system: str
    condition: str | None
    latency_s: float | None
    """Seconds that the system took; `None` where it was not watched, as when it was recorded."""
    stopped_parts: tuple[str, ...] = ()
    """Parts of the built-in RAG that did nothing: `reranker refused`, `rewriting blocked`."""
    tool_calls: tuple[str, ...] = ()
    """The tools that the system reports to have called, each as `name(arguments)`."""


class Metric(StrEnum):
    """What a judge was asked about one response."""

    VERDICT = "verdict"
    ACCEPTABLE = "acceptable"
    CORRECT = "correct"


class Verdict(StrEnum):
    """How a response treats its query."""

    CLARIFIED = "clarified"
    REFUSED = "refused"
    PARTIAL = "partial"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One judge's say about one response under one metric."""

    id: str
    """`<query id>/<metric>`."""
    query_id: str
    judge: str
    metric: Metric
    label: str
    """A `Verdict`, or `yes` / `no`."""
    rationale: str
    votes: dict[str, int] | None = None
    """How many samples gave each label; `None` where one was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One figure with what it was computed over."""

    metric: str
    group: str
    """`overall`, `macro`, a category, a subtype or a difficulty."""
    value: float | None
    """`None` when nothing was judged."""
    low: float | None
    """Lower end of the 95 % interval."""
    high: float | None
    n: int
    """Items that should have been judged."""
    judged: int
    errors: int
    """Calls that failed or were blocked; never scores."""
    undecided: int = 0
    """What the judge could not tell; `n = judged + errors + undecided`."""
    worst: float | None
    best: float | None
    """The values if all that is not judged had counted against, and for."""
    clusters: int
    """Source documents behind the judged items; of a figure of several parts, behind the part with
    the fewest."""
    reliable: bool
    """Whether the interval rests on at least 20 documents."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; `None` if there is none."""
        return None if self.low is None or self.high is None else (self.low, self.high)
