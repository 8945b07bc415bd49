"""Checking scores against limits, so that a pipeline can stop a system that got worse."""

import difflib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.config import GateSettings
from uaeval.errors import ConfigError
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.evaluation.metrics.spec import (
    CONTROLS,
    DIFFICULTIES,
    MACRO,
    OVERALL,
    Family,
    MetricSpec,
)
from uaeval.records import Score

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One metric and the bound on its value."""

    written: str
    """As the user wrote it: `acceptable.underspecified=0.6`."""
    metric: MetricSpec
    group: str
    bound: float
    upper: bool
    """Whether the value has to stay at or below the bound, instead of at or above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The result for one limit."""

    limit: Limit
    passed: bool
    message: str
    """The result in one sentence."""


def read_limits(under: Iterable[str], over: Iterable[str] = ()) -> tuple[Limit, ...]:
    """Read limits written `metric=bound` or `metric.group=bound`.

    Args:
        under: The gate fails where the metric lies under the bound.
        over: The gate fails where it lies over the bound.

    Raises:
        ConfigError: a metric or group is unknown, a bound is not a number in [0, 1], or the
            metric is better the lower (or the higher) it is.
    """
    limits = [_limit(text, upper=False) for text in under]
    return (*limits, *(_limit(text, upper=True) for text in over))


def check_gate(
    limits: Iterable[Limit], scores: Sequence[Score], settings: GateSettings
) -> tuple[Check, ...]:
    """Check each limit; a metric without a value, or with too little coverage, fails."""
    checked = ((limit, *_checked(limit, scores, settings)) for limit in limits)
    return tuple(
        Check(limit=limit, passed=passed, message=message) for limit, passed, message in checked
    )


def _checked(limit: Limit, scores: Sequence[Score], gate: GateSettings) -> tuple[bool, str]:
    """Return whether a limit holds, and the result in one sentence."""
    name = limit.metric.name
    groups = {score.group: score for score in scores if score.metric == name}
    score = groups.get(limit.group)
    if score is None:
        shown = ", ".join(group for group in groups if "/" not in group)
        message = f"{name} has no group {limit.group} in this evaluation; it has {shown}"
        return False, message if groups else f"this evaluation has no {name}"
    place = f"{name} {limit.group}" if limit.group != OVERALL else name
    end = score.high if limit.upper else score.low
    value = end if gate.lower_end else score.value
    if value is None:
        return False, f"{place} has no value: nothing was judged"
    kind = "value" if not gate.lower_end else "upper end" if limit.upper else "lower end"
    wanted = "at most" if limit.upper else "at least"
    message = f"{place}: {kind} {value:.4f}, wanted {wanted} {limit.bound:g}"
    covered = score.judged / score.n if score.n else 0.0
    if covered < gate.min_coverage:
        message += f"; coverage {covered:.4f}, wanted at least {gate.min_coverage:g}"
    if gate.lower_end and not score.reliable:
        message += f"; the interval is unreliable, it rests on {score.clusters} documents"
    excess = value - limit.bound if limit.upper else limit.bound - value
    return excess <= _ROUNDING and covered >= gate.min_coverage, message


def _limit(text: str, *, upper: bool) -> Limit:
    name, equals, number = text.partition("=")
    written, _, group = name.strip().partition(".")
    if not equals:
        raise ConfigError(f"{text!r}: write figure=bound or figure.group=bound, as in joint=0.75")
    metrics = [metric for metric in all_metrics() if metric.family is not Family.CURVE]
    named = {metric.gate: metric for metric in metrics if metric.gate}
    named |= {metric.name: metric for metric in metrics}
    metric = named[_known("figure", written, named)]
    subtypes = [f"{spec.name}/{kind}" for spec in categories() for kind in spec.subtypes]
    groups = [*category_names(), OVERALL, MACRO, CONTROLS, *DIFFICULTIES, *subtypes]
    limit = Limit(
        written=text,
        metric=metric,
        group=_known("group", group, groups) if group else metric.group,
        bound=_bound(text, number),
        upper=upper,
    )
    if upper != metric.lower_is_better:
        fits = "higher it is; use --fail-under" if upper else "lower it is; use --fail-over"
        raise ConfigError(f"{text}: {metric.name} is better the {fits}")
    return limit


def _bound(text: str, number: str) -> float:
    with suppress(ValueError):
        if 0 <= float(number) <= 1:
            return float(number)
    raise ConfigError(f"{text!r}: the bound should be a number from 0 to 1, got {number!r}")


def _known(kind: str, name: str, known: Iterable[str]) -> str:
    names = list(map(str, known))
    if name in names:
        return name
    close = difflib.get_close_matches(name, names, 1)
    shown = ", ".join(name for name in names if "/" not in name)
    meant = f" (did you mean {close[0]!r}?)" if close else f"; known are {shown}"
    raise ConfigError(f"unknown {kind} {name!r}{meant}")
