"""The facts about an evaluation, the cautions about its figures, and the outcome of each query."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from uaeval.categories.registry import categories
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.judging.judge import UNDECIDED_LABEL
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.registry import ACCEPTABLE, CORRECTNESS, OVER_REFUSAL
from uaeval.llm.names import is_offline
from uaeval.report.tables import declared_texts, spaced
from uaeval.report.text import environment
from uaeval.resources import shipped_table

CARD: Final = "evaluation/judging/judge_card.yaml"
_FIGURE: Final = "{task}, {accuracy:.0%} of {rows:,} on {data}, keywords alone {keywords:.0%}"
CAUTION: Final = "Read the figures with this in mind:"


def judge_worth(option: str | None = None) -> str:
    """Return a sentence on the reliability of the offline judge.

    `option` is the command-line option that makes the configured model the judge.
    """
    accuracy = "; ".join(_FIGURE.format(**row) for row in shipped_table(CARD)["figures"])
    instead = f": `{option}` takes the model that is configured here" if option else ""
    return (
        "The judge is the offline engine, not a language model (accuracy on data that it was not "
        f"tuned on: {accuracy}); use a language model as judge before you rely on these "
        f"figures{instead}."
    )


def judge_option(settings: Mapping[str, object]) -> str | None:
    """Return the options that make the system's model the judge; `None` without such a model."""
    kind, _, name = str(settings.get("system")).partition(":")
    url, model = settings.get("url"), settings.get("model")
    if kind == "openai":
        return f"--judge openai:{name}" + (f" --judge-base-url {url}" if url else "")
    return f"--judge {model}" if model and not is_offline(str(model)) else None


def facts(evaluation: Evaluation, dataset: str) -> dict[str, str]:
    """Return the facts about the figures, by name; those that do not apply are left out."""
    stricter = [spec.title for spec in categories() if spec.strict_acceptance]
    counts = Counter(failure.stage for failure in evaluation.failures)
    values = {"dataset": dataset, "stricter": stricter, "failed_calls": counts}
    declared = shipped_table("report/facts.yaml")
    return declared_texts(declared["facts"] | declared["system"], evaluation=evaluation, **values)


def system_lines(evaluation: Evaluation) -> list[str]:
    """Return lines on undecided judgements, skipped parts of the RAG, and latency."""
    facts = declared_texts(shipped_table("report/facts.yaml")["system"], evaluation=evaluation)
    return [f"{name}: {fact}" for name, fact in facts.items()]


def cautions(evaluation: Evaluation) -> tuple[str, ...]:
    """Return sentences on the limits of the figures."""
    system, judge = (evaluation.manifest.models.get(role) for role in ("system", "judge"))
    origins = [query.provenance for query in evaluation.queries]
    synthesis = evaluation.dataset.manifest()
    text = environment("uaeval.report").get_template("cautions.jinja")
    lines = text.render(
        evaluation=evaluation,
        spaced=spaced,
        asked=synthesis.asked if synthesis else {},
        short=synthesis.short if synthesis else {},
        judge_worth=judge_worth(judge_option(evaluation.manifest.settings)),
        offline_judge=is_offline(judge),
        offline_system=is_offline(system),
        written_offline=any(is_offline(origin.generator) for origin in origins),
        verified_offline=any(is_offline(origin.verifier) for origin in origins),
        verified_by_author=any(origin.generator == origin.verifier for origin in origins),
        judged_by_own_model=system == judge,
    )
    return tuple(lines.splitlines())


def outcome(item: QueryOutcomeRow) -> str:
    """Return the outcome of a query in one word; without a judgement it is `error` or undecided."""
    if item.blocked:
        return "blocked"
    if not item.answerable:
        ratio, no, yes = ACCEPTABLE, "unacceptable", "acceptable"
    elif item.has_reference and not item.abstained:
        ratio, no, yes = CORRECTNESS, "incorrect", "correct"
    else:
        ratio, no, yes = OVER_REFUSAL, str(item.verdict), "over-refused"
    if (is_yes := ratio.outcome(item)) is None:
        return UNDECIDED_LABEL if item.is_undecided(ratio.basis) else "error"
    return yes if is_yes else no
