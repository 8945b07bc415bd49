"""The dataset's queries as items: what each rests on, and what the verifier said of it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from uaeval.categories.registry import category as category_of
from uaeval.evaluation.labels.sampling import group_of, stratified
from uaeval.review.items import (
    ANSWERABLE,
    INSTRUCTIONS,
    Block,
    Guidelines,
    Item,
    Passages,
    right_categories,
)
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal
from uaeval.synthesis.verify import Proven
from uaeval.types import Query


def query_items(
    queries: Sequence[Query], passages: Passages, size: int, seed: int
) -> tuple[Item, ...]:
    """Draw `size` queries, as evenly over the categories and the controls as these allow.

    The same seed draws the same sample, in an order that tells nothing.
    """
    drawn = stratified(queries, group_of, size, seed)
    by_id = {query.id: query for query in queries}
    return tuple(_item(query, share, by_id, passages) for query, share in drawn)


def verbatim_quotes(run: RunFolder) -> dict[str, tuple[str, ...]]:
    """Return the words of the passages that each query and twin rest on, as far as known.

    Raises:
        StorageError: the journal is damaged.
    """
    path: Path = run.journal("verify")
    if not path.exists():
        return {}
    quotes: dict[str, tuple[str, ...]] = {}
    for proven in stream_journal(path, Proven):
        candidate = proven.candidate
        quotes[candidate.id] = (candidate.fact or "", candidate.twin.quote)
        quotes[f"{candidate.id}-twin"] = (candidate.twin.quote,)
    return quotes


def _item(query: Query, share: float, by_id: Mapping[str, Query], passages: Passages) -> Item:
    instructions = INSTRUCTIONS["control" if query.answerable else "query"]
    readings = (reading.chunk_id for reading in query.readings)
    ids = dict.fromkeys([*query.provenance.chunk_ids, *readings])
    named = (name for claim in query.evidence for name in (*claim.supports, *claim.contradicts))
    proving = [name for name in named if name not in ids]
    return Item(
        id=query.id,
        group=group_of(query),
        kind="query",
        task=instructions.task,
        question=query.question,
        guide=instructions.guide or _guide(query),
        choices=instructions.choices,
        blocks=(*_author_blocks(query, by_id), *passages.blocks(query, ids)),
        opinions=(*_opinions(query), *passages.blocks(query, proving)),
        inclusion_probability=share,
        categories=right_categories(query.category or ANSWERABLE),
    )


def _guide(query: Query) -> Guidelines:
    assert query.category is not None, query.id  # a control has a guide of its own
    spec = category_of(query.category)
    return Guidelines(
        title=spec.title + (f" ({query.subtype})" if query.subtype else ""),
        lines=(spec.definition, f"A right response: {spec.acceptance}"),
    )


def _author_blocks(query: Query, by_id: Mapping[str, Query]) -> Iterator[Block]:
    """Yield what the author says of the query."""
    if query.reason:
        yield Block(title="Why it should not be answered", text=query.reason)
    if query.reference_answer is not None:
        yield Block(title="Reference answer", text=query.reference_answer)
    if query.readings:
        lines = [f"{reading.question} — {reading.answer}" for reading in query.readings]
        yield Block(title="It could mean", text="\n".join(lines), kind="list")
    if query.outside_answer is not None:
        yield Block(title="Answer outside the knowledge base", text=query.outside_answer)
    pair = by_id.get(query.pair_id or "")
    if pair is not None:
        said = pair.question
        if pair.reference_answer is not None:
            said += f"\n{pair.reference_answer}"
        title = "Its answerable twin" if pair.answerable else "The query that it is the twin of"
        yield Block(title=title, text=said, kind="list")


def _opinions(query: Query) -> Iterator[Block]:
    checks = [
        f"{check.name}: {'passed' if check.passed else 'failed'}. {check.rationale}"
        for check in query.checks
    ]
    if checks:
        by = query.provenance.verifier
        yield Block(title=f"What the verifier checked ({by})", text="\n".join(checks), kind="list")
    for claim in query.evidence:
        stances = [
            f"{name}: {', '.join(ids)}"
            for name, ids in (
                ("supported by", claim.supports),
                ("contradicted by", claim.contradicts),
            )
            if ids
        ]
        text = "\n".join((claim.claim, *stances, f"{len(claim.silent)} passages are silent"))
        yield Block(title=f"Claim, {claim.outcome}", text=text, kind="list")
