"""How far annotators agree, and what they hold of the dataset."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sklearn.metrics import cohen_kappa_score

from uaeval.categories.names import category_names
from uaeval.evaluation.labels.sampling import group_of
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.statistics.composites import Observation, proportion_score
from uaeval.evaluation.statistics.corrected_ratio import weighted_share
from uaeval.evaluation.statistics.intervals import wilson
from uaeval.labels import Label, LabelBase, agreed, settled, standing
from uaeval.types import Query, Score

VALIDITY = "validity"
_COUNTS = {"valid": True, "invalid": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """How two annotators agree on one kind of item."""

    kind: str
    """`query`, or the metric of a judgement."""
    first: str
    second: str
    n: int
    """Items that both have labelled."""
    same: int
    kappa: float | None
    """Cohen's, with `unsure` as a label of its own; `None` where only one label occurs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An item on which annotators differ."""

    item: str
    said: Mapping[str, LabelBase]
    """By annotator."""
    settled: str | None
    """What ends it; `None` if nothing has."""


def validity(queries: Sequence[Query], labels: Sequence[Label]) -> tuple[Score, ...]:
    """Return the share of labelled queries that hold valid: by category and of the controls.

    What counts is what `agreed` returns; where that is nothing (annotators unsure or at odds), the
    item stands among the errors, and the bounds say what it could change. Within a group every
    query had the same chance to be drawn; `overall`, of the unanswerable queries, weighs each by
    the inverse of its chance.
    """
    held = agreed(labels)
    chance = {label.query_id: label.inclusion_probability for label in labels}
    groups: dict[str, list[Query]] = {name: [] for name in (*category_names(), CONTROLS)}
    for query in queries:
        if query.id in held:
            groups[group_of(query)].append(query)
    found = [
        proportion_score(VALIDITY, group, [_seen(query, held) for query in members])
        for group, members in groups.items()
        if members
    ]
    every = [query for query in queries if query.id in held and query.category]
    return (*found, _overall(every, held, chance)) if every else tuple(found)


def _seen(query: Query, held: Mapping[str, str | None]) -> Observation:
    return Observation(query.provenance.document_id, _COUNTS.get(held[query.id] or ""))


def _overall(
    queries: Sequence[Query], held: Mapping[str, str | None], chance: Mapping[str, float]
) -> Score:
    seen = [_seen(query, held) for query in queries]
    weights = [1 / chance[query.id] for query in queries]
    known = [pair for pair in zip(seen, weights, strict=True) if pair[0].outcome is not None]
    plain = proportion_score(VALIDITY, OVERALL, seen)
    share = weighted_share([one for one, _ in known], [weight for _, weight in known])
    if share is None:
        return plain
    low, high = wilson(*share)
    valid = sum(weight for one, weight in known if one.outcome)
    unknown = sum(weights) - sum(weight for _, weight in known)
    return replace(
        plain,
        value=share.value,
        low=low,
        high=high,
        worst=valid / sum(weights),
        best=(valid + unknown) / sum(weights),
    )


def pairs(rows: Sequence[LabelBase], kinds: Mapping[str, str]) -> tuple[Pair, ...]:
    """Hold each two annotators against each other, over the items that both have labelled.

    `kinds` names the kind of each item (by item); other items are left out.
    """
    said = standing(rows)
    names = sorted({name for words in said.values() for name in words})
    return tuple(
        pair
        for kind in dict.fromkeys(kinds.values())
        for first, second in combinations(names, 2)
        if (pair := _pair(kind, first, second, _both(said, kinds, kind, first, second)))
    )


def _both(
    said: Mapping[str, Mapping[str, LabelBase]], kinds: Mapping[str, str], kind: str, *names: str
) -> list[list[str]]:
    return [
        [str(words[name].word) for name in names]
        for item, words in said.items()
        if kinds.get(item) == kind and all(name in words for name in names)
    ]


def _pair(kind: str, first: str, second: str, words: Sequence[Sequence[str]]) -> Pair | None:
    if not words:
        return None
    ours, theirs = ([one[place] for one in words] for place in (0, 1))
    several = len({*ours, *theirs}) > 1
    return Pair(
        kind=kind,
        first=first,
        second=second,
        n=len(words),
        same=sum(a == b for a, b in words),
        kappa=float(cohen_kappa_score(ours, theirs)) if several else None,
    )


def disagreements(rows: Sequence[LabelBase]) -> tuple[Disagreement, ...]:
    """List the items on which annotators differ, settled ones last."""
    ended = settled(rows)
    found = [
        Disagreement(item=item, said=said, settled=ended[item].word if item in ended else None)
        for item, said in standing(rows).items()
        if len({row.word for row in said.values()}) > 1
    ]
    return tuple(sorted(found, key=lambda one: one.settled is not None))


def counts(rows: Sequence[LabelBase]) -> dict[str, dict[str, int]]:
    """Count what each annotator says, by annotator and word."""
    found: dict[str, Counter[str]] = {}
    for said in standing(rows).values():
        for name, row in said.items():
            found.setdefault(name, Counter())[str(row.word)] += 1
    return {name: dict(found[name]) for name in sorted(found)}
