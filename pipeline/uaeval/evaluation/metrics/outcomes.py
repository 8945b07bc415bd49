"""The outcome of each query, from its response and its judgements."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from itertools import chain
from sys import intern
from typing import Any, Final

from uaeval.errors import StorageError
from uaeval.evaluation.judging.judge import Undecided
from uaeval.records import Category, Judgement, Metric, Query, Response, ResponseStatus, Verdict

_ABSTAINED = frozenset({Verdict.REFUSED, Verdict.CLARIFIED})
_YES_NO = {"yes": True, "no": False}
LABELS: Final[Mapping[Metric, Mapping[str, Verdict | bool]]] = {
    Metric.VERDICT: {verdict.value: verdict for verdict in Verdict},
    Metric.ACCEPTABLE: _YES_NO,
    Metric.CORRECT: _YES_NO,
}
"""The values of a judge's labels, by metric and label."""
_FIELDS: Final = {
    Metric.VERDICT: "verdict",
    Metric.ACCEPTABLE: "acceptable",
    Metric.CORRECT: "judged_correct",
}
_EMPTY_WORDS = frozenset("a an and are at by for from in is it of on or the to was were".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryOutcomeRow:
    """The input of scoring: one query and the labels of its response.

    `None` means unknown, never a default. No texts are kept, to save memory.
    """

    query_id: str
    document: str
    """The document that the pair was written from."""
    category: Category | None
    """`None` for an answerable twin."""
    subtype: str | None
    pair_category: Category | None
    """Category of the pair's unanswerable query."""
    has_reference: bool
    has_outside_answer: bool
    status: ResponseStatus | None = None
    """`None` if there is no response."""
    verdict: Verdict | None = None
    acceptable: bool | None = None
    judged_correct: bool | None = None
    """The judge's label of a control; see `correct` for the rule about abstention."""
    states_outside: bool | None = None
    """Whether the response contains the outside article's answer."""
    undecided: frozenset[Metric] = frozenset()
    """The metrics that the judge could not decide."""

    @property
    def answerable(self) -> bool:
        """Whether the system under test should answer the query."""
        return self.category is None

    @property
    def outside_knowledge(self) -> bool | None:
        """Whether the response is unacceptable and contains the outside article's answer."""
        if self.states_outside is None or self.acceptable is None:
            return None
        return self.states_outside and not self.acceptable

    @property
    def blocked(self) -> bool | None:
        """Whether a content filter blocked the response; `None` if there is no response."""
        return None if self.status is None else self.status is ResponseStatus.BLOCKED

    @property
    def unblocked(self) -> bool:
        """Whether no content filter blocked the response."""
        return not self.blocked

    @property
    def abstained(self) -> bool | None:
        """Whether the response refused or asked for clarification."""
        return None if self.verdict is None else self.verdict in _ABSTAINED

    @property
    def correct(self) -> bool | None:
        """Whether a control was answered correctly.

        An abstention or a blocked response is incorrect whatever the judge's label, because the
        user got no answer. A `yes` counts only if the verdict is known.
        """
        if self.blocked or self.abstained or self.judged_correct is False:
            return False
        return None if self.abstained is None else self.judged_correct

    def label(self, metric: Metric) -> str | None:
        """Return the judge's label under `metric`; `None` if there is none."""
        value = getattr(self, _FIELDS[metric])
        return next((label for label, of in LABELS[metric].items() if of == value), None)

    def is_undecided(self, metrics: Set[Metric]) -> bool:
        """Return whether some of `metrics` are unknown, and all of these undecided, not errors."""
        unknown = {metric for metric in metrics if getattr(self, _FIELDS[metric]) is None}
        return bool(unknown) and unknown <= self.undecided


def read_items(
    queries: Iterable[Query],
    responses: Iterable[Response],
    judgements: Iterable[Judgement],
    undecided: Iterable[Undecided] = (),
    *,
    where: str = "",
) -> tuple[QueryOutcomeRow, ...]:
    """Join queries, responses and judgements; leave out judgements without a response.

    The iterables are read once, and their records are not kept. `where` begins error messages.

    Raises:
        StorageError: a record occurs twice, or a query or label is unknown.
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
    metric, field = judgement.metric, _FIELDS[judgement.metric]
    known = metric in item.undecided or getattr(item, field) is not None
    if known or judgement.id in left_out:
        raise StorageError(f"{where}judgement {judgement.id} occurs twice; keep one of them")
    if item.status is not ResponseStatus.OK:
        left_out.add(judgement.id)
        return item
    if isinstance(judgement, Undecided):
        return replace(item, undecided=item.undecided | {metric})
    labels = LABELS[metric]
    if judgement.label not in labels:
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
