"""What a category declares: its meaning, its replies, its prompts, its checks and its proof."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from uaeval.categories.names import BUILT_IN
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.verification import VerifierContext, VerifierResult, result_of
from uaeval.errors import ConfigError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field
from uaeval.llm.replies import Draft, Reply, Verification, Written
from uaeval.records import Assignment, Candidate, Check, Chunk, Evidence, Query, Rejection

D = TypeVar("D", bound=Draft)

CodeCheck: TypeAlias = Callable[[Candidate, Retriever], Check]
Expected: TypeAlias = tuple[frozenset[str], ...]
"""Sets of chunk ids: a right response rests on any chunk of each set."""


class AuthorContext(NamedTuple):
    """Where the passages that an author is shown come from."""

    retriever: Retriever
    related_to: Callable[[Chunk], tuple[Chunk, ...]]
    """Returns other chunks under a like heading, or about like things; best first."""
    related: int
    """How many other passages an author is shown that writes from several."""


class SecondQuestion(NamedTuple):
    """A question that the verifier is asked once the first one is passed."""

    role: str
    """Last part of the prompt's name: `verify_readings`."""
    reply_type: type[Reply]
    ask: Callable[[VerifierContext, Candidate], Awaitable[tuple[Evidence, tuple[Evidence, ...]]]]
    """Returns the evidence on the twin and on the query."""


def check_of(name: str, problem: str | None, passed: str) -> Check:
    """Return a check that fails if there is a `problem`; `passed` says what holds if not."""
    return Check(name=name, passed=problem is None, rationale=problem or passed)


