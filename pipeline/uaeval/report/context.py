"""What an evaluation rests on, and what weakens its figures; said alike in every report."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from uaeval.categories.registry import categories
from uaeval.evaluation.judging.judge import Policy
from uaeval.evaluation.judging.judge_card import judge_worth
from uaeval.evaluation.leakage import Leakage
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.evaluation.run import Evaluation
from uaeval.model_names import is_offline
from uaeval.report.tables import latency_text, stopped_text, undecided_text
from uaeval.run_folder import ModelUsage

CAUTION: Final = "Read the figures with this in mind:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContext:
    """What a reader must know to weigh the figures."""

    dataset: str
    system: str
    system_model: str | None
    """The model behind the built-in RAG; `None` for the user's own system."""
    judge: str
    policy: Policy
    weights: tuple[float, float]
    judged_policy: str | None = None
    """The policy that the judge was asked under, if it is another."""
    judge_option: str | None = None
    """What makes a model that is configured for the system the judge."""
    leakage: tuple[Leakage, ...] = ()
    omissions: tuple[str, ...] = ()
    """What of the knowledge base was not read or not used."""
    usage: tuple[ModelUsage, ...] = ()


def context_of(
    manifest: EvaluationManifest, name: str, dataset: str, leakage: tuple[Leakage, ...]
) -> ReportContext:
    """Return what the manifest of the evaluation `name` tells a reader of its report."""
    settings = manifest.settings
    return ReportContext(
        dataset=dataset,
        system=str(settings.get("system", name)),
        system_model=manifest.models.get("system"),
        judge=manifest.models["judge"],
        policy=manifest.score_settings.policy,
        weights=manifest.score_settings.weights,
        judged_policy=manifest.judged_policy,
        judge_option=judge_option(settings),
        leakage=leakage,
        omissions=tuple(manifest.omissions),
        usage=tuple(manifest.usage),
    )


def judge_option(settings: Mapping[str, object]) -> str | None:
    """Return the options that make the system's model the judge; `None` if no model is set."""
    kind, _, name = str(settings.get("system")).partition(":")
    url, model = settings.get("url"), settings.get("model")
    if kind == "openai":
        return f"--judge openai:{name}" + (f" --judge-base-url {url}" if url else "")
    return f"--judge {model}" if model and not is_offline(str(model)) else None


def facts(evaluation: Evaluation, about: ReportContext) -> dict[str, str]:
    """Return what the figures rest on, by name; what does not apply is left out."""
    generators = sorted({query.provenance.generator for query in evaluation.queries})
    verifiers = sorted({query.provenance.verifier for query in evaluation.queries})
    controls = sum(query.answerable for query in evaluation.queries)
    stricter = [spec.title for spec in categories() if spec.strict_acceptance]
    known = {
        "Dataset": about.dataset,
        "Queries": f"{len(evaluation.queries) - controls} unanswerable, {controls} controls",
        "System under test": about.system,
        "Its model": about.system_model,
        "Judge": about.judge,
        "Written by": ", ".join(generators),
        "Verified by": ", ".join(verifiers),
        f"Acceptance of {', '.join(stricter)} queries": _policy(about),
        "Responses": f"{len(evaluation.responses)}, failures {len(evaluation.failures)}",
        **_system_facts(evaluation),
    }
    return {name: fact for name, fact in known.items() if fact}


def _policy(about: ReportContext) -> str:
    if about.judged_policy is None:
        return about.policy
    return f"{about.policy}, by the verdicts; the judge was asked under {about.judged_policy}"


def _system_facts(evaluation: Evaluation) -> dict[str, str]:
    latency = evaluation.latency
    return {
        "Undecided by the judge": undecided_text(evaluation.undecided_counts),
        "Parts of the RAG that did nothing": stopped_text(evaluation.stopped_parts),
        "Latency": latency_text(latency) if latency else "",
    }


def system_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield what the judge could not tell, the RAG's parts that did nothing, and the latency."""
    yield from (f"{name}: {fact}" for name, fact in _system_facts(evaluation).items() if fact)


def cautions(evaluation: Evaluation, about: ReportContext) -> tuple[str, ...]:
    """Return what weakens the figures, in plain sentences."""
    origins = (query.provenance for query in evaluation.queries)
    made = {(origin.generator, origin.verifier) for origin in origins}
    holds = {
        judge_worth(about.judge_option): is_offline(about.judge),
        "The system under test answered with the offline engine, which copies sentences; it "
        "stands in for a RAG and is none to compare others with.": is_offline(about.system_model),
        "Queries were written by the offline engine: plainer and easier to spot than what a "
        "language model writes.": any(is_offline(generator) for generator, _ in made),
        "Queries were verified by the offline engine, which misses more than a language "
        "model does.": any(is_offline(verifier) for _, verifier in made),
        "The same model wrote and verified queries, so it passed its own mistakes.": any(
            generator == verifier for generator, verifier in made
        ),
        "The system under test is judged by its own model, which may favour itself.": (
            about.system_model == about.judge
        ),
        "For some responses the RAG's rewriting or reranker did nothing, because its model "
        "refused, gave nothing or was blocked; they show the RAG without that part.": bool(
            evaluation.stopped_parts
        ),
        f"{evaluation.waiting} answers are still awaited and counted among the errors.": (
            evaluation.waiting > 0
        ),
        "Failures are errors: they are no refusals, and no score was given for them.": (
            len(evaluation.failures) > 0
        ),
        "Where the judge could not tell, a response is undecided: it lowers the coverage, and no "
        "label or score was given for it.": len(evaluation.undecided) > 0,
    }
    omissions = (f"Of the knowledge base: {omission}." for omission in about.omissions)
    return (*(caution for caution, holding in holds.items() if holding), *omissions)
