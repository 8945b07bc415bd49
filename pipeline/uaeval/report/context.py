"""The facts about an evaluation, the cautions about its figures, and the outcome of each query."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from uaeval.categories.registry import categories
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.judging.judge import UNDECIDED_LABEL
from uaeval.evaluation.judging.judge_card import judge_worth
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.registry import ACCEPTABLE, CORRECTNESS, OVER_REFUSAL
from uaeval.llm.names import is_offline
from uaeval.report.tables import stopped_text, undecided_text
from uaeval.report.text import environment

CAUTION: Final = "Read the figures with this in mind:"


def judge_option(settings: Mapping[str, object]) -> str | None:
    """Return the options that make the system's model the judge; `None` without such a model."""
    kind, _, name = str(settings.get("system")).partition(":")
    url, model = settings.get("url"), settings.get("model")
    if kind == "openai":
        return f"--judge openai:{name}" + (f" --judge-base-url {url}" if url else "")
    return f"--judge {model}" if model and not is_offline(str(model)) else None


def facts(evaluation: Evaluation, dataset: str) -> dict[str, str]:
    """Return the facts about the figures, by name; those that do not apply are left out."""
    models = evaluation.manifest.models
    generators = sorted({query.provenance.generator for query in evaluation.queries})
    verifiers = sorted({query.provenance.verifier for query in evaluation.queries})
    answerable = sum(query.answerable for query in evaluation.queries)
    responses = sum(item.status is not None for item in evaluation.items)
    stricter = [spec.title for spec in categories() if spec.strict_acceptance]
    known = {
        "Dataset": dataset,
        "Queries": f"{len(evaluation.queries) - answerable} unanswerable, {answerable} answerable",
        "System under test": evaluation.system,
        "Its model": models.get("system"),
        "Judge": models["judge"],
        "Written by": ", ".join(generators),
        "Verified by": ", ".join(verifiers),
        f"Acceptance of {', '.join(stricter)} queries": _policy(evaluation.manifest),
        "Responses": f"{responses} to {len(evaluation.queries)} queries{_failed(evaluation)}",
        **_system_facts(evaluation),
    }
    return {name: fact for name, fact in known.items() if fact}


def _failed(evaluation: Evaluation) -> str:
    """Return how many calls failed, by stage."""
    counts = Counter(failure.stage for failure in evaluation.failures)
    whose = {"respond": "the system", "judge": "the judge"}
    parts = (f"; {n} calls of {whose.get(stage, stage)} failed" for stage, n in counts.items())
    return "".join(parts)


def _policy(manifest: EvaluationManifest) -> str:
    policy, asked_under = manifest.score_settings.policy, manifest.judged_policy
    if asked_under is None:
        return policy
    return f"{policy}, by the verdicts; the judge was asked under {asked_under}"


def _system_facts(evaluation: Evaluation) -> dict[str, str]:
    latency = ""
    if each := evaluation.latency:
        latency = (
            f"median {each.p50:g} s, p90 {each.p90:g}, p95 {each.p95:g}, "
            f"p99 {each.p99:g}, longest {each.longest:g} s, over {each.n} responses"
        )
    return {
        "Undecided by the judge": undecided_text(evaluation.undecided_counts),
        "Parts of the RAG that did nothing": stopped_text(evaluation.stopped_parts),
        "Latency": latency,
    }


def system_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield lines on undecided judgements, skipped parts of the RAG, and latency."""
    yield from (f"{name}: {fact}" for name, fact in _system_facts(evaluation).items() if fact)


def cautions(evaluation: Evaluation) -> tuple[str, ...]:
    """Return sentences on the limits of the figures."""
    system, judge = (evaluation.manifest.models.get(role) for role in ("system", "judge"))
    origins = [query.provenance for query in evaluation.queries]
    text = environment("uaeval.report").get_template("cautions.jinja")
    lines = text.render(
        evaluation=evaluation,
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
    is_yes = ratio.outcome(item)
    if is_yes is None:
        return UNDECIDED_LABEL if item.is_undecided(ratio.basis) else "error"
    return yes if is_yes else no
