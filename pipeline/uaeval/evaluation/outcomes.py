"""What became of each query: raw judgements read once, the rules about them applied once."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from uaeval.errors import StorageError
from uaeval.types import Judgement, Metric, Query, Response, ResponseStatus, Verdict

_YES_NO = {"yes": True, "no": False}
_WORD = re.compile(r"\w+")
_EMPTY_WORDS = frozenset("a an and are at by for from in is it of on or the to was were".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One query with what is known about its response; `None` is not known, never a default."""

    query: Query
    status: ResponseStatus | None
    """`None` when the system gave no response."""
    verdict: Verdict | None
    acceptable: bool | None
    judged_correct: bool | None
    """What the judge said of a control, before the rule about abstaining."""
    outside_knowledge: bool | None
    """Whether an unacceptable response gives the outside article's answer."""

    @property
    def document(self) -> str:
        """The document that the pair was written from."""
        return self.query.provenance.document_id

    @property
    def blocked(self) -> bool:
        """Whether a content filter answered instead of the system."""
        return self.status is ResponseStatus.BLOCKED

    @property
    def abstained(self) -> bool | None:
        """Whether the response refused or asked back."""
        return None if self.verdict is None else self.verdict is not Verdict.ANSWERED

    @property
    def correct(self) -> bool | None:
        """Whether a control was answered correctly.

        An abstained control is incorrect whatever the judge says, and so is a blocked one: its
        user got no answer. A `yes` counts only when the verdict is known.
        """
        if self.blocked or self.abstained or self.judged_correct is False:
            return False
        return None if self.abstained is None else self.judged_correct


def read_items(
    queries: Iterable[Query], responses: Iterable[Response], judgements: Iterable[Judgement]
) -> tuple[Item, ...]:
    """Join the three, in the order of `queries`. A judgement without its response is left out.

    Raises:
        StorageError: a query is there twice, was answered twice, or judged twice under one metric,
            or a label is unknown.
    """
    queries, responses = tuple(queries), tuple(responses)
    _once((query.id for query in queries), "is a query twice")
    _once((response.query_id for response in responses), "has two responses")
    by_query = {response.query_id: response for response in responses}
    labels: dict[tuple[str, Metric], Judgement] = {}
    for judgement in judgements:
        key = (judgement.query_id, judgement.metric)
        if key in labels:
            raise StorageError(f"judgement {judgement.id} is there twice; keep one of them")
        labels[key] = judgement
    return tuple(_item(query, by_query.get(query.id), labels) for query in queries)


def _once(ids: Iterable[str], problem: str) -> None:
    """Raise `StorageError` that names the first id that comes again."""
    seen = set[str]()
    for one in ids:
        if one in seen:
            raise StorageError(f"{one} {problem}; keep one of them")
        seen.add(one)


def _item(
    query: Query, response: Response | None, labels: Mapping[tuple[str, Metric], Judgement]
) -> Item:
    if response is None or response.status is ResponseStatus.BLOCKED:
        return Item(
            query=query,
            status=response.status if response else None,
            verdict=None,
            acceptable=None,
            judged_correct=None,
            outside_knowledge=None,
        )
    acceptable = _yes(labels.get((query.id, Metric.ACCEPTABLE)))
    return Item(
        query=query,
        status=response.status,
        verdict=_verdict(labels.get((query.id, Metric.VERDICT))),
        acceptable=acceptable,
        judged_correct=_yes(labels.get((query.id, Metric.CORRECT))),
        outside_knowledge=_outside_knowledge(query, response.text, acceptable),
    )


def _verdict(judgement: Judgement | None) -> Verdict | None:
    if judgement is None:
        return None
    try:
        return Verdict(judgement.label)
    except ValueError as error:
        raise _unknown_label(judgement, tuple(Verdict)) from error


def _yes(judgement: Judgement | None) -> bool | None:
    if judgement is None:
        return None
    if judgement.label not in _YES_NO:
        raise _unknown_label(judgement, tuple(_YES_NO))
    return _YES_NO[judgement.label]


def _unknown_label(judgement: Judgement, known: tuple[str, ...]) -> StorageError:
    return StorageError(
        f"judgement {judgement.id}: the label should be one of {', '.join(known)}, "
        f"got {judgement.label!r}"
    )


def _outside_knowledge(query: Query, text: str, acceptable: bool | None) -> bool | None:
    if query.outside_answer is None or acceptable is None:
        return None
    return not acceptable and states(text, query.outside_answer)


def states(text: str, answer: str) -> bool:
    """Say whether every word and number of `answer` that carries meaning stands in `text`."""
    wanted = _words(answer)
    content = wanted - _EMPTY_WORDS
    return bool(wanted) and (content if content else wanted) <= _words(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
