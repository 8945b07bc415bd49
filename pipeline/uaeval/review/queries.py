"""The dataset's queries as items: what each rests on, and what the verifier said of it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from uaeval.categories.registry import category as category_of
from uaeval.evaluation.labels.sampling import group_of, stratified
from uaeval.review.items import (
    ANSWERABLE,
    Block,
    DecisionOption,
    Guidelines,
    Item,
    Passages,
    Quotes,
    right_categories,
)
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal
from uaeval.synthesis.verify import Proven
from uaeval.types import Query

_CHOICES = (
    DecisionOption(word="valid", key="v", hint="It is what its category says"),
    DecisionOption(word="invalid", key="i", hint="It is not"),
    DecisionOption(word="unsure", key="u", hint="You cannot tell"),
)
_CONTROL = Guidelines(
    title="answerable control",
    lines=(
        "The twin of an unanswerable query: it stands on its own, the knowledge base answers it, "
        "and the reference answer is right.",
    ),
)


def query_items(
    queries: Sequence[Query],
    passages: Passages,
    quotes: Quotes,
    size: int,
    seed: int,
) -> tuple[Item, ...]:
    """Draw `size` queries, as evenly over the categories and the controls as these allow.

    `quotes` holds, by query id, words of passages to highlight. The same seed draws the same
    sample, in an order that tells nothing.
    """
    drawn = stratified(queries, group_of, size, seed)
    by_id = {query.id: query for query in queries}
    return tuple(_item(query, share, by_id, passages, quotes) for query, share in drawn)


def verbatim_quotes(run: RunFolder) -> dict[str, tuple[str, ...]]:
    """Return the words of the passages that each query and twin rest on, as far as told.

    Raises:
        StorageError: the journal is damaged.
    """
    path: Path = run.journal("verify")
    if not path.exists():
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for proven in stream_journal(path, Proven):
        candidate = proven.candidate
        found[candidate.id] = (candidate.fact or "", candidate.twin.quote)
        found[f"{candidate.id}-twin"] = (candidate.twin.quote,)
    return found


def _item(
    query: Query,
    share: float,
    by_id: Mapping[str, Query],
    passages: Passages,
    quotes: Quotes,
) -> Item:
    marks = (*quotes.get(query.id, ()), *(reading.answer for reading in query.readings))
    readings = (reading.chunk_id for reading in query.readings)
    ids = dict.fromkeys([*query.provenance.chunk_ids, *readings])
    named = (name for one in query.evidence for name in (*one.supports, *one.contradicts))
    proving = [name for name in named if name not in ids]
    return Item(
        id=query.id,
        group=group_of(query),
        kind="query",
        task="Is this control valid?" if query.answerable else "Is this query valid?",
        question=query.question,
        guide=_guide(query),
        choices=_CHOICES,
        blocks=(*_told(query, by_id), *passages.blocks(ids, marks)),
        opinions=(*_opinions(query), *passages.blocks(proving, marks)),
        inclusion_probability=share,
        categories=right_categories(query.category or ANSWERABLE),
    )


def _guide(query: Query) -> Guidelines:
    if query.category is None:
        return _CONTROL
    spec = category_of(query.category)
    return Guidelines(
        title=spec.title + (f" ({query.subtype})" if query.subtype else ""),
        lines=(spec.definition, f"A right response: {spec.acceptance}"),
    )


def _told(query: Query, by_id: Mapping[str, Query]) -> Iterator[Block]:
    """Show what the author says of the query."""
    if query.reason:
        yield Block(title="Why it should not be answered", text=query.reason)
    if query.reference_answer is not None:
        yield Block(title="Reference answer", text=query.reference_answer)
    if query.readings:
        lines = [f"{one.question} — {one.answer}" for one in query.readings]
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
    for one in query.evidence:
        stances = [
            f"{name}: {', '.join(ids)}"
            for name, ids in (("supported by", one.supports), ("contradicted by", one.contradicts))
            if ids
        ]
        text = "\n".join((one.claim, *stances, f"{len(one.silent)} passages are silent"))
        yield Block(title=f"Claim, {one.outcome}", text=text, kind="list")
