"""`report.md`: the scores of one evaluation, what they rest on, and what to doubt."""

from collections.abc import Iterable, Iterator

from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.evaluation.metrics.standard import ACCEPTABLE, CORRECTNESS, JOINT
from uaeval.evaluation.run import Evaluation
from uaeval.report.agreement import others_table
from uaeval.report.all_scores import attribution_table, score_tables
from uaeval.report.context import CAUTION, ReportContext, cautions, facts
from uaeval.report.costs import usage_table
from uaeval.report.dataset import blocked_table, failure_table, leakage_table
from uaeval.report.examples import Example, bad_responses
from uaeval.report.overview import (
    NO_JOINT_REASON,
    NO_JOINT_SCORE,
    error_count,
    overview_tables,
)
from uaeval.report.tables import ReportTable, bounds, coverage, find, interval, percent
from uaeval.report.text import markdown, shortened

_LIMIT = 400  # characters of a text in an example


def evaluation_report(evaluation: Evaluation, about: ReportContext) -> str:
    """Write the whole report."""
    blocks = [
        _headline(evaluation, about),
        "## What it rests on",
        *_basis(evaluation, about),
        "## Scores",
        *markdown_tables(overview_tables(evaluation.scores), level=3),
        *markdown_tables(
            [
                attribution_table(evaluation),
                failure_table(evaluation.failures),
                blocked_table(evaluation.blocked_counts),
                others_table(evaluation.others),
            ],
            level=3,
        ),
        *_examples(evaluation),
        "## Details",
        *markdown_tables(
            [
                *score_tables(evaluation.scores),
                leakage_table(about.leakage),
                usage_table(about.usage, len(evaluation.queries), "query"),
            ],
            level=3,
        ),
    ]
    return document(f"Evaluation of {markdown(about.system)}", blocks)


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
    known = facts(evaluation, about)
    yield "\n".join(f"- {name}: {markdown(fact)}" for name, fact in known.items())
    doubts = cautions(evaluation, about)
    if doubts:
        yield CAUTION
        yield "\n".join(f"- {doubt}" for doubt in doubts)


def markdown_tables(tables: Iterable[ReportTable], level: int) -> Iterator[str]:
    """Yield title, table and note of each table that has rows, in GitHub's Markdown."""
    for table in tables:
        if table.rows:
            yield f"{'#' * level} {markdown(table.title)}"
            yield _rows(table)
            yield markdown(table.note)


def document(title: str, blocks: Iterable[str]) -> str:
    """Return a Markdown document of the blocks that are not empty."""
    return "\n\n".join([f"# {title}", *filter(None, blocks)]) + "\n"


def _rows(table: ReportTable) -> str:
    rules = ["---:" if column in table.numbers else "---" for column in table.columns]
    lines = [
        [markdown(column) for column in table.columns],
        rules,
        *([markdown(shortened(cell, _LIMIT)) for cell in row] for row in table.rows),
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
    known = [f"  - {name}: {markdown(shortened(text, _LIMIT))}" for name, text in lines if text]
    return "\n".join([f"- **{markdown(query.id)}**: {markdown(example.problem)}", *known])
