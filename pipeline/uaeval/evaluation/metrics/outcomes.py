"""What became of each query: raw judgements read once, the rules about them applied once."""

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
"""The labels that a judge can give, and their values."""
_FIELDS: Final = {
    Metric.VERDICT: "verdict",
    Metric.ACCEPTABLE: "acceptable",
    Metric.CORRECT: "judged_correct",
}
_WORD = re.compile(r"\w+")
_EMPTY_WORDS = frozenset("a an and are at by for from in is it of on or the to was were".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryOutcomeRow:
    """What scoring goes by: one query and what is known about its response.

    `None` is not known, never a default. There are as many as queries, so no texts are held.
    """

    query_id: str
    document: str
    """The document that the pair was written from."""
    category: Category | None
    """`None` for an answerable twin."""
    subtype: str | None
    pair_category: Category | None
    """The category of the pair's unanswerable half."""
    has_reference: bool
    """Whether there is an answer to hold the response against."""
    has_outside_answer: bool
    """Whether an outside article answers the query."""
    status: ResponseStatus | None = None
    """`None` when the system gave no response."""
    verdict: Verdict | None = None
    acceptable: bool | None = None
    judged_correct: bool | None = None
    """What the judge said of a control, before the rule about abstaining."""
    states_outside: bool | None = None
    """Whether the response states the outside article's answer."""
    undecided: frozenset[Metric] = frozenset()
    """What the judge could not tell."""

    @property
    def answerable(self) -> bool:
        """Whether the system under test should answer the query."""
        return self.category is None

    @property
    def outside_knowledge(self) -> bool | None:
        """Whether an unacceptable response gives the outside article's answer."""
        if self.states_outside is None or self.acceptable is None:
            return None
        return self.states_outside and not self.acceptable

    @property
    def blocked(self) -> bool:
        """Whether a content filter answered instead of the system."""
        return self.status is ResponseStatus.BLOCKED

    @property
    def unblocked(self) -> bool:
        """Whether no content filter answered."""
        return not self.blocked

    @property
    def stopped(self) -> bool | None:
        """Whether a content filter answered; `None` if nothing came."""
        return None if self.status is None else self.blocked

    @property
    def abstained(self) -> bool | None:
        """Whether the response refused or asked back."""
        return None if self.verdict is None else self.verdict in _ABSTAINED

    @property
    def correct(self) -> bool | None:
        """Whether a control was answered correctly.

        An abstained control is incorrect whatever the judge says, and so is a blocked one: its
        user got no answer. A `yes` counts only when the verdict is known.
        """
        if self.blocked or self.abstained or self.judged_correct is False:
            return False
        return None if self.abstained is None else self.judged_correct

    def label(self, metric: Metric) -> str | None:
        """Return the judge's label under `metric`; `None` if it gave none."""
        value = getattr(self, _FIELDS[metric])
        return next((label for label, of in LABELS[metric].items() if of == value), None)

    def is_undecided(self, metrics: Set[Metric]) -> bool:
        """Return whether of `metrics` some are unknown, and the judge could not tell any of them.

        Where one of them is an error, asking again may tell, so the whole is an error.
        """
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
    """Join them, in the order of `queries`. A judgement without its response is left out.

    Each is gone through once, one after the other, and no record is held. `where` begins the
    messages of errors.

    Raises:
        StorageError: a query is there twice, was answered twice, or judged twice under one metric,
            or a label is unknown.
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
    said: Iterable[Judgement | Undecided] = chain(judgements, undecided)
    for judgement in said:
        item = _row(items, judgement, where)
        items[item.query_id] = _judged(item, judgement, left_out, where)
    return tuple(items.values())


def _row(
    items: Mapping[str, QueryOutcomeRow],
    record: Response | Judgement | Undecided,
    where: str,
) -> QueryOutcomeRow:
    if record.query_id not in items:
        raise StorageError(
            f"{where}{record.query_id} is not a query of the dataset; if the dataset was written "
            "again, evaluate it under another --name"
        )
    return items[record.query_id]


def _judged(
    item: QueryOutcomeRow, judgement: Judgement | Undecided, left_out: set[str], where: str
) -> QueryOutcomeRow:
    metric, field = judgement.metric, _FIELDS[judgement.metric]
    known = metric in item.undecided or getattr(item, field) is not None
    if known or judgement.id in left_out:
        raise StorageError(f"{where}judgement {judgement.id} is there twice; keep one of them")
    if item.status is not ResponseStatus.OK:
        left_out.add(judgement.id)
        return item
    if isinstance(judgement, Undecided):
        return replace(item, undecided=item.undecided | {metric})
    labels = LABELS[metric]
    if judgement.label not in labels:
        raise StorageError(
            f"{where}judgement {judgement.id}: the label should be one of {', '.join(labels)}, "
            f"got {judgement.label!r}"
        )
    values: dict[str, Any] = {field: labels[judgement.label]}
    return replace(item, **values)


def states(text: str, answer: str) -> bool:
    """Return whether every word and number of `answer` that carries meaning stands in `text`."""
    wanted = _words(answer)
    content = wanted - _EMPTY_WORDS
    return bool(wanted) and (content if content else wanted) <= _words(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
