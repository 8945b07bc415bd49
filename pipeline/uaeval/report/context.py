"""What an evaluation rests on, and what weakens its figures; said alike in every report."""

from collections.abc import Iterator, Mapping
from typing import Final

from uaeval.categories.registry import categories
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.judging.judge_card import judge_worth
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.model_names import is_offline
from uaeval.report.tables import latency_text, stopped_text, undecided_text

CAUTION: Final = "Read the figures with this in mind:"


def judge_option(settings: Mapping[str, object]) -> str | None:
    """Return the options that make the system's model the judge; `None` if no model is set."""
    kind, _, name = str(settings.get("system")).partition(":")
    url, model = settings.get("url"), settings.get("model")
    if kind == "openai":
        return f"--judge openai:{name}" + (f" --judge-base-url {url}" if url else "")
    return f"--judge {model}" if model and not is_offline(str(model)) else None


def facts(evaluation: Evaluation, dataset: str) -> dict[str, str]:
    """Return what the figures rest on, by name; what does not apply is left out."""
    models = evaluation.manifest.models
    generators = sorted({query.provenance.generator for query in evaluation.queries})
    verifiers = sorted({query.provenance.verifier for query in evaluation.queries})
    controls = sum(query.answerable for query in evaluation.queries)
    stricter = [spec.title for spec in categories() if spec.strict_acceptance]
    known = {
        "Dataset": dataset,
        "Queries": f"{len(evaluation.queries) - controls} unanswerable, {controls} controls",
        "System under test": evaluation.system,
        "Its model": models.get("system"),
        "Judge": models["judge"],
        "Written by": ", ".join(generators),
        "Verified by": ", ".join(verifiers),
        f"Acceptance of {', '.join(stricter)} queries": _policy(evaluation.manifest),
        "Responses": f"{len(evaluation.responses)}, failures {len(evaluation.failures)}",
        **_system_facts(evaluation),
    }
    return {name: fact for name, fact in known.items() if fact}


def _policy(manifest: EvaluationManifest) -> str:
    policy, asked_under = manifest.score_settings.policy, manifest.judged_policy
    if asked_under is None:
        return policy
    return f"{policy}, by the verdicts; the judge was asked under {asked_under}"


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


def cautions(evaluation: Evaluation) -> tuple[str, ...]:
    """Return what weakens the figures, in plain sentences."""
    manifest = evaluation.manifest
    system, judge = manifest.models.get("system"), manifest.models["judge"]
    origins = (query.provenance for query in evaluation.queries)
    made = {(origin.generator, origin.verifier) for origin in origins}
    holds = {
        judge_worth(judge_option(manifest.settings)): is_offline(judge),
        "The system under test answered with the offline engine, which copies sentences; it "
        "stands in for a RAG and is none to compare others with.": is_offline(system),
        "Queries were written by the offline engine: plainer and easier to spot than what a "
        "language model writes.": any(is_offline(generator) for generator, _ in made),
        "Queries were verified by the offline engine, which misses more than a language "
        "model does.": any(is_offline(verifier) for _, verifier in made),
        "The same model wrote and verified queries, so it passed its own mistakes.": any(
            generator == verifier for generator, verifier in made
        ),
        "The system under test is judged by its own model, which may favour itself.": (
            system == judge
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
    omissions = (f"Of the knowledge base: {omission}." for omission in manifest.omissions)
    return (*(caution for caution, holding in holds.items() if holding), *omissions)
