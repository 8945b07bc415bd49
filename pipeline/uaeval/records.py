"""The records of the pipeline, in the order in which a run creates them."""

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
    """Stable and readable: the path inside the knowledge base, or the id of the row."""
    title: str
    text: str
    source: str
    """Where it was read from: a path, a URL or `collection/row`."""
    date: str | None = None
    """Day of its last change or publication, `2026-03-14`; `None` if the document has no date."""
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage, `document.text[start:end]`; above it, if it continues a table, its first row."""

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
    """A request for one candidate of a category and subtype, from one of some chunks."""

    id: str
    """`<category>-<position in the plan, four digits>`; the query has the same id."""
    category: Category
    subtype: str | None
    """The kind that is asked for; the author may choose another if this one does not fit."""
    turn: int  # the number of assignments that have used this chunk, with this one
    chunk: Chunk
    """A chunk of the knowledge base, or for `out_of_database` of an outside article."""
    others: tuple[Chunk, ...] = ()  # the author writes from the most suitable one
    voice: Voice | None = None
    """Who asks the query, and in which style; `None` if the author may choose."""


class Outcome(StrEnum):
    """How a proof ends; only `proven` is released."""

    PROVEN = "proven"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"

    @classmethod
    def _missing_(cls, value: object) -> "Outcome | None":
        return cls.INCONCLUSIVE if value == "murky" else None  # the word before version 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One claim that was searched in the whole knowledge base, and the stance of each hit on it."""

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
    """The words that distinguish this reading; the query does not contain them."""
    chunk_id: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """The answerable question that a query was made from by one named change."""

    question: str
    reference_answer: str
    chunk_id: str
    quote: str
    """The words of the chunk that answer the question, verbatim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A written query before any check, with what its proof needs."""

    id: str
    category: Category
    subtype: str | None
    question: str
    reason: str
    """Why the query cannot be answered, in one sentence that names the change from the twin."""
    twin: Twin
    source_chunk_id: str
    """The chunk that it was written from."""
    author: str | None = None
    """The author if it is not the run's generator: the offline engine, when that was blocked."""
    voice: Voice | None = None
    missing: str | None = None
    """underspecified: what is missing (time, location, entity, quantity, version)."""
    readings: tuple[Reading, ...] = ()
    """underspecified: at least two."""
    premise: str | None = None
    """false_presupposition: what the query presupposes, as a declarative sentence."""
    fact: str | None = None
    """false_presupposition: the verbatim sentence that contradicts the premise."""
    outside_answer: str | None = None
    """out_of_database: the answer, which only the outside article gives."""
    phrasings: tuple[str, ...] = ()
    """out_of_database: further wordings with which the answer is searched."""
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
    """What made a query; two runs with the same seed have equal provenance."""

    document_id: str
    """The document that the pair was written from; scores are clustered by it."""
    chunk_ids: tuple[str, ...]
    generator: str
    verifier: str
    generate_prompt: str
    """SHA-256 of the prompt file of the author."""
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
    """Id of the other query of the pair; `None` for a user's own query without a twin."""
    pair_category: Category | None
    """Category of the pair's unanswerable query; `None` for a control without a pair."""
    question: str
    reason: str | None
    """Why the query should not be answered; `None` for an answerable twin."""
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
    """out_of_database: the answer of a RAG over the knowledge base, if one was asked."""
    voice: Voice | None = None
    frame: str | None = None
    """How the query opens and what it asks, without its subject; similar queries share a frame."""
    easy: tuple[Easy, ...] = ()
    """How the pair can be got right without the knowledge base; empty if not, or if unchecked."""
    history: tuple[Turn, ...] = ()
    """The earlier turns of the conversation; only a user's own queries have any."""

    @property
    def answerable(self) -> bool:
        """Whether the system under test should answer it."""
        return self.category is None

    @property
    def conversation(self) -> str:
        """The question as models and annotators read it: after the earlier turns, if any."""
        return with_turns(self.history, self.question)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection(RedactedTexts):
    """A record that a check turned down, and why."""

    id: str
    check: str
    rationale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure(RedactedTexts):
    """A record that could not be processed; it never counts as a verdict."""

    id: str
    stage: str
    kind: str
    message: str
    raw: str | None = None
    """The beginning of the model's reply; `None` if there was no reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked(RedactedTexts):
    """A record that a content filter stopped; it counts as no failure, refusal or verdict."""

    id: str
    stage: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A passage that the system under test says it used."""

    id: str | None
    text: str
    heading: str = ""
    """Title and headings above the text, as the system's model saw them; empty if not reported."""


class ResponseStatus(StrEnum):
    """Whether the system replied, or its provider's content filter stopped it."""

    OK = "ok"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The response of the system under test to one query. A call that failed is a `Failure`."""

    id: str
    query_id: str
    text: str
    status: ResponseStatus
    retrieved_contexts: tuple[Context, ...]
    system: str
    condition: str | None
    latency_s: float | None
    """Seconds that the system took; `None` if not measured, as for a recorded response."""
    stopped_parts: tuple[str, ...] = ()
    """Parts of the built-in RAG that were skipped: `reranker refused`, `rewriting blocked`."""
    tool_calls: tuple[str, ...] = ()
    """The tool calls that the system reports, each as `name(arguments)`."""


class Metric(StrEnum):
    """The question that a judge answers about one response."""

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
    """One judge's label of one response under one metric."""

    id: str
    """`<query id>/<metric>`."""
    query_id: str
    judge: str
    metric: Metric
    label: str
    """A `Verdict`, or `yes` / `no`."""
    rationale: str
    votes: dict[str, int] | None = None
    """How many samples gave each label; `None` if there was one sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One figure with its interval, its counts and its bounds."""

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
    """Items that the judge could not decide; `n = judged + errors + undecided`."""
    worst: float | None
    best: float | None
    """`worst` and `best` count every item without a judgement against the system, and for it."""
    clusters: int
    """Number of source documents of the judged items. For a figure of several parts, the number of
    the part with the fewest."""
    reliable: bool
    """Whether the interval rests on at least 20 documents."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; `None` if there is none."""
        return None if self.low is None or self.high is None else (self.low, self.high)
