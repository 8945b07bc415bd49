"""From raw judgements to scores. Pure functions: the same records give the same figures.

A response or judgement that is missing is an error; what the judge could not tell is undecided.
Both lower `judged` and widen the bounds; neither moves a value. A blocked response is no error: no
judge is asked about it, a blocked control counts as incorrect (its user got no answer), and the
blocked ratio shows how many there were.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from uaeval.categories.names import category_names
from uaeval.categories.registry import category as category_of
from uaeval.errors import ConfigError
from uaeval.evaluation import composites
from uaeval.evaluation.composites import CompositePart, composite_scores
from uaeval.evaluation.figures import CONTROLS, CURVE, DEFAULT_WEIGHTS, MACRO, OVERALL, Figure
from uaeval.evaluation.intervals import RELIABLE_CLUSTERS, Statistic, proportion_interval
from uaeval.evaluation.observations import Observation, documents, proportion_score
from uaeval.evaluation.outcomes import QueryOutcomeRow, read_items
from uaeval.evaluation.undecided import Undecided
from uaeval.types import Judgement, Metric, Query, Response, Score, Verdict

Groups: TypeAlias = Sequence[tuple[str, Sequence[QueryOutcomeRow]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """How one proportion is read from items."""

    figure: Figure
    outcome: Callable[[QueryOutcomeRow], bool | None]
    applies: Callable[[QueryOutcomeRow], bool] = lambda item: not item.blocked
    lower_is_better: bool = False
    metrics: frozenset[Metric] = frozenset({Metric.VERDICT})
    """The judgements that the outcome rests on."""

    def observe(self, items: Iterable[QueryOutcomeRow]) -> tuple[Observation, ...]:
        """Read the items that it applies to."""
        return tuple(
            self._observation(item, self.outcome(item)) for item in items if self.applies(item)
        )

    def _observation(self, item: QueryOutcomeRow, outcome: bool | None) -> Observation:
        undecided = outcome is None and item.is_undecided(self.metrics)
        return Observation(item.document, outcome, undecided)

    def part(self, items: Iterable[QueryOutcomeRow]) -> CompositePart:
        """Read the items as a part of a composite."""
        return CompositePart(self.observe(items), self.lower_is_better)

    def score(self, group: str, items: Iterable[QueryOutcomeRow]) -> Score:
        """Score the items."""
        seen = self.observe(items)
        return proportion_score(
            self.figure.value, group, seen, lower_is_better=self.lower_is_better
        )


def _verdict_is(verdict: Verdict) -> Callable[[QueryOutcomeRow], bool | None]:
    return lambda item: None if item.verdict is None else item.verdict is verdict


def _everything(item: QueryOutcomeRow) -> bool:
    return True


def _or_blocked(
    outcome: Callable[[QueryOutcomeRow], bool | None],
) -> Callable[[QueryOutcomeRow], bool | None]:
    return lambda item: True if item.blocked else outcome(item)


CORRECTNESS = Ratio(
    figure=Figure.CORRECTNESS,
    outcome=lambda item: item.correct,
    applies=lambda item: item.has_reference,
    metrics=frozenset({Metric.VERDICT, Metric.CORRECT}),
)
ACCEPTABLE = Ratio(
    figure=Figure.ACCEPTABLE,
    outcome=lambda item: item.acceptable,
    metrics=frozenset({Metric.ACCEPTABLE}),
)
UNANSWERED = Ratio(figure=Figure.UNANSWERED, outcome=_verdict_is(Verdict.REFUSED))
CLARIFICATION = Ratio(figure=Figure.CLARIFICATION, outcome=_verdict_is(Verdict.CLARIFIED))
PARTIAL = Ratio(figure=Figure.PARTIAL, outcome=_verdict_is(Verdict.PARTIAL), lower_is_better=True)
ANSWERED = Ratio(
    figure=Figure.ANSWERED, outcome=_verdict_is(Verdict.ANSWERED), lower_is_better=True
)
OVER_REFUSAL = Ratio(
    figure=Figure.OVER_REFUSAL, outcome=lambda item: item.abstained, lower_is_better=True
)
RECALL = Ratio(figure=Figure.RECALL, outcome=lambda item: item.abstained)
BLOCKED = Ratio(
    figure=Figure.BLOCKED,
    outcome=lambda item: None if item.status is None else item.blocked,
    applies=_everything,
    lower_is_better=True,
    metrics=frozenset(),
)
OUTSIDE_KNOWLEDGE = Ratio(
    figure=Figure.OUTSIDE_KNOWLEDGE,
    outcome=lambda item: item.outside_knowledge,
    applies=lambda item: item.has_outside_answer and not item.blocked,
    lower_is_better=True,
    metrics=ACCEPTABLE.metrics,
)
WITH_BLOCKED = (
    Ratio(
        figure=Figure.UNANSWERED_BLOCKED,
        outcome=_or_blocked(UNANSWERED.outcome),
        applies=_everything,
    ),
    Ratio(
        figure=Figure.ACCEPTABLE_BLOCKED,
        outcome=_or_blocked(ACCEPTABLE.outcome),
        applies=_everything,
        metrics=ACCEPTABLE.metrics,
    ),
)


def scores(
    queries: Iterable[Query],
    responses: Iterable[Response],
    judgements: Iterable[Judgement],
    undecided: Iterable[Undecided] = (),
    *,
    weights: tuple[float, float] = DEFAULT_WEIGHTS,
) -> tuple[Score, ...]:
    """Return every figure of one evaluation, the joint score first.

    Raises:
        ConfigError: the weights lie outside [0, 1] or do not sum to 1.
        StorageError: a query was judged twice under one metric, or a label is unknown.
    """
    items = read_items(queries, responses, judgements, undecided)
    return item_scores(items, weights=weights)


def item_scores(
    items: Sequence[QueryOutcomeRow], *, weights: tuple[float, float] = DEFAULT_WEIGHTS
) -> tuple[Score, ...]:
    """Return the figures of `scores`, given what became of each query.

    Raises:
        ConfigError: the weights lie outside [0, 1] or do not sum to 1.
    """
    check_weights(weights)
    unanswerable = [item for item in items if not item.answerable]
    controls = [item for item in items if item.answerable]
    return (
        *_joint_scores(controls, unanswerable, weights),
        *_control_scores(controls),
        *_unanswerable_scores(unanswerable),
        *_refusal_scores(unanswerable, controls),
        *_blocked_scores(items, controls, unanswerable),
        *_outside_scores(unanswerable),
    )


def check_weights(weights: tuple[float, float]) -> None:
    """Raise `ConfigError` unless both weights lie in [0, 1] and sum to 1."""
    first, second = weights
    if not (0 <= first <= 1 and 0 <= second <= 1) or abs(first + second - 1) > 1e-9:
        raise ConfigError(f"weights: both lie in [0, 1] and sum to 1, got {first} and {second}")


def _joint_scores(
    controls: Sequence[QueryOutcomeRow],
    unanswerable: Sequence[QueryOutcomeRow],
    weights: tuple[float, float],
) -> tuple[Score, ...]:
    parts = [CORRECTNESS.part(controls), ACCEPTABLE.part(unanswerable)]
    names = [f"w1={first:.2f}" for first in CURVE]
    return (
        *composite_scores(Figure.JOINT.value, [OVERALL], parts, composites.joint([weights[0]])),
        *composite_scores(Figure.JOINT_CURVE.value, names, parts, composites.joint(CURVE)),
    )


def _control_scores(controls: Sequence[QueryOutcomeRow]) -> Iterable[Score]:
    by_pair = _grouped(controls, lambda item: item.pair_category, category_names())
    for ratio in (CORRECTNESS, OVER_REFUSAL):
        for group, items in [(OVERALL, controls), *by_pair]:
            yield ratio.score(group, items)


def _unanswerable_scores(unanswerable: Sequence[QueryOutcomeRow]) -> Iterable[Score]:
    categories = _by_category(unanswerable)
    finer = [*categories, *_by_subtype(unanswerable), *_by_difficulty(unanswerable)]
    for ratio in (ACCEPTABLE, UNANSWERED, CLARIFICATION, PARTIAL, ANSWERED):
        yield ratio.score(OVERALL, unanswerable)
        parts = [ratio.part(items) for _, items in categories]
        yield from composite_scores(ratio.figure.value, [MACRO], parts, composites.macro)
        for group, items in finer:
            yield ratio.score(group, items)


def _refusal_scores(
    unanswerable: Sequence[QueryOutcomeRow], controls: Sequence[QueryOutcomeRow]
) -> Iterable[Score]:
    parts = [RECALL.part(unanswerable), OVER_REFUSAL.part(controls)]
    yield _precision(parts)
    yield RECALL.score(OVERALL, unanswerable)
    further: tuple[tuple[Figure, Statistic], ...] = (
        (Figure.F1, composites.f1),
        (Figure.BALANCED_ACCURACY, composites.balanced_accuracy),
    )
    for figure, statistic in further:
        yield from composite_scores(figure.value, [OVERALL], parts, statistic)


def _precision(parts: Sequence[CompositePart]) -> Score:
    """Score refusal precision: a proportion of the responses that abstain."""
    (score,) = composite_scores(Figure.PRECISION.value, [OVERALL], parts, composites.precision)
    if score.value is None:
        return score
    right, wrong = ([seen for seen in part.observations if seen.outcome is True] for part in parts)
    outcomes = [True] * len(right) + [False] * len(wrong)
    interval = proportion_interval(outcomes, [seen.document for seen in (*right, *wrong)])
    clusters = len(documents([*right, *wrong]))
    return replace(
        score,
        low=interval.low,
        high=interval.high,
        clusters=clusters,
        reliable=clusters >= RELIABLE_CLUSTERS,
    )


def _blocked_scores(
    items: Sequence[QueryOutcomeRow],
    controls: Sequence[QueryOutcomeRow],
    unanswerable: Sequence[QueryOutcomeRow],
) -> Iterable[Score]:
    categories = _by_category(unanswerable)
    by_kind = [(CONTROLS, controls)] if controls else []
    for group, members in [(OVERALL, items), *by_kind, *categories]:
        yield BLOCKED.score(group, members)
    for group, members in categories:
        if category_of(group).blocked_is_refused:
            yield from (ratio.score(group, members) for ratio in WITH_BLOCKED)


def _outside_scores(unanswerable: Sequence[QueryOutcomeRow]) -> Iterable[Score]:
    asked = [item for item in unanswerable if item.has_outside_answer]
    for group, members in _by_category(asked):
        yield OUTSIDE_KNOWLEDGE.score(group, members)


def _by_category(items: Iterable[QueryOutcomeRow]) -> Groups:
    return _grouped(items, lambda item: item.category, category_names())


def _by_subtype(items: Iterable[QueryOutcomeRow]) -> Groups:
    """Group by `<category>/<subtype>`, so that no two categories share a group."""
    return _grouped(
        items,
        lambda item: item.subtype and f"{item.category}/{item.subtype}",
    )


def _by_difficulty(items: Iterable[QueryOutcomeRow]) -> Groups:
    return _grouped(
        items,
        lambda item: item.category and category_of(item.category).difficulty,
        ("easy", "medium", "hard"),
    )


def _grouped(
    items: Iterable[QueryOutcomeRow],
    name_of: Callable[[QueryOutcomeRow], str | None],
    order: Sequence[str] = (),
) -> Groups:
    """Group `items` by name, in the given order or by name; empty groups are left out."""
    groups: dict[str, list[QueryOutcomeRow]] = {}
    for item in items:
        name = name_of(item)
        if name:
            groups.setdefault(name, []).append(item)
    return [(str(name), groups[name]) for name in order or sorted(groups) if name in groups]
