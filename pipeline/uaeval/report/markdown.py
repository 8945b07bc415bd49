"""`report.md`: what one evaluation found, what it rests on, and what to doubt."""

from collections.abc import Iterable, Iterator

from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS, JOINT
from uaeval.evaluation.run import Evaluation
from uaeval.report.additional_metrics import attribution_sheet
from uaeval.report.agreement import others_sheet
from uaeval.report.context import CAUTION, ReportContext, cautions, facts
from uaeval.report.costs import usage_sheet
from uaeval.report.examples import Example, bad_responses
from uaeval.report.overview import (
    NO_JOINT_REASON,
    NO_JOINT_SCORE,
    error_count,
    overview_sheets,
)
from uaeval.report.tables import (
    ReportTable,
    blocked_sheet,
    bounds,
    coverage,
    failure_sheet,
    find,
    interval,
    leakage_sheet,
    percent,
    score_sheets,
)
from uaeval.report.text import markdown, shortened

_LIMIT = 400  # characters of a text in an example


def evaluation_report(evaluation: Evaluation, about: ReportContext) -> str:
    """Write the whole report."""
    count = len(evaluation.queries)
    blocks = [
        f"# Evaluation of {markdown(about.system)}",
        _headline(evaluation, about),
        "## What it rests on",
        *_basis(evaluation, about),
        "## Scores",
        *_drawn(overview_sheets(evaluation.scores)),
        *_drawn(sheet for sheet in [attribution_sheet(evaluation)] if sheet.rows),
        *_drawn([failure_sheet(evaluation.failures)] if evaluation.failures else []),
        *_drawn(sheet for sheet in [blocked_sheet(evaluation.blocked_counts)] if sheet.rows),
        *_drawn([others_sheet(evaluation.others)] if evaluation.others else []),
        *_examples(evaluation),
        "## Details",
        *_drawn(score_sheets(evaluation.scores)),
        *_drawn([leakage_sheet(about.leakage)] if about.leakage else []),
        *_drawn([usage_sheet(about.usage, count, "query")] if about.usage else []),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(evaluation: Evaluation, about: ReportContext) -> str:
    score = find(evaluation.scores, JOINT)
    if score is None or score.value is None:
        return f"**{NO_JOINT_SCORE}**: {NO_JOINT_REASON}"
    first, second = about.weights
    errors = error_count(score)
    if score.judged < score.n:
        errors += f" (the score would be {bounds(score)} % if all counted)"
    within = markdown(interval(score).removesuffix(" *"))
    lines = [
        f"**Joint score {percent(score.value)} %**, 95 % interval {within}; "
        f"coverage {coverage(score)} %, {errors}.",
        f"It is {first:g} × correctness ({_value(evaluation, CORRECTNESS)}) "
        f"+ {second:g} × acceptable ratio ({_value(evaluation, ACCEPTABLE)}).",
    ]
    if not score.reliable:
        lines.append(
            f"The interval is unreliable: it rests on {score.clusters} source document(s), and it "
            "takes 20 that do not all agree to see how much they differ."
        )
    return "\n".join(lines)


def _value(evaluation: Evaluation, metric: MetricSpec) -> str:
    score = find(evaluation.scores, metric)
    return f"{percent(score.value if score else None)} %"


def _basis(evaluation: Evaluation, about: ReportContext) -> Iterator[str]:
    told = facts(evaluation, about)
    yield "\n".join(f"- {name}: {markdown(fact)}" for name, fact in told.items())
    doubts = cautions(evaluation, about)
    if doubts:
        yield CAUTION
        yield "\n".join(f"- {doubt}" for doubt in doubts)


def _drawn(sheets: Iterable[ReportTable]) -> Iterator[str]:
    for sheet in sheets:
        yield f"### {markdown(sheet.title)}"
        yield table(sheet)
        yield markdown(sheet.note)


def table(sheet: ReportTable) -> str:
    """Draw one table in GitHub's Markdown."""
    rules = ["---:" if column in sheet.numbers else "---" for column in sheet.columns]
    lines = [
        [markdown(column) for column in sheet.columns],
        rules,
        *([markdown(shortened(cell, _LIMIT)) for cell in row] for row in sheet.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _examples(evaluation: Evaluation) -> Iterator[str]:
    groups = bad_responses(evaluation)
    if not groups:
        return
    yield "## Responses to look at"
    yield "The first few of each kind that the judge found wanting; all are in the journals."
    for group, examples in groups.items():
        yield f"### {group.capitalize()}"
        yield "\n".join(_example(example) for example in examples)


def _example(example: Example) -> str:
    query = example.query
    lines = [
        ("Query", query.question),
        ("Why it cannot be answered", query.reason),
        ("Reference", query.reference_answer),
        ("Response", example.response),
        ("Judge", example.rationale),
    ]
    told = [f"  - {name}: {markdown(shortened(text, _LIMIT))}" for name, text in lines if text]
    return "\n".join([f"- **{markdown(query.id)}**: {markdown(example.problem)}", *told])
