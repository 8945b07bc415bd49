"""What a category declares: its meaning, its replies, its prompts, its checks and its proof."""

import re
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from uaeval.categories.names import BUILT_IN
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.verification import VerifierContext, VerifierResult, result_of
from uaeval.categories.voices import ANY
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
    """The source of the passages that an author is shown."""

    retriever: Retriever
    related_to: Callable[[Chunk], tuple[Chunk, ...]]
    """Returns other chunks with a similar heading or similar content; best first."""


class SecondQuestion(NamedTuple):
    """A second question to the verifier about candidates that pass the first one."""

    role: str
    """Last part of the prompt's name, for example `verify_readings`."""
    reply_type: type[Reply]
    ask: Callable[[VerifierContext, Candidate], Awaitable[tuple[Evidence, tuple[Evidence, ...]]]]
    """Returns the evidence on the twin and on the query."""


def check_of(name: str, problem: str | None, passed: str) -> Check:
    """Return a check that fails if there is a `problem`; `passed` is its rationale otherwise."""
    return Check(name=name, passed=problem is None, rationale=problem or passed)


def passage_only(_assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    """Return only the field `passage`, for prompts without `subtype`."""
    return {"passage": shown.passages[0]}


def passage_and_subtype(assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    """Return the fields `passage` and `subtype`."""
    return {"passage": shown.passages[0], "subtype": assignment.subtype or "any"}


def no_fields(_context: VerifierContext, _candidate: Candidate) -> Mapping[str, Field]:
    """Return no fields."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class CategorySpec(Generic[D]):
    """Everything that is particular to one category; `D` is what its author writes."""

    name: str
    """The name in records, options, ids and prompts, for example `false_presupposition`."""
    place: int | None = None
    """Position of another package's category among all, counted from 0; `None`: last."""

    definition: str
    """What makes a query of this category unanswerable."""
    acceptance: str
    """What a response must do to be acceptable."""
    difficulty: Literal["easy", "medium", "hard"]

    assigned: tuple[str, ...] = ()
    """Subtypes in the order in which the plan assigns them; frequent ones are repeated. Empty: the
    author chooses."""
    compares: bool = False
    """Whether the author compares passages; the plan then starts with those that have parallels."""
    turns: int = 1
    """How many queries the plan asks for from each chunk."""
    choices: int = 1
    """Most chunks that are offered to the author, who writes from one of them. If there can be
    several, the prompt `generate` has the field `others`: all but the first."""
    opening_share: float = 0.15
    """Largest share, rounded up, of the category's queries that may start with the same words."""
    voiced: bool = False
    """Whether the prompt `generate` has the fields `style` and `asker`. The offline engine does not
    receive them."""
    outside: bool = False
    """Whether queries are written from outside articles, not from the knowledge base. Such a query
    has an outside answer and a hardness, and the built-in RAG can be asked it. `per_document`
    limits the queries per article, or else per document of the twin."""

    draft: type[D]
    """What the author writes."""
    shown: Callable[[AuthorContext, Assignment], NumberedPassages] = lambda _context, assignment: (
        NumberedPassages((assignment.chunk, *assignment.others))
    )
    """Returns the passages that the author sees; without any, the assignment is off topic."""
    author_fields: Callable[[Assignment, NumberedPassages], Mapping[str, Field]] = (
        passage_and_subtype
    )
    """Returns the fields of the prompt `generate`, without `language`."""
    twin_passage: Callable[[D], int] | None = None
    """Returns the number of the passage that the twin is written from. If that passage lacks the
    twin's quote, another one that has it is taken. `None`: the query is written from it too."""
    finish: Callable[[Candidate, D, NumberedPassages, Assignment], Candidate | Rejection] = (
        lambda candidate, _draft, _shown, _assignment: candidate
    )
    """Returns the candidate with what its proof needs, or a rejection; raises `ReplyError` if the
    draft makes no sense."""
    offline_steps_in: bool = False
    """Whether the offline engine writes where a content filter blocks the author."""
    known: Callable[[Query], str | None] = lambda _query: None
    """Returns what a user's own query has besides its question, for the author who completes it."""

    checks: tuple[CodeCheck, ...] = ()
    """Checks by code, cheapest first; they follow the checks that every category has."""
    verification: type[Reply]
    """What the verifier replies to the prompt `verify`."""
    passing_label: str
    """The only label of `verification` with which a query passes."""
    shown_to_verifier: Callable[[VerifierContext, Candidate], NumberedPassages] = (
        VerifierContext.shown_for_twin
    )
    """Returns the passages that the prompt `verify` shows."""
    verifier_fields: Callable[[VerifierContext, Candidate], Mapping[str, Field]] = no_fields
    """Returns further fields of `verify`, besides `question` and `passages`, and `twin_question`
    and `twin_answer` if `prove` is `None`."""
    read_verification: Callable[[Candidate, Any, NumberedPassages], VerifierResult] = result_of
    """Returns the result of a reply of the type `verification`; raises `ReplyError` if it makes no
    sense. The default is for types that derive from `uaeval.llm.replies.Verification`."""
    prove: SecondQuestion | None = None
    """A second question for candidates that pass the first one; it gives all the evidence."""

    strict_acceptance: str = ""
    """What the strict policy requires, judged by `acceptable_strict.md`; empty: the same as the
    lenient policy."""
    expected: Callable[[Query], Expected] = lambda _query: ()
    """Returns the chunks that a right response rests on."""
    expected_needed: int | None = None
    """How many of the expected sets must be retrieved for a right response; `None`: all."""
    blocked_is_refused: bool = False
    """Whether scores are also reported with blocked responses counted as refusals."""

    content_warning: str = ""
    """Warning in the dataset card; empty: none."""
    uaeval4rag_name: str | None = None
    """The key of the category in UAEval4RAG's files; `None`: the same as `name`."""

    offline: Mapping[str, Callable[..., Reply]] = field(default_factory=dict)
    """Functions that reply to the category's prompts offline, by role (`generate`, `verify`,
    `acceptable`); each takes the fields of the prompt. For categories from other packages."""
    typical_readings: int = 0
    """Number of readings in a typical draft; for estimates only."""

    def __post_init__(self) -> None:
        problem, reply = "", self.verification
        labels = get_args(getattr(reply.model_fields.get("label"), "annotation", None))
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            problem = "use lower-case letters, digits and _, letter first"
        elif self.read_verification is result_of and not issubclass(reply, Verification):
            problem = f"derive {reply.__name__} from Verification, or declare `read_verification`"
        elif self.read_verification is result_of and labels and self.passing_label not in labels:
            problem = f"passing_label {self.passing_label!r} is not a label of {reply.__name__}"
        elif self.name not in BUILT_IN and self.offline_steps_in and "generate" not in self.offline:
            problem = "`offline_steps_in` requires `offline['generate']`"
        if problem:
            raise ConfigError(f"category {self.name!r}: {problem}")

    @property
    def title(self) -> str:
        """The name in texts, for example `false presupposition`."""
        return self.name.replace("_", " ")

    @property
    def subtypes(self) -> tuple[str, ...]:
        """The values of the draft's field `subtype`, a `Literal`; empty without such a field."""
        subtype = self.draft.model_fields.get("subtype")
        return get_args(subtype.annotation) if subtype else ()

    @property
    def written(self) -> type[Written[Draft]]:
        """The type of the author's reply to the prompt `generate`."""
        return Written[self.draft]  # type: ignore[name-defined] # a class at run time

    @property
    def reply_types(self) -> tuple[type[Reply], ...]:
        """The types of the replies to the category's prompts of synthesis."""
        further = (self.prove.reply_type,) if self.prove else ()
        return (self.written, self.verification, *further)

    @property
    def prompt_fields(self) -> Mapping[str, tuple[Set[str], bool]]:
        """The fields of each prompt, by role, and whether the category's own code adds others."""
        known: Mapping[object, tuple[str, ...]] = {
            passage_only: ("passage",),
            passage_and_subtype: ("passage", "subtype"),
        }
        passage, voice = known.get(self.author_fields), ANY if self.voiced else ()
        others = ("others",) if self.choices > 1 else ()
        twin = () if self.prove else ("twin_question", "twin_answer")
        judged = {"question", "reason", "response"}, False
        return {
            "generate": ({"language", *voice, *others, *(passage or ())}, passage is None),
            "verify": ({"question", "passages", *twin}, self.verifier_fields is not no_fields),
            "acceptable": judged,
            **({"acceptable_strict": judged} if self.strict_acceptance else {}),
            **({self.prove.role: (set(), True)} if self.prove else {}),
        }

    async def ask_verifier(self, context: VerifierContext, candidate: Candidate) -> VerifierResult:
        """Return the result of the first question about a candidate; raise as `Model.ask` does."""
        shown, twin = self.shown_to_verifier(context, candidate), candidate.twin
        asked = {"twin_question": twin.question, "twin_answer": twin.reference_answer}
        return await context.model.ask(
            f"{self.name}/verify",
            self.verification,
            lambda reply: self.read_verification(candidate, reply, shown),
            question=candidate.question,
            passages=shown.passages,
            **({} if self.prove else asked),
            **self.verifier_fields(context, candidate),
        )
