"""Turn an assignment into a candidate: show the author its passages, and parse its reply.

The author writes a query, or completes one of the user's own.
"""

import re
from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any, Final

from uaeval.categories.base import AuthorContext, CategorySpec
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category
from uaeval.categories.voices import ANY
from uaeval.errors import BlockedError, LanguageError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Field, Model
from uaeval.llm.replies import CompletionDraft, Draft, TwinDraft, Written
from uaeval.records import Assignment, Candidate, Chunk, Query, Rejection, Twin
from uaeval.synthesis.related import NOTHING_COMPARED, ParallelPassages, related_to
from uaeval.text.sentences import sentences
from uaeval.text.words import count_words, stands_in, stems, words

SHORT = 6
"""Number of words in the shortest sentence that may state a fact."""
RUN, COPIED = 5, 0.5
"""A passage copies an article if it has the share `COPIED` of the article's runs of `RUN` words."""
RELATED = 8
"""Number of further passages that a language model is shown, if it writes from several."""
RELATED_OFFLINE = 60
"""The same for the offline engine, where reading costs nothing."""
USER = "user"
"""Author of the queries that a user provided."""
SHOWN = 12
"""Number of passages that the author who completes a query sees."""
NOTHING_KNOWN = "nothing"
"""What the prompt says of a query about which the user's file says nothing further."""

_STATES: Final = re.compile(r"\d|[.!?。！？؟।][\"'”’)\]»]*$")
"""A figure, or the end of a sentence."""


def author_context(
    retriever: Retriever,
    usable: Container[str] | None = None,
    parallels: ParallelPassages = NOTHING_COMPARED,
    *,
    offline: bool = False,
) -> AuthorContext:
    """Return the source of an author's passages, which caches `related.related_to`.

    The offline engine only compares articles, and passages that have a parallel one.
    """
    related = RELATED_OFFLINE if offline else RELATED

    @cache
    def search(chunk: Chunk) -> tuple[Chunk, ...]:
        if offline and usable is not None and chunk.id not in usable:
            hits = retriever.search(f"{chunk.title}\n{chunk.text}", related)
            return tuple(hit.chunk for hit in hits)
        if offline and not parallels.of(chunk):
            return ()
        return related_to(retriever, chunk, related, usable, parallels)

    return AuthorContext(retriever, search)


async def generate(
    context: AuthorContext,
    model: Model,
    language: str,
    assignment: Assignment,
    *,
    fallback: Model | None = None,
) -> Candidate | Rejection:
    """Return the author's candidate, or why there is none; raise the errors of `Model.ask`.

    `fallback` is the offline engine, which writes if the author is blocked and the category allows
    it. If it writes nothing, the assignment is blocked.
    """
    spec = category(assignment.category)
    if spec.outside:
        fit = _with_fit_articles(spec, context, assignment)
        if isinstance(fit, Rejection):
            return fit
        assignment = fit
    shown = spec.shown(context, assignment)
    fields = _author_fields(spec, assignment, shown)

    async def write(author: Model) -> Candidate | Rejection:
        prompt, read = f"{spec.name}/generate", partial(_candidate, spec, assignment, shown)
        return await author.ask(prompt, spec.written, read, language=language, **fields)

    try:
        return await write(model)
    except BlockedError:
        if fallback and spec.offline_steps_in:
            with suppress(LanguageError):
                outcome = await write(fallback)
                if isinstance(outcome, Candidate):
                    return replace(outcome, author=fallback.name, voice=None)
        raise


def _author_fields(
    spec: CategorySpec[Any], assignment: Assignment, shown: NumberedPassages
) -> dict[str, Field]:
    """Return the fields of the prompt, without `language`."""
    fields = dict(spec.author_fields(assignment, shown))
    if spec.choices > 1:
        fields.setdefault("others", shown.passages[1:])
    if spec.voiced:
        fields |= assignment.voice.fields() if assignment.voice else ANY
    return fields


def _with_fit_articles(
    spec: CategorySpec[Any], context: AuthorContext, assignment: Assignment
) -> Assignment | Rejection:
    """Return the assignment with the articles that queries can be written from, if any can."""
    fit, rejected = list[Chunk](), list[Rejection]()
    for article in (assignment.chunk, *assignment.others):
        shown = spec.shown(context, replace(assignment, chunk=article, others=()))
        if unfit := _unfit_article(article.text, shown):
            rejected.append(Rejection(id=assignment.id, check=unfit[0], rationale=unfit[1]))
        else:
            fit.append(article)
    return replace(assignment, chunk=fit[0], others=tuple(fit[1:])) if fit else rejected[0]