def passage_only(_assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    """Return the field `passage`."""
    return {"passage": shown.passages[0]}


@dataclass(frozen=True, slots=True, kw_only=True)
class CategorySpec(Generic[D]):
    """Everything that is particular to one category; `D` is what its author writes."""

    name: str
    """Its name in records, options, ids and prompts: `false_presupposition`."""
    place: int | None = None
    """Position among all categories, from 0, of a category from another package; `None`: last."""

    definition: str
    """What makes a query of this category unanswerable."""
    acceptance: str
    """What a response must do to be acceptable."""
    difficulty: Literal["easy", "medium", "hard"]

    assigned: tuple[str, ...] = ()
    """Subtypes in the order in which the plan assigns them, likelier ones more often; empty: the
    author chooses."""
    compares: bool = False
    """Whether the author compares passages: parallel ones are looked for, and planned first."""
    turns: int = 1
    """How often the plan returns to a chunk from which several queries can be written."""
    opening_share: float = 0.15
    """Largest share of the category's queries that may start with the same four words."""
    voiced: bool = False
    """Whether the prompt `generate` has the fields `style` and `asker`; the offline engine is not
    given them."""
    source: Literal["chunks", "articles"] = "chunks"
    """What queries are written from: chunks of the knowledge base, or outside articles. A query
    from an article has an outside answer, a hardness, and can be put to the built-in RAG; the
    article counts against `per_document`, for others the document of the twin."""
    oversample: float = 1.0
    """How many times its quota is proven, so that the selection can spread their hardness."""

    draft: type[D]
    """What the author writes."""
    shown: Callable[[AuthorContext, Assignment], NumberedPassages] = lambda _context, assignment: (
        NumberedPassages((assignment.chunk,))
    )
    """Returns the passages that the author sees; none rejects the assignment as off topic."""
    author_fields: Callable[[Assignment, NumberedPassages], Mapping[str, Field]] = (
        lambda assignment, shown: {
            "passage": shown.passages[0],
            "subtype": assignment.subtype or "any",
        }
    )
    """Returns the fields of the prompt `generate`, without `language`."""
    twin_passage: Callable[[D], int] = lambda _draft: 1
    """Returns the number of the passage that the twin is written from."""
    finish: Callable[[Candidate, D, NumberedPassages, Assignment], Candidate | Rejection] = (
        lambda candidate, _draft, _shown, _assignment: candidate
    )
    """Adds what the proof needs to a candidate; raises `ReplyError` if a draft makes no sense."""
    offline_steps_in: bool = False
    """Whether the offline engine writes where a content filter blocks the author."""
    known: Callable[[Query], str | None] = lambda _query: None
    """Returns what a user's own query says beyond its question, for the author who completes it."""

    checks: tuple[CodeCheck, ...] = ()
    """Checks by code, after those of every candidate; cheapest first."""
    verification: type[Reply]
    """What the verifier replies to the prompt `verify`."""
    passing_label: str
    """The only label of `verification` that lets a query through."""
    shown_to_verifier: Callable[[VerifierContext, Candidate], NumberedPassages] = (
        VerifierContext.shown_for_twin
    )
    """Returns the passages that the prompt `verify` shows."""
    verifier_fields: Callable[[VerifierContext, Candidate], Mapping[str, Field]] = (
        lambda _context, _candidate: {}
    )
    """Returns further fields of `verify`, beside `question`, `passages`, and without `prove`
    `twin_question` and `twin_answer`."""
    read_verification: Callable[[Candidate, Any, NumberedPassages], VerifierResult] = result_of
    """Returns the result of a reply of the type `verification`; raises `ReplyError` if it makes no
    sense. The default is for types that derive from `uaeval.llm.replies.Verification`."""
    prove: SecondQuestion | None = None
    """What the verifier is asked if the first question is passed; gives the evidence then."""

    strict_acceptance: str = ""
    """What the strict policy requires, judged by `acceptable_strict.md`; empty: no more than the
    lenient one."""
    expected: Callable[[Query], Expected] = lambda _query: ()
    """Returns the chunks that a right response rests on."""
    expected_needed: int | None = None
    """How many of the expected sets must be retrieved for a right response; `None`: all."""
    blocked_is_refused: bool = False
    """Whether scores are also given with responses that a content filter blocked as refusals."""

    content_warning: str = ""
    """What the dataset card warns of; empty: nothing."""
    uaeval4rag_name: str | None = None
    """Its key in files of UAEval4RAG's code; `None`: its own name."""

    offline: Mapping[str, Callable[..., Reply]] = field(default_factory=dict)
    """Functions that serve its prompts offline, by role (`generate`, `verify`, `acceptable`); each
    takes the fields of the prompt. For categories from other packages."""
    typical_readings: int = 0
    """Readings in a typical draft; for estimates only."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            raise ConfigError(
                f"category {self.name!r}: use lower-case letters, digits and _, letter first"
            )
        derived = issubclass(self.verification, Verification)
        if self.read_verification is result_of and not derived:
            raise ConfigError(
                f"category {self.name!r}: derive {self.verification.__name__} from Verification, "
                "or declare `read_verification`"
            )
        if self.name not in BUILT_IN and self.offline_steps_in and "generate" not in self.offline:
            raise ConfigError(
                f"category {self.name!r}: `offline_steps_in` requires `offline['generate']`"
            )

    @property
    def title(self) -> str:
        """The name for people: `false presupposition`."""
        return self.name.replace("_", " ")

    @property
    def subtypes(self) -> tuple[str, ...]:
        """Kinds within the category: the `Literal` of its draft's field `subtype`, else none."""
        kinds = self.draft.model_fields.get("subtype")
        return get_args(kinds.annotation) if kinds else ()

    @property
    def outside(self) -> bool:
        """Whether queries are written from outside articles."""
        return self.source == "articles"

    @property
    def written(self) -> type[Written[Draft]]:
        """What the author replies to the prompt `generate`."""
        return Written[self.draft]  # type: ignore[name-defined] # a class at run time

    @property
    def reply_types(self) -> tuple[type[Reply], ...]:
        """The replies to the category's own prompts of synthesis."""
        further = (self.prove.reply_type,) if self.prove else ()
        return (self.written, self.verification, *further)

    async def ask_verifier(self, context: VerifierContext, candidate: Candidate) -> VerifierResult:
        """Ask the first question about a candidate.

        Raises:
            RecordError: the verifier could not be asked, or its reply makes no sense.
            PendingReply: the reply comes in a later batch.
        """
        shown = self.shown_to_verifier(context, candidate)
        twin = {
            "twin_question": candidate.twin.question,
            "twin_answer": candidate.twin.reference_answer,
        }
        return await context.model.ask(
            f"{self.name}/verify",
            self.verification,
            lambda reply: self.read_verification(candidate, reply, shown),
            question=candidate.question,
            passages=shown.passages,
            **({} if self.prove else twin),
            **self.verifier_fields(context, candidate),
        )
