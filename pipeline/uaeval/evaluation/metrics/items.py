"""Join queries, responses and judgements to the outcome of each query."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from sys import intern
from typing import Any

from uaeval.errors import StorageError
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.metrics.outcomes import FIELDS, LABELS, QueryOutcomeRow
from uaeval.records import Judgement, Query, Response, ResponseStatus

_EMPTY_WORDS = frozenset("a an and are at by for from in is it of on or the to was were".split())


def read_items(
    queries: Iterable[Query],
    responses: Iterable[Response],
    judgements: Iterable[Judgement],
    undecided: Iterable[Undecided] = (),
    *,
    where: str = "",
) -> tuple[QueryOutcomeRow, ...]:
    """Join queries, responses and judgements; leave out judgements without a response.

    The iterables are read once, and their records are not kept. Raise `StorageError`, whose message
    begins with `where`, if a record occurs twice, or a query or label is unknown.
    """
    items, outside_answers = dict[str, QueryOutcomeRow](), dict[str, str]()
    for query in queries:
        if query.id in items:
            raise StorageError(f"{where}duplicate query id {query.id!r}; keep one of them")
        items[query.id] = QueryOutcomeRow(
            query_id=query.id,
            document=intern(query.provenance.document_id),
            category=query.category,
            subtype=None if query.subtype is None else intern(query.subtype),
            pair_category=query.pair_category,
            has_reference=query.reference_answer is not None,
            has_outside_answer=query.outside_answer is not None,
        )
        if query.outside_answer is not None:
            outside_answers[query.id] = query.outside_answer
    for response in responses:
        item = _row(items, response, where)
        if item.status is not None:
            raise StorageError(f"{where}{item.query_id} has two responses; keep one of them")
        item = replace(item, status=response.status)
        if item.has_outside_answer and not item.blocked:
            stated = states(response.text, outside_answers[item.query_id])
            item = replace(item, states_outside=stated)
        items[item.query_id] = item
    left_out = set[str]()
    for judgement in chain[Judgement | Undecided](judgements, undecided):
        item = _row(items, judgement, where)
        items[item.query_id] = _judged(item, judgement, left_out, where)
    return tuple(items.values())


def _row(
    items: Mapping[str, QueryOutcomeRow], record: Response | Judgement | Undecided, where: str
) -> QueryOutcomeRow:
    if record.query_id not in items:
        remedy = "if the dataset was written again, evaluate it under another --name"
        raise StorageError(f"{where}{record.query_id} is not a query of the dataset; {remedy}")
    return items[record.query_id]


def _judged(
    item: QueryOutcomeRow, judgement: Judgement | Undecided, left_out: set[str], where: str
) -> QueryOutcomeRow:
    metric, field = judgement.metric, FIELDS[judgement.metric]
    known = metric in item.undecided or getattr(item, field) is not None
    if known or judgement.id in left_out:
        raise StorageError(f"{where}judgement {judgement.id} occurs twice; keep one of them")
    if item.status is not ResponseStatus.OK:
        left_out.add(judgement.id)
        return item
    if isinstance(judgement, Undecided):
        return replace(item, undecided=item.undecided | {metric})
    if judgement.label not in (labels := LABELS[metric]):
        allowed = f"the label should be one of {', '.join(labels)}, got {judgement.label!r}"
        raise StorageError(f"{where}judgement {judgement.id}: {allowed}")
    values: dict[str, Any] = {field: labels[judgement.label]}
    return replace(item, **values)


def states(text: str, answer: str) -> bool:
    """Return whether `text` contains every content word and number of `answer`."""
    answer_words = _words(answer)
    content_words = answer_words - _EMPTY_WORDS
    return bool(answer_words) and (content_words or answer_words) <= _words(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
