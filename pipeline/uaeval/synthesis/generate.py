"""From an assignment to a candidate: show the author its passages, read back what it wrote."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from uaeval.categories import CATEGORIES
from uaeval.errors import BlockedError, LanguageError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import (
    Draft,
    FalsePresuppositionDraft,
    ModalityLimitedDraft,
    NonsensicalDraft,
    OutOfDatabaseDraft,
    SafetyConcernedDraft,
    UnderspecifiedDraft,
    Written,
)
from uaeval.prompts import Field
from uaeval.synthesis.literal import answering_sentence
from uaeval.synthesis.numbered_passages import NumberedPassages, related_to
from uaeval.text.words import content_words
from uaeval.types import Assignment, Candidate, Category, Chunk, Reading, Rejection, Twin

RELATED = 8
"""Other passages that a language model is shown to write an underspecified query from."""
RELATED_OFFLINE = 60
"""The same for the offline engine, which reads for nothing and fast."""
NEAREST = 8
"""Passages that the author of an out-of-database query may take the twin from."""
SHARED_WORDS = 3
"""Content words that an outside article and a passage must share to be on one topic."""

USER = "user"
"""Named as the author of a query that a user brought."""

_REPLIES: Mapping[Category, type[Written[Draft]]] = MappingProxyType(
    {
        Category.UNDERSPECIFIED: Written[UnderspecifiedDraft],
        Category.FALSE_PRESUPPOSITION: Written[FalsePresuppositionDraft],
        Category.NONSENSICAL: Written[NonsensicalDraft],
        Category.MODALITY_LIMITED: Written[ModalityLimitedDraft],
        Category.SAFETY_CONCERNED: Written[SafetyConcernedDraft],
        Category.OUT_OF_DATABASE: Written[OutOfDatabaseDraft],
    }
)


@dataclass(frozen=True, slots=True)
class Generate:
    """Write one candidate per assignment, or say why the passage does not serve."""

    retriever: Retriever
    model: Model
    language: str
    related: int = RELATED
    """Other passages that the author of an underspecified query is shown."""
    fallback: Model | None = None
    """The offline engine; writes where the author is blocked, in categories that allow it."""
    _found: dict[str, tuple[Chunk, ...]] = field(default_factory=dict, repr=False)

    async def __call__(self, assignment: Assignment) -> Candidate | Rejection:
        """Ask the category's author.

        Raises:
            RecordError: the author could not be asked, was blocked, or replied out of form.
            Pending: the author's answer is not there yet.
        """
        shown = self._shown(assignment)
        if not shown.chunks:
            rationale = "the knowledge base has no passage on the article's topic"
            return Rejection(id=assignment.id, check="off_topic", rationale=rationale)

        def read(reply: Written[Draft]) -> Candidate | Rejection:
            if reply.draft is None:
                return Rejection(id=assignment.id, check="declined", rationale=reply.declined or "")
            candidate = _candidate(assignment, reply.draft, shown)
            return _told_by_article(candidate, assignment.chunk)

        ask = partial(self._ask, assignment.category, _fields(assignment, shown), read)
        try:
            return await ask(self.model)
        except BlockedError as blocked:
            if self.fallback is None or not CATEGORIES[assignment.category].offline_steps_in:
                raise
            outcome = await _in_its_place(ask(self.fallback), blocked)
            return replace(outcome, author=self.fallback.name)

    async def _ask(
        self,
        category: Category,
        fields: Mapping[str, Field],
        read: Callable[[Written[Draft]], Candidate | Rejection],
        author: Model,
    ) -> Candidate | Rejection:
        prompt, reply_type = f"{category}/generate", _REPLIES[category]
        return await author.ask(prompt, reply_type, read, language=self.language, **fields)

    def _related_to(self, chunk: Chunk) -> tuple[Chunk, ...]:
        """Look for what is related once; a chunk comes up again in later turns."""
        if chunk.id not in self._found:
            self._found[chunk.id] = related_to(self.retriever, chunk, self.related)
        return self._found[chunk.id]

    def _shown(self, assignment: Assignment) -> NumberedPassages:
        """Return what the author sees, first the chunk that it is to write from."""
        match assignment.category:
            case Category.OUT_OF_DATABASE:
                return NumberedPassages(_on_topic(self.retriever, assignment.chunk))
            case Category.UNDERSPECIFIED:
                others = self._related_to(assignment.chunk)
                return NumberedPassages((assignment.chunk, *others))
            case _:
                return NumberedPassages((assignment.chunk,))


async def _in_its_place(
    asked: Awaitable[Candidate | Rejection], blocked: BlockedError
) -> Candidate:
    """Let another author write; where it cannot, what is blocked stays blocked."""
    try:
        outcome = await asked
    except LanguageError:
        raise blocked from None
    if isinstance(outcome, Rejection):
        raise blocked
    return outcome


def _on_topic(retriever: Retriever, article: Chunk) -> tuple[Chunk, ...]:
    """Return the passages nearest to the article that share its topic, best first."""
    topic = content_words(f"{article.title} {article.text}")
    hits = retriever.search(f"{article.title}\n{article.text}", NEAREST)
    return tuple(
        hit.chunk
        for hit in hits
        if len(topic & content_words(f"{hit.chunk.title} {hit.chunk.heading} {hit.chunk.text}"))
        >= SHARED_WORDS
    )


def _fields(assignment: Assignment, shown: NumberedPassages) -> Mapping[str, Field]:
    """Return the fields of the category's prompt."""
    first, *others = shown.passages
    match assignment.category:
        case Category.UNDERSPECIFIED:
            return {"passage": first, "related": tuple(others), "turn": str(assignment.turn)}
        case Category.OUT_OF_DATABASE:
            article = NumberedPassages((assignment.chunk,)).passages[0]
            turn = str(assignment.turn)
            return {"passages": shown.passages, "article": article, "turn": turn}
        case Category.FALSE_PRESUPPOSITION:
            return {"passage": first}
        case Category.NONSENSICAL:
            return {"passage": first, "manner": assignment.manner or "any"}
        case _:
            return {"passage": first, "subtype": assignment.subtype or "any"}


