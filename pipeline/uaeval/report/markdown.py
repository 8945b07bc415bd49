"""Markdown from templates: `report.md` of an evaluation, of a comparison, of a sweep."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from uaeval.categories.names import category_names
from uaeval.categories.registry import category as category_of
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.leakage import leakage
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS, JOINT
from uaeval.records import Metric, Query
from uaeval.report import agreement, all_scores, context, costs, dataset, overview, tables
from uaeval.report.text import environment

_CONTROLS = "answerable controls"
_SCORES = {"ACCEPTABLE": ACCEPTABLE, "CORRECTNESS": CORRECTNESS, "JOINT": JOINT}


def document(template: str, **values: object) -> str:
    """Return a document of `report/templates`, with one blank line between its blocks."""
    text = environment("uaeval.report").get_template(template).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def evaluation_report(evaluation: Evaluation) -> str:
    """Write the whole report."""
    functions: dict[str, object] = {"bad_responses": bad_responses, **_SCORES}
    for module in (agreement, all_scores, context, costs, dataset, overview, tables):
        functions |= vars(module)
    return document(
        "evaluation.md.jinja",
        **functions,
        evaluation=evaluation,
        dataset=str(evaluation.folder.parent.parent),
        weights=evaluation.manifest.score_settings.weights,
        leakage=leakage(evaluation.queries),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One bad response."""

    query: Query
    problem: str
    response: str
    rationale: str | None
    """The judge's; `None` where a rule decided."""


def bad_responses(evaluation: Evaluation, per_group: int = 3) -> dict[str, tuple[Example, ...]]:
    """Return the first unacceptable responses of each category, then the controls that failed."""
    queries = {query.id: query for query in evaluation.queries}
    texts = {response.query_id: response.text for response in evaluation.responses}
    rationales = {
        (judgement.query_id, judgement.metric): judgement.rationale
        for judgement in evaluation.judgements
    }
    groups: dict[str, list[Example]] = {category_of(name).title: [] for name in category_names()}
    groups[_CONTROLS] = []
    for item in evaluation.items:
        for problem, metric in _problems(item):
            group = category_of(item.category).title if item.category else _CONTROLS
            example = Example(
                query=queries[item.query_id],
                problem=problem,
                response=texts[item.query_id],
                rationale=rationales.get((item.query_id, metric)),
            )
            groups[group].append(example)
    return {name: tuple(bad[:per_group]) for name, bad in groups.items() if bad}


def _problems(item: QueryOutcomeRow) -> Iterator[tuple[str, Metric]]:
    """Yield what is wrong with a response, and which judgement says so; nothing if it is fine."""
    if item.outside_knowledge:
        yield "unacceptable, and gives the outside article's answer", Metric.ACCEPTABLE
    elif item.acceptable is False:
        yield "unacceptable", Metric.ACCEPTABLE
    if not item.answerable or item.correct is not False:
        return
    if item.blocked:
        yield "stopped by a content filter", Metric.CORRECT
    elif item.abstained:
        yield f"{item.verdict} though the knowledge base answers it", Metric.VERDICT
    else:
        yield "incorrect", Metric.CORRECT
