"""Agreement of annotators, and the validity of a dataset by their labels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.names import category_names
from uaeval.evaluation.judging.agreement import LabelAgreement, label_agreements
from uaeval.evaluation.labels.sampling import group_of
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.statistics.composites import Observation, proportion_score
from uaeval.labels import Label, LabelBase, agreed, last_labels, resolutions
from uaeval.records import Query, Score

_COUNTS = {"valid": True, "invalid": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An item on which annotators differ."""

    item: str
    labels: Mapping[str, LabelBase]
    """By annotator."""
    resolution: str | None
    """The label that resolves it; `None` if there is none yet."""


def validity(queries: Sequence[Query], labels: Sequence[Label]) -> tuple[Score, ...]:
    """Return the share of labelled queries that are valid: by category, of controls, and overall.

    The label of a query is the one that `agreed` returns. A query without one (annotators unsure,
    or a tie) is an error, which widens the bounds. Within a group every query had the same
    probability of being drawn; `overall`, over the unanswerable queries, weighs each query by the
    inverse of its probability.
    """
    agreed_labels = agreed(labels)
    probability = {label.query_id: label.inclusion_probability for label in labels}
    groups: dict[str, list[Observation]] = {}
    for query in queries:
        if query.id in agreed_labels:
            outcome = _COUNTS.get(agreed_labels[query.id] or "")
            observation = Observation(query.provenance.document_id, outcome)
            groups.setdefault(group_of(query), []).append(observation)
            if query.category:
                weighted = observation._replace(weight=1 / probability[query.id])
                groups.setdefault(OVERALL, []).append(weighted)
    return tuple(
        proportion_score("validity", group, groups[group])
        for group in (*category_names(), CONTROLS, OVERALL)
        if group in groups
    )


def pairs(rows: Sequence[LabelBase], kinds: Mapping[str, str]) -> tuple[LabelAgreement, ...]:
    """Compare every two annotators on the items that both have labelled.

    `kinds` is the kind of each item, by item; items without a kind are left out. `unsure` is a
    label like any other.
    """
    order = list(dict.fromkeys(kinds.values()))
    named_labels = [
        (kinds[item], name, item, str(row.word))
        for item, labels in last_labels(rows).items()
        if item in kinds
        for name, row in labels.items()
    ]
    named_labels.sort(key=lambda label: (order.index(label[0]), label[1]))
    return label_agreements(named_labels)


def disagreements(rows: Sequence[LabelBase]) -> tuple[Disagreement, ...]:
    """Return the items on which annotators differ, with the resolved ones last."""
    resolved = resolutions(rows)
    differing = [
        Disagreement(
            item=item, labels=labels, resolution=resolved[item].word if item in resolved else None
        )
        for item, labels in last_labels(rows).items()
        if len({row.word for row in labels.values()}) > 1
    ]
    return tuple(sorted(differing, key=lambda item: item.resolution is not None))


def counts(rows: Sequence[LabelBase]) -> dict[str, dict[str, int]]:
    """Count the labels that each annotator gave, by annotator and label."""
    words: dict[str, list[str]] = {}
    for labels in last_labels(rows).values():
        for name, row in labels.items():
            words.setdefault(name, []).append(str(row.word))
    return {name: dict(sorted(Counter(words[name]).items())) for name in sorted(words)}