def _candidate(assignment: Assignment, draft: Draft, shown: NumberedPassages) -> Candidate:
    """Turn the reply into a record; passage numbers become chunk ids."""
    under = draft if isinstance(draft, UnderspecifiedDraft) else None
    subtype = getattr(draft, "subtype", None)
    twin = Twin(
        question=draft.twin.question.strip(),
        reference_answer=draft.twin.answer.strip(),
        chunk_id=shown.chunk(_twin_passage(draft)).id,
        quote=draft.twin.quote,
    )
    false = draft if isinstance(draft, FalsePresuppositionDraft) else None
    outside = draft if isinstance(draft, OutOfDatabaseDraft) else None
    return Candidate(
        id=assignment.id,
        category=assignment.category,
        subtype=subtype,
        question=draft.question.strip(),
        reason=draft.reason.strip(),
        twin=twin,
        source_chunk_id=assignment.chunk.id,
        missing=under.subtype if under else None,
        readings=_readings(under, shown) if under else (),
        premise=false.premise if false else None,
        fact=false.fact if false else None,
        outside_answer=outside.outside_answer if outside else None,
        phrasings=tuple(outside.phrasings) if outside else (),
    )


def _told_by_article(candidate: Candidate, article: Chunk) -> Candidate | Rejection:
    """Note the sentence of its article that gives an outside answer; reject what none gives."""
    answer = candidate.outside_answer
    if not answer:
        return candidate
    sentence = answering_sentence(answer, article.text)
    if sentence is None:
        rationale = f"the article does not say: {answer}"
        return Rejection(id=candidate.id, check="not_in_article", rationale=rationale)
    return replace(candidate, outside_sentence=sentence)


def _twin_passage(draft: Draft) -> int:
    """Return the number of the passage that the twin is written from."""
    match draft:
        case UnderspecifiedDraft(readings=[first, *_]):
            return first.passage
        case OutOfDatabaseDraft():
            return draft.passage
        case _:
            return 1


def _readings(draft: UnderspecifiedDraft, shown: NumberedPassages) -> tuple[Reading, ...]:
    return tuple(
        Reading(
            question=reading.question.strip(),
            value=reading.value.strip(),
            chunk_id=shown.chunk(reading.passage).id,
            answer=reading.answer.strip(),
        )
        for reading in draft.readings
    )
