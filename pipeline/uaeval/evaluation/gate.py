"""Check scores against limits, so that a CI pipeline fails if a system gets worse."""

import difflib
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.config import GateSettings
from uaeval.errors import ConfigError
from uaeval.evaluation.metrics.registry import all_metrics, judged_metrics
from uaeval.evaluation.metrics.spec import GROUPS, OVERALL, Family, MetricSpec
from uaeval.records import Score


class Limit(NamedTuple):
    """A bound on the value of one metric."""

    written: str
    """The limit as the user wrote it: `acceptable.underspecified=0.6`."""
    metric: MetricSpec
    group: str
    bound: float
    """The maximum of a metric that is better the lower it is, and else the minimum."""


class Check(NamedTuple):
    """The result for one limit."""

    limit: Limit
    passed: bool
    message: str


def read_limits(under: Iterable[str], over: Iterable[str] = ()) -> tuple[Limit, ...]:
    """Read minima (`under`) and maxima (`over`) written `metric=bound` or `metric.group=bound`.

    Raise `ConfigError` if one is invalid, or its metric belongs to the other option.
    """
    texts = [*((text, False) for text in under), *((text, True) for text in over)]
    return tuple(_read_limit(text, upper=upper) for text, upper in texts)


def require_measured(limits: Iterable[Limit], requested: Collection[str]) -> None:
    """Raise `ConfigError` if a limit is on a metric on demand that is not `requested`."""
    owners = {spec.name: each.name for each in judged_metrics().values() for spec in each.metrics}
    for limit in limits:
        owner = owners.get(limit.metric.name)
        if owner and owner not in requested:
            raise ConfigError(f"{limit.written}: add --metrics {owner}, which measures the figure")


def check_gate(
    limits: Iterable[Limit], scores: Sequence[Score], settings: GateSettings
) -> tuple[Check, ...]:
    """Check each limit; a metric without a value or with too little coverage fails."""
    return tuple(Check(limit, *_check_limit(limit, scores, settings)) for limit in limits)


def _check_limit(limit: Limit, scores: Sequence[Score], gate: GateSettings) -> tuple[bool, str]:
    name = limit.metric.name
    groups = {score.group: score for score in scores if score.metric == name}
    if (score := groups.get(limit.group)) is None:
        shown = ", ".join(group for group in groups if "/" not in group)
        message = f"{name} has no group {limit.group} in this evaluation; it has {shown}"
        return False, message if groups else f"this evaluation has no {name}"
    figure = f"{name} {limit.group}" if limit.group != OVERALL else name
    upper = limit.metric.lower_is_better
    interval_end = score.high if upper else score.low
    value = interval_end if gate.lower_end else score.value
    if value is None:
        return False, f"{figure} has no value: nothing was judged"
    kind = "value" if not gate.lower_end else "upper end" if upper else "lower end"
    required = "at most" if upper else "at least"
    message = f"{figure}: {kind} {value:.4f}, wanted {required} {limit.bound:g}"
    coverage = score.judged / score.n if score.n else 0.0
    if coverage < gate.min_coverage:
        message += f"; coverage {coverage:.4f}, wanted at least {gate.min_coverage:g}"
    if gate.lower_end and not score.reliable:
        message += f"; the interval is unreliable, it rests on {score.clusters} documents"
    if gate.lower_end and score.low == score.high:
        message += "; all results agree, so the interval has no width"
    excess = value - limit.bound if upper else limit.bound - value
    return excess <= 1e-9 and coverage >= gate.min_coverage, message


def _read_limit(text: str, *, upper: bool) -> Limit:
    name, equals, number = text.partition("=")
    written, _, group = name.strip().partition(".")
    if not equals:
        raise ConfigError(f"{text!r}: write figure=bound or figure.group=bound, as in joint=0.75")
    metrics = [metric for metric in all_metrics() if metric.family is not Family.CURVE]
    named = {metric.gate: metric for metric in metrics if metric.gate}
    named |= {metric.name: metric for metric in metrics}
    metric = named[_require_known("figure", written, named)]
    subtypes = [f"{spec.name}/{kind}" for spec in categories() for kind in spec.subtypes]
    groups = [*category_names(), *GROUPS, *subtypes]
    group = _require_known("group", group, groups) if group else metric.group
    bound = -1.0
    with suppress(ValueError):
        bound = float(number)
    if not 0 <= bound <= 1:
        raise ConfigError(f"{text!r}: the bound should be a number from 0 to 1, got {number!r}")
    if upper != metric.lower_is_better:
        fits = "higher it is; use --fail-under" if upper else "lower it is; use --fail-over"
        raise ConfigError(f"{text}: {metric.name} is better the {fits}")
    return Limit(text, metric, group, bound)


def _require_known(kind: str, name: str, known: Iterable[str]) -> str:
    names = list(map(str, known))
    if name in names:
        return name
    similar = difflib.get_close_matches(name, names, 1)
    shown = ", ".join(name for name in names if "/" not in name)
    hint = f" (did you mean {similar[0]!r}?)" if similar else f"; known are {shown}"
    raise ConfigError(f"unknown {kind} {name!r}{hint}")
