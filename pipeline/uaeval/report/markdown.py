"""Markdown from templates: `report.md` of an evaluation, of a comparison, of a sweep."""

import re

from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS, JOINT
from uaeval.evaluation.run import Evaluation
from uaeval.report import agreement, all_scores, context, costs, dataset, overview, tables
from uaeval.report.examples import bad_responses
from uaeval.report.text import environment

_SCORES = {"ACCEPTABLE": ACCEPTABLE, "CORRECTNESS": CORRECTNESS, "JOINT": JOINT}


def document(template: str, **values: object) -> str:
    """Return a document of `report/templates`, with one blank line between its blocks."""
    text = environment("uaeval.report").get_template(template).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def evaluation_report(evaluation: Evaluation, about: context.ReportContext) -> str:
    """Write the whole report."""
    functions: dict[str, object] = {"bad_responses": bad_responses, **_SCORES}
    for module in (agreement, all_scores, context, costs, dataset, overview, tables):
        functions |= vars(module)
    return document("evaluation.md.jinja", **functions, evaluation=evaluation, about=about)
