"""Draw queries and judgements for annotators, and show them as blocks of plain text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from uaeval.categories.names import category_names
from uaeval.categories.registry import category as category_of
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.labels.sampling import SampledJudgement, draw_sample, group_of, stratified
from uaeval.evaluation.metrics.attribution import expected_chunks
from uaeval.records import Chunk, Metric, Query, Response
from uaeval.report.tables import declared_texts
from uaeval.resources import shipped_table
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal
from uaeval.synthesis.verify import Proven

ANSWERABLE = "answerable"
INSTRUCTIONS: Final[Mapping[str, Mapping[str, Any]]] = shipped_table("review/instructions.yaml")
"""For `query`, `twin` and each metric; those without a `guide` get that of the query's category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A titled piece of text, which the page never interprets as markup."""

    title: str
    text: str
    kind: Literal["text", "response", "passage", "context", "list"] = "text"
    marks: tuple[str, ...] = ()
    """Verbatim parts of the text to highlight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item to label, with its guidelines."""

    id: str
    """The id of the query or the judgement."""
    instructions: Mapping[str, Any]
    """The `task`, the `choices` with word, key and hint, and the `guide` with title and lines."""
    group: str
    """The group by which the page can filter."""
    kind: str
    """`query`, or the metric of a judgement; annotators are compared within a kind."""
    question: str
    blocks: tuple[Block, ...]
    opinions: tuple[Block, ...]
    """The words of verifier or judge; a blind review hides them until the annotator has decided."""
    inclusion_probability: float
    categories: Mapping[str, str] = field(default_factory=dict)
    """The other categories that a query labelled invalid may have, with their keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """The chunks of a knowledge base by id, and the words to highlight in them."""

    chunks: Mapping[str, Chunk]
    quotes: Mapping[str, tuple[str, ...]]
    """Quotes of passages that a query depends on, by query id."""

    def blocks(self, query: Query, ids: Iterable[str], *marks: str) -> Iterator[Block]:
        """Yield the chunks with these ids as blocks, with the quotes of `query` highlighted."""
        answers = (reading.answer for reading in query.readings)
        marks = (*self.quotes.get(query.id, ()), *answers, *marks)
        for name in dict.fromkeys(ids):
            if chunk := self.chunks.get(name):
                title = f"{' › '.join(filter(None, (chunk.title, chunk.heading)))} ({name})"
                found = tuple(mark for mark in dict.fromkeys(marks) if mark and mark in chunk.text)
                yield Block(title=title, text=chunk.text, kind="passage", marks=found)
            else:
                yield Block(title=name, text="It is not in the knowledge base.")


def query_items(
    queries: Sequence[Query], passages: Passages, size: int, seed: int
) -> tuple[Item, ...]:
    """Draw `size` queries, as evenly from the categories and the controls as possible.

    The same seed draws the same sample, in random order after an unanswerable query.
    """
    drawn = stratified(queries, group_of, size, seed)
    first = next((place for place, (query, _) in enumerate(drawn) if not query.answerable), 0)
    drawn[:1], drawn[first : first + 1] = drawn[first : first + 1], drawn[:1]
    by_id = {query.id: query for query in queries}
    return tuple(_query_item(query, share, by_id, passages) for query, share in drawn)


def verbatim_quotes(run: RunFolder) -> dict[str, tuple[str, ...]]:
    """Return the quotes of passages that queries and twins depend on, by query id.

    Raise `StorageError` if the journal is damaged.
    """
    path, quotes = run.journal("verify"), dict[str, tuple[str, ...]]()
    for proven in stream_journal(path, Proven) if path.exists() else ():
        candidate = proven.candidate
        quotes[candidate.id] = (candidate.fact or "", candidate.twin.quote)
        quotes[f"{candidate.id}-twin"] = (candidate.twin.quote,)
    return quotes


def _query_item(query: Query, share: float, by_id: Mapping[str, Query], passages: Passages) -> Item:
    instructions = INSTRUCTIONS["twin" if query.answerable else "query"]
    guide = instructions.get("guide") or _guide(query, "A right response")
    if query.category and query.subtype:
        guide = {**guide, "title": f"{guide['title']} ({query.subtype})"}
    readings = (reading.chunk_id for reading in query.readings)
    ids = dict.fromkeys([*query.provenance.chunk_ids, *readings])
    judged_ids = (
        name for claim in query.evidence for name in (*claim.supports, *claim.contradicts)
    )
    pair = by_id.get(query.pair_id or "")
    own, names = query.category or ANSWERABLE, [*sorted(category_names()), ANSWERABLE]
    return Item(
        id=query.id,
        group=group_of(query),
        kind="query",
        question=query.conversation,
        instructions={**instructions, "guide": guide},
        blocks=(*_blocks("author", query=query, pair=pair), *passages.blocks(query, ids)),
        opinions=(
            *_blocks("verifier", query=query),
            *(block for claim in query.evidence for block in _blocks("claim", claim=claim)),
            *passages.blocks(query, [name for name in judged_ids if name not in ids]),
        ),
        inclusion_probability=share,
        categories={name: str(key) for key, name in enumerate(names, 1) if name != own},
    )


def _guide(query: Query, rule: str, *, strict: bool = False) -> dict[str, object]:
    """Return the category's definition and acceptance, which the word `rule` introduces."""
    if query.category is None:
        return {"title": ANSWERABLE, "lines": []}
    spec = category_of(query.category)
    lines = [spec.definition, f"{rule}: {spec.acceptance}"]
    if strict and spec.strict_acceptance:
        lines.append(f"By the strict policy: {spec.strict_acceptance}")
    return {"title": spec.title, "lines": lines}


