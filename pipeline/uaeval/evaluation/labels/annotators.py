"""Agreement of annotators, and the validity of a dataset by their labels."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.names import category_names
from uaeval.evaluation.judging.agreement import LabelAgreement, label_agreements
from uaeval.evaluation.labels.sampling import group_of
from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL
from uaeval.evaluation.statistics.composites import CompositePart, proportion_score
from uaeval.evaluation.statistics.intervals import Observation
from uaeval.labels import Label, LabelBase, agreed, last_labels, resolutions
from uaeval.records import Query, Score


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

    A query without an agreed label (annotators unsure, or a tie) is an error, which widens the
    bounds. `overall`, over the unanswerable queries, weighs each query by the inverse of its
    probability of being drawn, which is the same within the other groups.
    """
    agreed_labels = agreed(labels)
    probability = {label.query_id: label.inclusion_probability for label in labels}
    groups = defaultdict[str, list[Observation]](list)
    for query in (query for query in queries if query.id in agreed_labels):
        outcome = {"valid": True, "invalid": False}.get(agreed_labels[query.id] or "")
        observation = Observation(query.provenance.document_id, outcome)
        groups[group_of(query)].append(observation)
        if query.category:
            groups[OVERALL].append(observation._replace(weight=1 / probability[query.id]))
    return tuple(
        proportion_score("validity", group, CompositePart(groups[group]))
        for group in (*category_names(), CONTROLS, OVERALL)
        if group in groups
    )


def pairs(rows: Sequence[LabelBase], kinds: Mapping[str, str]) -> tuple[LabelAgreement, ...]:
    """Compare every two annotators on the items that both have labelled; `unsure` is a label, too.

    `kinds` is the kind of each item, by item; items without a kind are left out.
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
    words = {item: row.word for item, row in resolutions(rows).items()}
    differing = [
        Disagreement(item=item, labels=labels, resolution=words.get(item))
        for item, labels in last_labels(rows).items()
        if len({row.word for row in labels.values()}) > 1
    ]
    return tuple(sorted(differing, key=lambda item: item.resolution is not None))


def counts(rows: Sequence[LabelBase]) -> dict[str, dict[str, int]]:
    """Count the labels that each annotator gave, by annotator and label."""
    words = defaultdict[str, Counter[str]](Counter)
    for labels in last_labels(rows).values():
        for name, row in labels.items():
            words[name][str(row.word)] += 1
    return {name: dict(sorted(words[name].items())) for name in sorted(words)}
