"""The queries of a page, as data: what was asked, what proves it, what became of it in each run.

What is unknown or empty is left out of a row. Every text is spelled out where it would hide or
reorder; the page sets all of them as text.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from uaeval.evaluation.flips import ChangedOutcome
from uaeval.evaluation.judging.judge import UNDECIDED_LABEL, Undecided
from uaeval.evaluation.metrics.attribution import METRIC as ATTRIBUTION
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.spec import Ratio
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS, OVER_REFUSAL
from uaeval.report.reading import ReportData
from uaeval.report.text import legible
from uaeval.types import Blocked, Chunk, Context, Evidence, Failure, Judgement, Query, Response


class Passages:
    """Collects passages by their text, and numbers them from 0."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        """Take the chunks that may be referred to by id."""
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._numbers: dict[str, int] = {}
        self.rows: list[dict[str, str]] = []
        """`text`, and where they are known `id` and `title`; as they are to be shown."""

    def of_chunk(self, chunk_id: str) -> int | None:
        """Return the number of a chunk; `None` if the dataset does not hold it any more."""
        chunk = self._chunks.get(chunk_id)
        return None if chunk is None else self._number(chunk.text, chunk_id, _title(chunk))

    def of_context(self, context: Context) -> int:
        """Return the number of a passage that a system retrieved."""
        chunk = self._chunks.get(context.id or "")
        if chunk is not None and chunk.text == context.text:
            return self._number(chunk.text, chunk.id, _title(chunk))
        return self._number(context.text, context.id or "", "")

    def _number(self, text: str, name: str, title: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.rows)
            row = {"text": text, "id": name, "title": title}
            self.rows.append({key: legible(value) for key, value in row.items() if value})
        return self._numbers[text]


def _title(chunk: Chunk) -> str:
    return " › ".join(part for part in (chunk.title, chunk.heading) if part)


Row: TypeAlias = dict[str, object]


def query_rows(
    runs: Sequence[ReportData], flips: Iterable[ChangedOutcome], passages: Passages
) -> list[Row]:
    """Return one row for each query, in the order of the dataset, with each of `runs` in turn."""
    flipped = _flipped(runs, flips)
    became = [_outcomes(run, passages) for run in runs]
    return [
        _known(
            {
                **_query_row(query, passages),
                "flips": flipped.get(query.id),
                "runs": [outcomes[query.id] for outcomes in became],
            }
        )
        for query in runs[0].evaluation.queries
    ]


def _flipped(
    runs: Sequence[ReportData], flips: Iterable[ChangedOutcome]
) -> Mapping[str, list[str]]:
    """Name by query the runs that it tells apart, as `<good>-<bad>`, by their place."""
    place = {run.name: str(number) for number, run in enumerate(runs)}
    found = defaultdict[str, list[str]](list)
    for flip in flips:
        found[flip.query_id].append(f"{place[flip.good]}-{place[flip.bad]}")
    return found


def _query_row(query: Query, passages: Passages) -> Row:
    said = [check.rationale for check in query.checks if check.name == "verifier"]
    texts = {
        "id": query.id,
        "pair": query.pair_id,
        "subtype": query.subtype,
        "question": query.question,
        "reason": query.reason,
        "reference": query.reference_answer,
        "outside": query.outside_answer,
        "verifier": " ".join(said),
        "document": query.provenance.document_id,
    }
    return {
        **{name: legible(text) for name, text in texts.items() if text},
        **({"category": query.pair_category} if query.pair_category else {}),
        "kind": _kind(query),
        "evidence": [_evidence_row(one, passages) for one in query.evidence],
        "readings": [
            _known(
                {
                    "question": legible(one.question),
                    "answer": legible(one.answer),
                    "passage": passages.of_chunk(one.chunk_id),
                }
            )
            for one in query.readings
        ],
    }


def _kind(query: Query) -> str:
    """Tell a query from the twin of one, and both from a control of the user's own."""
    if not query.answerable:
        return "query"
    return "twin" if query.pair_category else "control"


