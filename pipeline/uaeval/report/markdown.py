"""Render Markdown documents from templates, and the report of an evaluation."""

import re

from uaeval.categories.registry import categories
from uaeval.categories.registry import category as category_of
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.leakage import leakage
from uaeval.evaluation.metrics import registry
from uaeval.records import Metric
from uaeval.report import agreement, context, costs, dataset, overview, tables
from uaeval.report.context import outcome
from uaeval.report.text import environment

_TWINS = "answerable twins"
_JUDGED = {
    "unacceptable": Metric.ACCEPTABLE,
    "over-refused": Metric.VERDICT,
    "incorrect": Metric.CORRECT,
    "blocked": Metric.CORRECT,
}
"""The bad outcomes, and the metric whose judgement explains each."""


def document(template: str, **values: object) -> str:
    """Return a rendered template of `report/templates`, with single blank lines between blocks."""
    text = environment("uaeval.report").get_template(template).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def evaluation_report(evaluation: Evaluation) -> str:
    """Return the report of an evaluation as Markdown."""
    return document(
        "evaluation.md.jinja",
        agreement=agreement,
        context=context,
        costs=costs,
        dataset=dataset,
        metrics=registry,
        overview=overview,
        tables=tables,
        bad_responses=bad_responses(evaluation),
        evaluation=evaluation,
        facts=context.facts(evaluation, str(evaluation.folder.parent.parent)),
        weights=evaluation.manifest.score_settings.weights,
        leakage=leakage(evaluation.queries),
    )


def bad_responses(evaluation: Evaluation, per_group: int = 3) -> dict[str, list[dict[str, object]]]:
    """Return the first bad responses to queries by category, and to twins."""
    queries = {query.id: query for query in evaluation.queries}
    texts = {response.query_id: response.text for response in evaluation.responses}
    rationales = {judgement.id: judgement.rationale for judgement in evaluation.judgements}
    groups: dict[str, list[dict[str, object]]] = {spec.title: [] for spec in categories()}
    groups[_TWINS] = []
    for item in evaluation.items:
        problem = outcome(item)
        group = groups[category_of(item.category).title if item.category else _TWINS]
        is_bad = problem in _JUDGED and (item.answerable or not item.blocked)
        if is_bad and len(group) < per_group:
            group.append(
                {
                    "item": item,
                    "problem": problem,
                    "query": queries[item.query_id],
                    "response": texts[item.query_id],
                    "rationale": rationales.get(f"{item.query_id}/{_JUDGED[problem]}"),
                }
            )
    return {name: bad for name, bad in groups.items() if bad}
