"""`uaeval evaluate`: a dataset and a system in, scores out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uaeval.cli import options
from uaeval.cli.gate import gate_of, hold

if TYPE_CHECKING:
    from uaeval.config import EvaluationConfig
    from uaeval.evaluation.gate import Gate
    from uaeval.evaluation.run import Evaluation
    from uaeval.types import Failure

AWAITED = 5
LACKING = 6
_NAMED = 10
"""Queries without a recorded response that are named."""
_MOST_TOLD = 300
"""Characters of an error that are shown beside its count."""


def evaluate(
    dataset: Annotated[
        Path, typer.Argument(help="The folder of a finished run, or a file of queries.")
    ],
    system: Annotated[
        str | None,
        typer.Option(
            help="The system under test: `rag`, the built-in one; `http`; `openai:<model>`, a chat "
            "endpoint; `python:<module>:<function>`; `langchain:<module>:<object>`; "
            "`responses:<file.jsonl>`, recorded. [rag]"
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Folder below DATASET/evaluations. [from the system's name]")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The built-in RAG's model. [offline: extractive]")
    ] = None,
    url: options.Url = None,
    method: options.Method = None,
    body: options.Body = None,
    answer_path: options.AnswerPath = None,
    contexts_path: options.ContextsPath = None,
    header: options.Header = None,
    system_concurrency: options.SystemConcurrency = None,
    controls: options.Controls = None,
    index: options.IndexOf = None,
    judge: options.Judge = None,
    base_url: options.BaseUrl = None,
    judge_base_url: options.JudgeBaseUrl = None,
    samples: options.JudgeSamples = None,
    other_judges: options.OtherJudges = None,
    majority: options.Majority = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help="What is acceptable for an underspecified query: `lenient`, any refusal; "
            "`strict`, asking back or several readings. [lenient]"
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="Weights of correctness and acceptable ratio in the joint score. [.7,.3]"
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(help="Further ones, comma-separated: attribution, final_score, quest_eval."),
    ] = None,
    k: Annotated[int | None, typer.Option("-k", help="Passages the RAG's model sees. [5]")] = None,
    embedding: options.RagEmbedding = None,
    retriever: options.Retriever = None,
    rewriting: options.Rewriting = None,
    reranker: options.Reranker = None,
    candidates: options.Candidates = None,
    answer_prompt: options.AnswerPrompt = None,
    mode: options.Mode = None,
    concurrency: options.Concurrency = None,
    rpm: options.RequestsPerMinute = None,
    tpm: options.TokensPerMinute = None,
    timeout: options.Timeout = None,
    retries: options.Retries = None,
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
    prices: options.Prices = None,
    prompts: options.Prompts = None,
    config: options.Config = None,
    fail_under: options.FailUnder = None,
    fail_over: options.FailOver = None,
    lower_end: Annotated[
        bool,
        typer.Option(
            "--lower-end",
            help="Hold the lower end of the 95 % interval to --fail-under, the upper end to "
            "--fail-over.",
        ),
    ] = False,
    min_coverage: Annotated[
        float | None,
        typer.Option(help="Share of the queries that a figure of the gate must rest on. [0.95]"),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="Write what the gate found to this file, as JUnit XML.")
    ] = None,
) -> None:
    """Ask a system every query of a dataset, judge what it says, and score it.

    Example: uaeval evaluate outputs/docs --system http --url http://localhost:8000/ask
    """
    given = {
        "dataset": dataset,
        "controls": controls,
        "index": index,
        "system": system,
        "name": name,
        "url": url,
        "method": method,
        "body": _json(body) if body is not None else None,
        "answer_path": answer_path,
        "contexts_path": contexts_path,
        "headers": _headers(header) if header else None,
        "system_concurrency": system_concurrency,
        "model": model,
        "judge": judge,
        "base_url": base_url,
        "judge_base_url": judge_base_url,
        "samples": samples,
        "other_judges": [each.strip() for each in other_judges.split(",")]
        if other_judges
        else None,
        "majority": majority,
        "policy": policy,
        "weights": _shares(weights) if weights else None,
        "metrics": [each.strip() for each in metrics.split(",")] if metrics else None,
        "k": k,
        "embedding": embedding,
        "retriever": retriever,
        "rewriting": rewriting,
        "reranker": reranker,
        "candidates": candidates,
        "answer_prompt": answer_prompt,
        "mode": mode,
        "concurrency": concurrency,
        "requests_per_minute": rpm,
        "tokens_per_minute": tpm,
        "timeout": timeout,
        "max_retries": retries,
        "max_cost": max_cost,
        "max_calls": max_calls,
        "prices": prices,
        "prompts": prompts,
    }
    gate = gate_of(fail_under or [], fail_over or [], lower_end, min_coverage, junit)
    run_evaluation(settings_of(given, config), gate=gate, junit=junit)


def settings_of(given: Mapping[str, object], config: Path | None) -> "EvaluationConfig":
    """Return the settings that stand in a file, under the options that were given."""
    from uaeval.config import EvaluationConfig, build, read_settings

    settings = read_settings(config) if config else {}
    settings |= {name: value for name, value in given.items() if value is not None}
    return build(EvaluationConfig, **settings)


def _json(text: str) -> object:
    import json

    from uaeval.errors import ConfigError

    try:
        body: object = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"--body wants JSON, got {text!r} ({error})") from error
    return body


def _headers(given: list[str]) -> dict[str, str]:
    from uaeval.errors import ConfigError

    parts = [header.partition(":") for header in given]
    if any(not (name.strip() and colon) for name, colon, _ in parts):
        raise ConfigError("--header wants `Name: value`, such as 'X-Tenant: museum'")
    return {name.strip(): value.strip() for name, _, value in parts}


def _shares(text: str) -> tuple[float, ...]:
    from uaeval.errors import ConfigError

    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise ConfigError(f"--weights wants two numbers such as 0.7,0.3, got {text!r}") from error


def _tell_failures(config: "EvaluationConfig", failures: "Sequence[Failure]") -> None:
    """Say how many responses and judgements are not there, and what brings them."""
    from uaeval.cli.terminal import complain, say
    from uaeval.systems.named import RECORDED

    kind, _, path = config.system.partition(":")
    missing = [one.id for one in failures if one.stage == "respond" and kind == RECORDED]
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        complain(
            f"{path} has no response to {len(missing)} of the queries, or an error in its place: "
            f"{', '.join(missing[:_NAMED])}{more}; add what is missing and evaluate it under "
            "another --name"
        )
    others = [one for one in failures if one.stage != "respond"] if missing else failures
    if others:
        say(
            f"{len(others)} calls failed; run the same command to ask them again. The first: "
            f"{others[0].message[:_MOST_TOLD]}"
        )


def _lacks(found: "Evaluation", *, gated: bool) -> bool:
    """Say whether something is not judged that should be, and no gate watches the coverage."""
    if found.judgements:
        return bool(found.failures) and not gated
    return bool(found.failures or found.blocked_counts["judge"])


def run_evaluation(
    config: "EvaluationConfig",
    *,
    tell_next: bool = True,
    gate: "Gate | None" = None,
    junit: Path | None = None,
) -> None:
    """Run, show the scores, and exit as scripts expect.

    Calls that failed end it with 6, unless a gate holds: its coverage says how many may fail. With
    `tell_next` an evaluation that awaits answers says which commands bring them.
    """
    from uaeval.api import evaluate_run
    from uaeval.cli.progress import PhaseProgress
    from uaeval.cli.terminal import OUT, finish, say, say_awaited, say_each
    from uaeval.evaluation.manifest import read_manifest
    from uaeval.model_names import is_offline
    from uaeval.offline.judge_card import judge_worth
    from uaeval.report.basis import judge_option
    from uaeval.report.evaluated import agreement_table, attribution_table, system_lines
    from uaeval.report.further import scored_line
    from uaeval.report.terminal import score_tables, usage_table

    with PhaseProgress() as progress:
        found = finish(evaluate_run(config, progress.phase, progress.done))
    if found.waiting:
        if tell_next:
            say_awaited(found.folder)
        raise typer.Exit(AWAITED)
    if found.further:
        say_each(map(scored_line, found.further.final_scores))
    OUT.print(score_tables(found.scores, found.blocked_counts))
    OUT.print(attribution_table(found))
    OUT.print(agreement_table(found))
    manifest = read_manifest(found.folder / "manifest.json")
    say_each(system_lines(found))
    OUT.print(usage_table(manifest.usage if manifest else [], len(found.queries)))
    if (
        manifest
        and is_offline(manifest.models["judge"])
        and not is_offline(manifest.models.get("system"))
    ):
        say(judge_worth(judge_option(manifest.settings)))
    say(f"The report is {found.folder / 'report.md'}")
    _tell_failures(config, found.failures)
    if gate:
        hold(gate, found, junit)
    if _lacks(found, gated=gate is not None):
        raise typer.Exit(LACKING)