def _evidence_row(evidence: Evidence, passages: Passages) -> Row:
    return _known(
        {
            "claim": legible(evidence.claim),
            "outcome": evidence.outcome.value,
            "supports": _numbers(evidence.supports, passages),
            "contradicts": _numbers(evidence.contradicts, passages),
            "silent": len(evidence.silent),
        }
    )


def _numbers(chunk_ids: Iterable[str], passages: Passages) -> list[int]:
    found = (passages.of_chunk(chunk_id) for chunk_id in chunk_ids)
    return [number for number in found if number is not None]


def _outcomes(run: ReportData, passages: Passages) -> dict[str, Row]:
    responses = {one.query_id: one for one in run.evaluation.responses}
    judged = defaultdict[str, list[Judgement | Undecided]](list)
    said = chain[Judgement | Undecided](run.evaluation.judgements, run.evaluation.undecided)
    for judgement in said:
        judged[judgement.query_id].append(judgement)
    further = run.evaluation.further
    faults = {one.query_id: one for one in (further.of(ATTRIBUTION) if further else ())}
    troubles = _troubles(run)
    rows = {}
    for item in run.recorded.items:
        name = item.query_id
        fault = faults.get(name)
        rows[name] = _known(
            {
                "outcome": outcome(item),
                "verdict": item.verdict.value if item.verdict else None,
                **_response_row(responses.get(name), passages),
                "judged": [_judgement_row(one) for one in judged[name]],
                "fault": fault.fault.value if fault else None,
                "why": legible(fault.rationale) if fault else None,
                "troubles": troubles.get(name),
            }
        )
    return rows


def outcome(item: QueryOutcomeRow) -> str:
    """Return what became of a query in a word; what is not judged is an error, or undecided."""
    if item.blocked:
        return "blocked"
    if not item.answerable:
        return _named(ACCEPTABLE, item, "acceptable", "unacceptable")
    if item.abstained:
        return "over-refused"
    if item.has_reference:
        return _named(CORRECTNESS, item, "correct", "incorrect")
    if item.verdict:
        return item.verdict.value
    return _not_judged(OVER_REFUSAL, item)


def _named(ratio: Ratio, item: QueryOutcomeRow, yes: str, no: str) -> str:
    holds = ratio.outcome(item)
    if holds is None:
        return _not_judged(ratio, item)
    return yes if holds else no


def _not_judged(ratio: Ratio, item: QueryOutcomeRow) -> str:
    return UNDECIDED_LABEL if item.is_undecided(ratio.basis) else "error"


def _response_row(response: Response | None, passages: Passages) -> Row:
    if response is None:
        return {}
    return {
        "text": legible(response.text),
        "contexts": [passages.of_context(context) for context in response.retrieved_contexts],
        "latency": response.latency_s,
    }


def _judgement_row(judgement: Judgement | Undecided) -> Row:
    row = {"metric": judgement.metric.value, "rationale": legible(judgement.rationale)}
    if isinstance(judgement, Undecided):
        return {**row, "label": UNDECIDED_LABEL}
    return _known({**row, "label": legible(judgement.label), "votes": judgement.votes})


def _troubles(run: ReportData) -> Mapping[str, list[str]]:
    """Return which calls failed or were blocked, by query."""
    troubles = defaultdict[str, list[str]](list)
    for failure in run.evaluation.failures:
        message = f"{failure.stage} failed: {failure.kind}: {failure.message}"
        troubles[_asked(failure)].append(legible(message))
    for blocked in run.evaluation.blocked:
        message = f"{blocked.stage} was blocked by a content filter: {blocked.message}"
        troubles[_asked(blocked)].append(legible(message))
    return troubles


def _asked(record: Failure | Blocked) -> str:
    """Return the id of the query that a call was about."""
    return record.id if record.stage == "respond" else record.id.rpartition("/")[0]


def _known(row: Row) -> Row:
    return {name: value for name, value in row.items() if value not in (None, [], "", {})}