def _unfit_article(text: str, shown: NumberedPassages) -> tuple[str, str] | None:
    """Return the check that an outside text fails, and why; `None` if queries can be written."""
    if not shown.chunks:
        return "off_topic", "the knowledge base has no passage on the article's topic"
    long_enough = (each for each in sentences(text) if count_words(each) >= SHORT)
    if not any(map(_STATES.search, long_enough)):
        return "no_statement", "the article's passage has no whole sentence and no figure"
    runs = _runs(text)
    for chunk in shown.chunks:
        if len(runs & _runs(chunk.text)) >= COPIED * len(runs):
            return "known", f"{chunk.id} says most of it in the same words"
    return None


@lru_cache(maxsize=1024)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    text_words = words(text)
    return frozenset(zip(*(text_words[start:] for start in range(RUN)), strict=False))


def _candidate(
    spec: CategorySpec[Any], assignment: Assignment, shown: NumberedPassages, reply: Written[Draft]
) -> Candidate | Rejection:
    """Return the reply as a record; passage numbers become chunk ids."""
    draft = reply.draft
    if draft is None:
        return Rejection(id=assignment.id, check="declined", rationale=reply.declined or "")
    offered = (assignment.chunk, *assignment.others)
    twin_chunk = _twin_chunk(spec, draft, shown)
    candidate = Candidate(
        id=assignment.id,
        category=assignment.category,
        subtype=getattr(draft, "subtype", None),
        question=draft.question.strip(),
        reason=draft.reason.strip(),
        twin=twin_of(draft.twin, twin_chunk),
        source_chunk_id=(twin_chunk if twin_chunk in offered else assignment.chunk).id,
        voice=assignment.voice,
    )
    return spec.finish(candidate, draft, shown, assignment)


def _twin_chunk(spec: CategorySpec[Any], draft: Draft, shown: NumberedPassages) -> Chunk:
    """Return the chunk that the twin is written from: the one named, if it has the twin's quote.

    Else, because authors sometimes give another number, return the one of those with the quote that
    has most words of the draft; without any, the one named, or the first.
    """
    named = shown.chunk(spec.twin_passage(draft) if spec.twin_passage else 1)
    quoting = [chunk for chunk in shown.chunks if stands_in(draft.twin.quote, chunk.text)]
    if not quoting or (spec.twin_passage and named in quoting):
        return named
    asked = stems(f"{draft.twin.question} {draft.question} {draft.reason}")
    return max(quoting, key=lambda chunk: len(asked & stems(chunk.text)))


def twin_of(draft: TwinDraft, chunk: Chunk) -> Twin:
    """Return a drafted twin as a record; `chunk` is the passage that answers it."""
    return Twin(
        question=draft.question.strip(),
        reference_answer=draft.answer.strip(),
        chunk_id=chunk.id,
        quote=draft.quote,
    )


async def complete(
    retriever: Retriever,
    model: Model,
    language: str,
    queries: Mapping[str, Query],
    assignment: Assignment,
) -> Candidate | Rejection:
    """Return the user's query with a twin and what its proof needs, or why there is none.

    The question does not change. Raise the errors of `Model.ask`.
    """
    query = queries[assignment.id]
    hits = retriever.search(query.question, SHOWN)
    shown = NumberedPassages(tuple(hit.chunk for hit in hits))
    return await model.ask(
        "given/complete",
        Written[CompletionDraft],
        partial(_completed, assignment, query, shown),
        language=language,
        category=assignment.category,
        known=category(assignment.category).known(query) or NOTHING_KNOWN,
        question=query.question,
        passages=shown.passages,
    )


def _completed(
    assignment: Assignment, query: Query, shown: NumberedPassages, reply: Written[CompletionDraft]
) -> Candidate | Rejection:
    draft = reply.draft
    if draft is None:
        return Rejection(id=assignment.id, check="declined", rationale=reply.declined or "")
    twin = twin_of(draft.twin, shown.chunk(draft.passage))
    with_fact = (each.id for each in shown.chunks if stands_in(draft.fact or "", each.text))
    outside = category(assignment.category).outside
    ids = {chunk.id for chunk in shown.chunks}
    own_readings = tuple(reading for reading in query.readings if reading.chunk_id in ids)
    return Candidate(
        id=assignment.id,
        category=assignment.category,
        subtype=query.subtype,
        question=query.question,
        reason=query.reason or draft.reason.strip(),
        twin=twin,
        source_chunk_id=next(with_fact, twin.chunk_id),
        author=USER,
        missing=query.subtype,
        readings=shown.readings(draft.readings) or own_readings,
        premise=draft.premise,
        fact=draft.fact,
        outside_answer=(query.outside_answer or draft.outside_answer) if outside else None,
        phrasings=tuple(draft.phrasings),
    )
