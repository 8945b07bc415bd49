"""The queries of a page as data: each query with its evidence and its outcome in each run."""

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
"""Most queries that a page lists; from a larger dataset, pairs are drawn at random."""


class Passages:
    """Collects passages by their text, and numbers them from 0."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        """Index the chunks by id."""
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._numbers: dict[str, int] = {}
        self.rows: list[Row] = []
        """Rows with `text`, and with `id` and `title` if they are known."""

    def of_chunks(self, chunk_ids: Iterable[str]) -> list[int]:
        """Return the numbers of the chunks, without those that the dataset no longer has."""
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
    """Return `value` without empty fields, with legible texts and rounded ratios."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: shown(part) for key, part in value.items() if part not in (None, [], "")}
    return [shown(part) for part in value] if isinstance(value, list | tuple) else value


def listed(queries: Sequence[Query], always: Set[str]) -> Sequence[Query]:
    """Return the queries that a page lists: all, or a sample of pairs and the ids in `always`."""
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
    """Return one row per query with its outcome in each of `runs`, and the passages.

    The field `flips` names the runs in which the query flipped, as `<right>-<wrong>` by index.
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
    rationales = [check.rationale for check in query.checks if check.name == "verifier"]
    kind = "twin" if query.pair_category else "control"
    return {
        "id": query.id,
        "pair": query.pair_id,
        "category": query.pair_category,
        "subtype": query.subtype,
        "kind": kind if query.answerable else "query",
        "question": query.conversation,
        "reason": query.reason,
        "reference": query.reference_answer,
        "outside": query.outside_answer,
        "verifier": " ".join(rationales),
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
    responses = {reply.query_id: reply for reply in run.stream_responses() if reply.query_id in ids}
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
    """Return descriptions of failed and blocked calls, by query id."""
    troubles = defaultdict[str, list[str]](list)
    for call in chain[Failure | Blocked](run.failures, run.blocked):
        problem = "was blocked by a content filter"
        if isinstance(call, Failure):
            problem = f"failed: {call.kind}"
        query_id = call.id if call.stage == "respond" else call.id.rpartition("/")[0]
        troubles[query_id].append(f"{call.stage} {problem}: {call.message}")
    return troubles
