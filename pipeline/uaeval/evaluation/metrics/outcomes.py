"""The outcome of a query: the status of its response, and the judge's labels."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Final

from uaeval.records import Category, Metric, ResponseStatus, Verdict

_ABSTAINED = frozenset({Verdict.REFUSED, Verdict.CLARIFIED})
_YES_NO = {"yes": True, "no": False}
LABELS: Final[Mapping[Metric, Mapping[str, Verdict | bool]]] = {
    Metric.VERDICT: {verdict.value: verdict for verdict in Verdict},
    Metric.ACCEPTABLE: _YES_NO,
    Metric.CORRECT: _YES_NO,
}
"""The values of a judge's labels, by metric and label."""
FIELDS: Final = {
    Metric.VERDICT: "verdict",
    Metric.ACCEPTABLE: "acceptable",
    Metric.CORRECT: "judged_correct",
}
"""The fields of a row that hold the judge's labels, by metric."""


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
        value = getattr(self, FIELDS[metric])
        return next((label for label, of in LABELS[metric].items() if of == value), None)

    def is_undecided(self, metrics: Set[Metric]) -> bool:
        """Return whether some of `metrics` are unknown, and all of these undecided, not errors."""
        unknown = {metric for metric in metrics if getattr(self, FIELDS[metric]) is None}
        return bool(unknown) and unknown <= self.undecided
