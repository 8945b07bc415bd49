"""Complete a user's own queries with a twin and what their proof needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from uaeval.categories.names import category_names
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.registry import category
from uaeval.errors import DatasetError
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.model import Model
from uaeval.llm.replies import CompletionDraft, Written
from uaeval.records import Assignment, Candidate, Query, Rejection
from uaeval.synthesis.category_progress import CategoryProgress
from uaeval.synthesis.generate import twin_of
from uaeval.text.words import stands_in

USER = "user"
"""Author of the queries that a user provided."""
SHOWN = 12
"""Number of passages that the author who completes a query sees."""
NOTHING_KNOWN = "nothing"
"""What the prompt says of a query about which the user's file says nothing further."""


def plan_given(given: Sequence[Query], retriever: Retriever) -> tuple[CategoryProgress, ...]:
    """Return each category of the queries, with one assignment per query, in their order.

    Raise `DatasetError` if none of the queries has a category, or one has earlier turns.
    """
    plans: dict[str, list[Assignment]] = {name: [] for name in category_names()}
    for query in given:
        if query.category is None:
            continue
        if query.history:
            problem = "a query with earlier turns can be evaluated, but gets no twin and no proof"
            raise DatasetError(f"{query.id}: {problem}; leave its `history` out")
        assignment = Assignment(
            id=query.id,
            category=query.category,
            subtype=query.subtype,
            turn=1,
            chunk=retriever.search(query.question, 1)[0].chunk,
        )
        plans[query.category].append(assignment)
    if not any(plans.values()):
        raise DatasetError("no query has a category; name what it should not be answered for")
    return tuple(
        CategoryProgress(
            name=name, quota=len(plan), plan=plan, per_document=len(plan), user_queries=True
        )
        for name, plan in plans.items()
        if plan
    )


@dataclass(frozen=True, slots=True)
class Complete:
    """Ask an author for a query's twin and what its proof needs; the question does not change."""

    retriever: Retriever
    model: Model
    language: str
    queries: Mapping[str, Query]

    async def __call__(self, assignment: Assignment) -> Candidate | Rejection:
        """Return the completed query, or why there is none; raise the errors of `Model.ask`."""
        query = self.queries[assignment.id]
        hits = self.retriever.search(query.question, SHOWN)
        shown = NumberedPassages(tuple(hit.chunk for hit in hits))
        return await self.model.ask(
            "given/complete",
            Written[CompletionDraft],
            partial(_completed, assignment, query, shown),
            language=self.language,
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
