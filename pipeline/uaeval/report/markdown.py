"""`report.md`: what one evaluation found, what it rests on, and what to doubt."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from uaeval.evaluation.figures import OVERALL, Figure, Leakage
from uaeval.evaluation.judge import Policy
from uaeval.evaluation.run import Evaluation
from uaeval.llm.parameters import RULES
from uaeval.report.agreement import agreement_sheet
from uaeval.report.costs import usage_sheet
from uaeval.report.examples import Example, bad_responses
from uaeval.report.further import attribution_sheet
from uaeval.report.overview import (
    NO_JOINT_REASON,
    NO_JOINT_SCORE,
    error_count,
    overview_sheets,
)
from uaeval.report.tables import (
    Sheet,
    blocked_sheet,
    bounds,
    coverage,
    failure_sheet,
    find,
    interval,
    latency_told,
    leakage_sheet,
    percent,
    score_sheets,
)
from uaeval.report.text import markdown, shortened
from uaeval.run_folder import ModelUsage
from uaeval.types import Score

_LIMIT = 400  # characters of a text in an example


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a reader must know to weigh the figures."""

    dataset: str
    system: str
    system_model: str | None
    """The model behind the built-in RAG; `None` for the user's own system."""
    judge: str
    policy: Policy
    weights: tuple[float, float]
    leakage: tuple[Leakage, ...] = ()
    usage: tuple[ModelUsage, ...] = ()


def evaluation_report(evaluation: Evaluation, about: About) -> str:
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
        *_drawn([agreement_sheet(evaluation.others.agreement)] if evaluation.others else []),
        *_examples(evaluation),
        "## Details",
        *_drawn(score_sheets(evaluation.scores)),
        *_drawn([leakage_sheet(about.leakage)] if about.leakage else []),
        *_drawn([usage_sheet(about.usage, count, "query")] if about.usage else []),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(evaluation: Evaluation, about: About) -> str:
    score = find(evaluation.scores, Figure.JOINT)
    if score is None or score.value is None:
        return f"**{NO_JOINT_SCORE}**: {NO_JOINT_REASON}"
    first, second = about.weights
    lines = [
        f"**Joint score {percent(score.value)} %**, 95 % interval {_interval(score)}; "
        f"coverage {coverage(score)} %, {_errors(score)}.",
        f"It is {first:g} × correctness ({_value(evaluation, Figure.CORRECTNESS)}) "
        f"+ {second:g} × acceptable ratio ({_value(evaluation, Figure.ACCEPTABLE)}).",
    ]
    if not score.reliable:
        lines.append(
            f"The interval is unreliable: it rests on {score.clusters} source document(s), and it "
            "takes 20 that do not all agree to see how much they differ."
        )
    return "\n".join(lines)


def _interval(score: Score) -> str:
    return markdown(interval(score).removesuffix(" *"))


def _errors(score: Score) -> str:
    if not score.errors:
        return error_count(score)
    return f"{error_count(score)} (the score would be {bounds(score)} % if all counted)"


def _value(evaluation: Evaluation, figure: Figure) -> str:
    score = find(evaluation.scores, figure, OVERALL)
    return f"{percent(score.value if score else None)} %"


def _basis(evaluation: Evaluation, about: About) -> Iterator[str]:
    generators = sorted({query.provenance.generator for query in evaluation.queries})
    verifiers = sorted({query.provenance.verifier for query in evaluation.queries})
    controls = sum(query.answerable for query in evaluation.queries)
    facts = {
        "Dataset": about.dataset,
        "Queries": f"{len(evaluation.queries) - controls} unanswerable, {controls} controls",
        "System under test": about.system,
        "Its model": about.system_model,
        "Judge": about.judge,
        "Written by": ", ".join(generators),
        "Verified by": ", ".join(verifiers),
        "Acceptance of underspecified queries": about.policy,
        "Responses": f"{len(evaluation.responses)}, failures {len(evaluation.failures)}",
        "Latency": evaluation.latency and latency_told(evaluation.latency),
    }
    yield "\n".join(f"- {name}: {markdown(fact)}" for name, fact in facts.items() if fact)
    cautions = _cautions(evaluation, about)
    if cautions:
        yield "Read the figures with this in mind:"
        yield "\n".join(f"- {caution}" for caution in cautions)


def _cautions(evaluation: Evaluation, about: About) -> tuple[str, ...]:
    """Say plainly what weakens the figures."""
    made = {(one.provenance.generator, one.provenance.verifier) for one in evaluation.queries}
    holds = {
        "The judge is the built-in rule engine. It reads surface signs of refusal and agreement, "
        "not meaning; use a language model as judge before you rely on these figures.": (
            _is_rules(about.judge)
        ),
        "The system under test answered with the built-in rule engine, which copies sentences; it "
        "stands in for a RAG and is none to compare others with.": _is_rules(about.system_model),
        "Queries were written by the built-in rule engine: plainer and easier to spot than what a "
        "language model writes.": any(_is_rules(generator) for generator, _ in made),
        "Queries were verified by the built-in rule engine, which misses more than a language "
        "model does.": any(_is_rules(verifier) for _, verifier in made),
        "The same model wrote and verified queries, so it passed its own mistakes.": any(
            generator == verifier for generator, verifier in made
        ),
        "The system under test is judged by its own model, which may favour itself.": (
            about.system_model == about.judge
        ),
        f"{evaluation.waiting} answers are still awaited and counted among the errors.": (
            evaluation.waiting > 0
        ),
        "Failures are errors: they are no refusals, and no score was given for them.": (
            len(evaluation.failures) > 0
        ),
    }
    return tuple(caution for caution, holding in holds.items() if holding)


def _is_rules(name: str | None) -> bool:
    return name is not None and re.match(rf"{RULES}\b", name) is not None


def _drawn(sheets: Iterable[Sheet]) -> Iterator[str]:
    for sheet in sheets:
        yield f"### {markdown(sheet.title)}"
        yield table(sheet)
        yield markdown(sheet.note)


def table(sheet: Sheet) -> str:
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