def _blocks(name: str, **values: object) -> Iterator[Block]:
    """Yield the blocks `name` of `blocks.yaml` that have a text."""
    for declared in shipped_table("review/blocks.yaml")[name]:
        for title, text in declared_texts({declared["title"]: declared["text"]}, **values).items():
            yield Block(title=title, text=text, kind=declared.get("kind", "text"))


def judgement_items(
    recorded: Evaluation, passages: Passages, size: int, seed: int
) -> tuple[Item, ...]:
    """Draw `size` judgements, evenly from metrics, categories and the judge's labels.

    Raise `ConfigError` if there is nothing to label.
    """
    drawn = draw_sample(recorded.queries, recorded.judgements, size, seed=seed)
    responses = {response.query_id: response for response in recorded.responses}
    strict = recorded.manifest.settings.get("policy") == "strict"
    return tuple(
        _judgement_item(sampled, responses[sampled.query.id], passages, strict=strict)
        for sampled in drawn
        if sampled.query.id in responses
    )


def _judgement_item(
    drawn: SampledJudgement, response: Response, passages: Passages, *, strict: bool
) -> Item:
    judged, query = drawn.judgement, drawn.query
    metric, group = judged.metric, judged.metric.value
    if metric is Metric.ACCEPTABLE and query.category:
        group += f", {query.category.replace('_', ' ')}"
    instructions = INSTRUCTIONS[metric.value]
    guide = instructions.get("guide") or _guide(query, "Acceptable", strict=strict)
    return Item(
        id=judged.id,
        group=group,
        kind=metric.value,
        question=query.conversation,
        instructions={**instructions, "guide": guide},
        blocks=tuple(_shown(metric, query, response, passages)),
        opinions=tuple(_blocks("judge", judged=judged)),
        inclusion_probability=drawn.inclusion_probability,
    )


def _shown(metric: Metric, query: Query, response: Response, passages: Passages) -> Iterator[Block]:
    """Yield the response and, except for the verdict, what it is compared with."""
    yield Block(title="Response", text=response.text, kind="response")
    if metric is Metric.VERDICT:
        return
    yield from _blocks(metric.value, query=query)
    expected = (name for chunks in expected_chunks(query) for name in sorted(chunks))
    yield from passages.blocks(query, expected, query.reference_answer or "")
    for number, context in enumerate(response.retrieved_contexts, 1):
        title = f"Retrieved {number}" + (f" ({context.id})" if context.id else "")
        yield Block(title=title, text=context.text, kind="context")
