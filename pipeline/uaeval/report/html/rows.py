"""The queries of a page, as data: what was asked, what proves it, what became of it in each run."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Final, TypeAlias

from uaeval.evaluation.compare import ChangedOutcome
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.judging.judge import UNDECIDED_LABEL, Undecided
from uaeval.evaluation.metrics.attribution import METRIC as ATTRIBUTION
from uaeval.records import Blocked, Chunk, Context, Failure, Judgement, Query
from uaeval.report.outcome import outcome
from uaeval.report.text import legible
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal

Row: TypeAlias = dict[str, object]
LISTED: Final = 2_000
"""Queries that a page lists; of more, pairs drawn at random."""


class Passages:
    """Collects passages by their text, and numbers them from 0."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        """Take the chunks that may be referred to by id."""
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._numbers: dict[str, int] = {}
        self.rows: list[Row] = []
        """`text`, and where they are known `id` and `title`."""

    def of_chunks(self, chunk_ids: Iterable[str]) -> list[int]:
        """Return the numbers of the chunks that the dataset still holds."""
        chunks = (self._chunks.get(chunk_id) for chunk_id in chunk_ids)
        return [self._number(chunk.text, chunk.id, chunk) for chunk in chunks if chunk]

    def of_context(self, context: Context) -> int:
        """Return the number of a passage that a system retrieved."""
        chunk = self._chunks.get(context.id or "")
        same = chunk is not None and chunk.text == context.text
        return self._number(context.text, context.id, chunk if same else None)

    def _number(self, text: str, name: str | None, chunk: Chunk | None) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.rows)
            title = " › ".join(filter(None, (chunk.title, chunk.heading))) if chunk else None
            self.rows.append({"text": text, "id": name, "title": title})
        return self._numbers[text]


def shown(value: object) -> object:
    """Return `value` without the keys of nothing, its texts legible and its ratios rounded."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: shown(part) for key, part in value.items() if part not in (None, [], "")}
    return [shown(part) for part in value] if isinstance(value, list | tuple) else value


def listed(queries: Sequence[Query], always: Set[str]) -> Sequence[Query]:
    """Return the queries that a page lists: all, or a sample of pairs and those of `always`."""
    if len(queries) <= LISTED:
        return queries
    pairs = list(dict.fromkeys(map(_pair, queries)))
    drawn = set(random.Random(0).sample(pairs, LISTED // 2))
    return [query for query in queries if _pair(query) in drawn or query.id in always]


def _pair(query: Query) -> str:
    return min(query.id, query.pair_id or query.id)


def query_rows(
    dataset: RunFolder,
    queries: Sequence[Query],
    runs: Sequence[Evaluation],
    flips: Iterable[ChangedOutcome],
) -> dict[str, list[Row]]:
    """Return one row for each query, in their order, with each of `runs` in turn, and passages.

    `flips` names the runs that a query tells apart, as `<good>-<bad>`, by their place.
    """
    path = dataset.chunks_path
    passages = Passages(stream_journal(path, Chunk) if path.exists() else ())
    place = {run.name: number for number, run in enumerate(runs)}
    flipped = defaultdict[str, list[str]](list)
    for flip in flips:
        flipped[flip.query_id].append(f"{place[flip.good]}-{place[flip.bad]}")
    ids = {query.id for query in queries}
    results = [_outcomes(run, ids, passages) for run in runs]
    rows = [
        {
            **_query_row(query, passages),
            "flips": flipped.get(query.id),
            "runs": [outcomes[query.id] for outcomes in results],
        }
        for query in queries
    ]
    return {"queries": rows, "passages": passages.rows}


def _query_row(query: Query, passages: Passages) -> Row:
    said = [check.rationale for check in query.checks if check.name == "verifier"]
    own = "twin" if query.pair_category else "control"
    return {
        "id": query.id,
        "pair": query.pair_id,
        "category": query.pair_category,
        "subtype": query.subtype,
        "kind": own if query.answerable else "query",
        "question": query.conversation,
        "reason": query.reason,
        "reference": query.reference_answer,
        "outside": query.outside_answer,
        "verifier": " ".join(said),
        "document": query.provenance.document_id,
        "evidence": [
            {
                "claim": evidence.claim,
                "outcome": evidence.outcome.value,
                "supports": passages.of_chunks(evidence.supports),
                "contradicts": passages.of_chunks(evidence.contradicts),
                "silent": len(evidence.silent),
            }
            for evidence in query.evidence
        ],
        "readings": [
            {
                "question": reading.question,
                "answer": reading.answer,
                "passage": next(iter(passages.of_chunks([reading.chunk_id])), None),
            }
            for reading in query.readings
        ],
    }


def _outcomes(run: Evaluation, ids: Set[str], passages: Passages) -> dict[str, Row]:
    responses = {each.query_id: each for each in run.stream_responses() if each.query_id in ids}
    judged = defaultdict[str, list[Row]](list)
    for judgement in chain[Judgement | Undecided](run.stream_judgements(), run.undecided):
        if judgement.query_id not in ids:
            continue
        judged[judgement.query_id].append(
            {
                "metric": judgement.metric.value,
                "rationale": judgement.rationale,
                "label": getattr(judgement, "label", UNDECIDED_LABEL),
                "votes": getattr(judgement, "votes", None),
            }
        )
    faults = {record.query_id: record for record in run.records(ATTRIBUTION)}
    troubles = _troubles(run)
    rows = dict[str, Row]()
    for item in (item for item in run.items if item.query_id in ids):
        response, fault = responses.get(item.query_id), faults.get(item.query_id)
        contexts = response.retrieved_contexts if response else ()
        rows[item.query_id] = {
            "outcome": outcome(item),
            "verdict": item.verdict and item.verdict.value,
            "text": response and response.text,
            "contexts": [passages.of_context(context) for context in contexts],
            "latency": response and response.latency_s,
            "judged": judged[item.query_id],
            "fault": fault and fault.fault.value,
            "why": fault and fault.rationale,
            "troubles": troubles.get(item.query_id),
        }
    return rows


def _troubles(run: Evaluation) -> Mapping[str, list[str]]:
    """Return which calls failed or were blocked, by query."""
    troubles = defaultdict[str, list[str]](list)
    for each in chain[Failure | Blocked](run.failures, run.blocked):
        what = "was blocked by a content filter"
        if isinstance(each, Failure):
            what = f"failed: {each.kind}"
        query_id = each.id if each.stage == "respond" else each.id.rpartition("/")[0]
        troubles[query_id].append(f"{each.stage} {what}: {each.message}")
    return troubles
