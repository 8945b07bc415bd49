"""Holding scores to limits, so that a pipeline can stop a system that got worse."""

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.config import DEFAULT_COVERAGE
from uaeval.errors import ConfigError
from uaeval.evaluation.figures import CONTROLS, MACRO, OVERALL, Figure
from uaeval.types import Score

_SHORT: Mapping[str, Figure] = MappingProxyType(
    {
        "joint": Figure.JOINT,
        "acceptable": Figure.ACCEPTABLE,
        "unanswered": Figure.UNANSWERED,
        "clarification": Figure.CLARIFICATION,
        "partial": Figure.PARTIAL,
        "answered": Figure.ANSWERED,
        "over_refusal": Figure.OVER_REFUSAL,
        "precision": Figure.PRECISION,
        "recall": Figure.RECALL,
        "f1": Figure.F1,
        "blocked": Figure.BLOCKED,
        "outside_knowledge": Figure.OUTSIDE_KNOWLEDGE,
    }
)
_LOWER_IS_BETTER: Final = frozenset(
    {
        Figure.OVER_REFUSAL,
        Figure.PARTIAL,
        Figure.ANSWERED,
        Figure.BLOCKED,
        Figure.OUTSIDE_KNOWLEDGE,
    }
)
_ROUNDING: Final = 1e-9
_DIFFICULTIES: Final = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One figure and the value that it is held to."""

    written: str
    """As the user wrote it: `acceptable.underspecified=0.6`."""
    figure: Figure
    group: str
    bound: float
    upper: bool
    """Whether the figure has to stay at or below the bound, instead of at or above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What has to hold."""

    limits: tuple[Limit, ...]
    lower_end: bool = False
    """Whether the worse end of the interval counts instead of the value."""
    min_coverage: float = DEFAULT_COVERAGE

    def __post_init__(self) -> None:
        if not 0 <= self.min_coverage <= 1:
            raise ConfigError(f"min_coverage should lie in [0, 1], got {self.min_coverage:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What became of one limit."""

    limit: Limit
    passed: bool
    told: str
    """What was found, in one sentence."""


def read_limits(under: Iterable[str], over: Iterable[str] = ()) -> tuple[Limit, ...]:
    """Read limits written `figure=bound` or `figure.group=bound`.

    Args:
        under: The gate fails where the figure lies under the bound.
        over: The gate fails where it lies over the bound.

    Raises:
        ConfigError: a figure or group is unknown, a bound is no number in [0, 1], or the figure is
            better the lower (or the higher) it is.
    """
    limits = [_limit(text, upper=False) for text in under]
    limits += [_limit(text, upper=True) for text in over]
    for limit in limits:
        if limit.upper != (limit.figure in _LOWER_IS_BETTER):
            fits = (
                "higher it is; use --fail-under" if limit.upper else "lower it is; use --fail-over"
            )
            raise ConfigError(f"{limit.written}: {limit.figure} is better the {fits}")
    return tuple(limits)


def check_gate(gate: Gate, scores: Sequence[Score]) -> tuple[Check, ...]:
    """Hold `scores` to each limit; a figure without value, or that covers too little, fails."""
    return tuple(_check(limit, scores, gate) for limit in gate.limits)


def _check(limit: Limit, scores: Sequence[Score], gate: Gate) -> Check:
    groups = {score.group: score for score in scores if score.metric == limit.figure.value}
    score = groups.get(limit.group)
    if score is None:
        return Check(limit=limit, passed=False, told=_absent(limit, tuple(groups)))
    place = f"{limit.figure} {limit.group}" if limit.group != OVERALL else limit.figure.value
    held = _held(score, limit, gate)
    if held is None:
        return Check(limit=limit, passed=False, told=f"{place} has no value: nothing was judged")
    kind = "value" if not gate.lower_end else "upper end" if limit.upper else "lower end"
    wanted = "at most" if limit.upper else "at least"
    told = f"{place}: {kind} {held:.4f}, wanted {wanted} {limit.bound:g}"
    covered = score.judged / score.n if score.n else 0.0
    if covered < gate.min_coverage:
        told += f"; coverage {covered:.4f}, wanted at least {gate.min_coverage:g}"
    passed = _holds(held, limit) and covered >= gate.min_coverage
    if gate.lower_end and not score.reliable:
        told += f"; the interval is unreliable, it rests on {score.clusters} documents"
    return Check(limit=limit, passed=passed, told=told)


def _absent(limit: Limit, groups: Sequence[str]) -> str:
    if not groups:
        return f"this evaluation has no {limit.figure}"
    shown = ", ".join(group for group in groups if "/" not in group)
    return f"{limit.figure} has no group {limit.group} in this evaluation; it has {shown}"


def _held(score: Score, limit: Limit, gate: Gate) -> float | None:
    if not gate.lower_end:
        return score.value
    return score.high if limit.upper else score.low


def _holds(held: float, limit: Limit) -> bool:
    if limit.upper:
        return held <= limit.bound + _ROUNDING
    return held >= limit.bound - _ROUNDING


def _limit(text: str, *, upper: bool) -> Limit:
    name, equals, number = text.partition("=")
    written, _, group = name.strip().partition(".")
    if not equals:
        raise ConfigError(f"{text!r}: write figure=bound or figure.group=bound, as in joint=0.75")
    figure = _figure(written)
    return Limit(
        written=text,
        figure=figure,
        group=_group(group) if group else _default_group(figure),
        bound=_bound(text, number),
        upper=upper,
    )


def _default_group(figure: Figure) -> str:
    """Return the group that is meant if none is named: the first category that has the figure."""
    match figure:
        case Figure.OUTSIDE_KNOWLEDGE:
            return next(spec.name for spec in categories() if spec.outside)
        case Figure.UNANSWERED_BLOCKED | Figure.ACCEPTABLE_BLOCKED:
            return next(spec.name for spec in categories() if spec.blocked_is_refused)
        case _:
            return OVERALL


def _bound(text: str, number: str) -> float:
    try:
        bound = float(number)
    except ValueError:
        bound = math.nan
    if not 0 <= bound <= 1:
        raise ConfigError(f"{text!r}: the bound should be a number from 0 to 1, got {number!r}")
    return bound


def _figure(name: str) -> Figure:
    known: dict[str, Figure] = {**_SHORT} | {
        figure.value: figure for figure in Figure if figure is not Figure.JOINT_CURVE
    }
    if name not in known:
        raise ConfigError(_unknown("figure", name, known))
    return known[name]


def _group(name: str) -> str:
    subtypes = [f"{spec.name}/{kind}" for spec in categories() for kind in spec.subtypes]
    known = [*category_names(), OVERALL, MACRO, CONTROLS, *_DIFFICULTIES, *subtypes]
    if name not in known:
        raise ConfigError(_unknown("group", name, known))
    return name


def _unknown(kind: str, name: str, known: Iterable[str]) -> str:
    names = list(map(str, known))
    close = difflib.get_close_matches(name, names, 1)
    shown = ", ".join(one for one in names if "/" not in one)
    return f"unknown {kind} {name!r}" + (
        f" (did you mean {close[0]!r}?)" if close else f"; known are {shown}"
    )
