"""How far annotators agree, and what they hold of the dataset."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.names import category_names
from uaeval.evaluation.judging.agreement import LabelAgreement, label_agreements
from uaeval.evaluation.labels.sampling import group_of
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.statistics.composites import Observation, proportion_score
from uaeval.labels import Label, LabelBase, agreed, settled, standing
from uaeval.records import Query, Score

VALIDITY = "validity"
_COUNTS = {"valid": True, "invalid": False}


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
    groups: dict[str, list[Observation]] = {}
    for query in queries:
        if query.id in held:
            outcome = _COUNTS.get(held[query.id] or "")
            seen = Observation(query.provenance.document_id, outcome)
            groups.setdefault(group_of(query), []).append(seen)
            if query.category:
                weighted = seen._replace(weight=1 / chance[query.id])
                groups.setdefault(OVERALL, []).append(weighted)
    return tuple(
        proportion_score(VALIDITY, group, groups[group])
        for group in (*category_names(), CONTROLS, OVERALL)
        if group in groups
    )


def pairs(rows: Sequence[LabelBase], kinds: Mapping[str, str]) -> tuple[LabelAgreement, ...]:
    """Compare every two annotators, over the items that both have labelled.

    `kinds` names the kind of each item (by item); other items are left out. `unsure` is a label of
    its own.
    """
    order = list(dict.fromkeys(kinds.values()))
    said = [
        (kinds[item], name, item, str(row.word))
        for item, labels in standing(rows).items()
        if item in kinds
        for name, row in labels.items()
    ]
    return label_agreements(sorted(said, key=lambda each: (order.index(each[0]), each[1])))


def disagreements(rows: Sequence[LabelBase]) -> tuple[Disagreement, ...]:
    """List the items on which annotators differ, settled ones last."""
    ended = settled(rows)
    differing = [
        Disagreement(item=item, said=said, settled=ended[item].word if item in ended else None)
        for item, said in standing(rows).items()
        if len({row.word for row in said.values()}) > 1
    ]
    return tuple(sorted(differing, key=lambda item: item.settled is not None))


def counts(rows: Sequence[LabelBase]) -> dict[str, dict[str, int]]:
    """Count what each annotator says, by annotator and word."""
    said = [each for labels in standing(rows).values() for each in labels.items()]
    words = {name: [str(row.word) for other, row in said if other == name] for name, _ in said}
    return {name: dict(sorted(Counter(words[name]).items())) for name in sorted(words)}
