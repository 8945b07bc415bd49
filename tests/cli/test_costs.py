"""Runs against an endpoint that is paid by the token: counted, limited, and estimated before."""

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.servers.by_length import counted_by_length
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import Body, OpenAIServer
from tests.servers.steady_author import answer_steadily

from uaeval.config import EvaluationConfig, SynthesisConfig, build
from uaeval.evaluation.manifest import read_manifest
from uaeval.llm.prices import open_prices
from uaeval.prompts import open_prompts
from uaeval.run.progress import ProgressListener
from uaeval.run.run import reopen_run
from uaeval.run_folder import Manifest, RunFolder
from uaeval.sweep.estimate import estimate_evaluation
from uaeval.synthesis.estimate import (
    attempts_of,
    estimate_synthesis,
    measure,
    observed,
)
from uaeval.synthesis.material import prepare
from uaeval.synthesis.run import plan_categories
from uaeval.synthesis.sessions import Session

if TYPE_CHECKING:
    from uaeval.config.keywords import SynthesisKeywords

Synthesize: TypeAlias = Callable[..., Done]
MODEL = "openai:gpt-4.1-mini"
STEADY = counted_by_length(answer_steadily)


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[:14]:
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def synthesize(uaeval: Uaeval, documents: Path) -> Synthesize:
    def run(folder: Path, server: OpenAIServer, *more: str) -> Done:
        options = ["--model", MODEL, "--categories", "safety_concerned", "--size", "30"]
        place = ["-o", folder, "--base-url", server.url, "--concurrency", "2"]
        return uaeval("synthesize", documents, *place, *options, *more)

    return run


def settings(
    documents: Path, folder: Path, server: OpenAIServer, **more: object
) -> SynthesisConfig:
    given = {"categories": ("safety_concerned",), "size": 30, **more}
    place = {"knowledge_base": str(documents), "output": folder, "base_url": server.url}
    given |= {"concurrency": 2}
    return build(SynthesisConfig, model=MODEL, **place, **given)


def _judge(body: Body) -> str:
    label = "answered" if "clarified" in json.dumps(body["response_format"]) else "yes"
    return json.dumps({"rationale": "r", "label": label})


def manifest_of(folder: Path) -> Manifest:
    manifest = RunFolder(folder).manifest()
    assert manifest
    return manifest


def totals(manifest: Manifest) -> Mapping[str, tuple[int, int, int]]:
    return {
        one.role: (one.calls, one.prompt_tokens, one.completion_tokens) for one in manifest.usage
    }


def test_a_limit_stops_a_run_which_then_resumes_and_takes_what_was_estimated(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval, documents: Path
) -> None:
    run = tmp_path / "run"
    with OpenAIServer(STEADY) as server:
        done = synthesize(run, server, "--max-calls", "45")
        assert done.code == 4
        assert "The limit of 45 calls (--max-calls) is reached" in done.err
        assert "The replies so far are kept" in done.err
        assert len(server.requests) == 45
        first = totals(manifest_of(run))
        assert sum(calls for calls, _, _ in first.values()) == 45

        assert "leave -o out" in uaeval("estimate", run, "-o", tmp_path / "other").err
        assert "size was 30, is 17" in uaeval("estimate", run, "--size", "17").err
        told = uaeval("estimate", run)
        assert "At the acceptance observed for safety concerned" in told.out
        expected, _ = asyncio.run(
            estimate_synthesis(settings(documents, run, server), ProgressListener())
        ).ends
        assert len(server.requests) == 45

        done = synthesize(run, server)
        assert done.code == 0
    whole = totals(manifest_of(run))
    asked = [json.dumps(body["messages"]) for body in server.requests]
    assert len(asked) == len(set(asked)) == sum(calls for calls, _, _ in whole.values())
    for amount in expected:
        left = (amount.calls, amount.prompt_tokens, amount.completion_tokens)
        told_in_all = [made + more for made, more in zip(first[amount.role], left, strict=True)]
        assert told_in_all == pytest.approx(whole[amount.role], rel=0.2)
    prices = open_prices(None)
    for one in manifest_of(run).usage:
        price = prices.price(one.model)
        assert price
        cost = (one.prompt_tokens * price.input + one.completion_tokens * price.output) / 1e6
        assert one.cost_usd == pytest.approx(cost)
    assert "per accepted query" in uaeval("show", run).out
    assert "needs no further calls" in uaeval("estimate", run).out


def test_a_cost_limit_requires_a_price_which_a_file_can_give(
    tmp_path: Path, uaeval: Uaeval, documents: Path
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(
        "providers: {openai: {as_of: 2026-01-01, models: {mine: {input: 2, output: 2}}}}"
    )
    with OpenAIServer(STEADY) as server:
        given = ["synthesize", documents, "-o", tmp_path / "run", "--base-url", server.url]
        given += ["--model", "openai:mine", "--categories", "safety_concerned", "--size", "3"]
        refused = uaeval(*given, "--max-cost", "0.01")
        assert refused.code == 2
        assert "the price of openai:mine is unknown; give it with --prices FILE" in refused.err
        assert not server.requests
        done = uaeval(*given, "--max-cost", "0.01", "--prices", prices, "--concurrency", "2")
        assert done.code == 4
        assert "The limit of $0.01 (--max-cost) is reached" in done.err
    manifest = manifest_of(tmp_path / "run")
    spent = sum(one.cost_usd or 0 for one in manifest.usage)
    assert 0.008 < spent < 0.016
    assert manifest.prices["openai:mine"].input == 2
    refused = uaeval(*given, "--mode", "batch", "--max-calls", "4")
    assert refused.code == 2
    assert "they limit live calls" in refused.err


def test_an_evaluation_is_counted_by_role_and_can_be_limited(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    with OpenAIServer(STEADY) as server:
        assert synthesize(run, server, "--size", "4").code == 0
    with OpenAIServer(_judge) as server:
        given = ["evaluate", run, "--judge", MODEL, "--base-url", server.url]
        done = uaeval(*given, "--max-calls", "10")
        assert done.code == 4
        assert len(server.requests) == 10
        assert "$" in uaeval("estimate", run, "--evaluation", "--judge", MODEL).out
        assert judge_calls(run, samples=3) == 3 * judge_calls(run, samples=1) > 0
        assert uaeval(*given).code == 0
    manifest = read_manifest(run / "evaluations" / "rag" / "manifest.json")
    assert manifest
    assert [one.role for one in manifest.usage] == ["judge"]
    assert manifest.usage[0].calls == len(server.requests)
    report = (run / "evaluations" / "rag" / "report.md").read_text(encoding="utf-8")
    assert "Calls, tokens and cost" in report


def judge_calls(run: Path, samples: int) -> float:
    config = build(EvaluationConfig, dataset=run, judge=MODEL, samples=samples)
    [judge] = asyncio.run(estimate_evaluation(config))
    return judge.calls


def test_before_a_run_a_range_is_estimated_and_no_index_is_left(
    tmp_path: Path, uaeval: Uaeval, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    options = ["--categories", "nonsensical", "--size", "8"]
    told = uaeval("estimate", documents, "--model", MODEL, *options)
    assert told.code == 0
    assert "At an acceptance of 50% to 90%" in told.out
    assert not list(tmp_path.rglob("index"))
    assert "no calls, no cost" in uaeval("estimate", documents, *options).out
    run = tmp_path / "run"
    told = uaeval("estimate", documents, "--model", "openai:mine", "-o", run, *options)
    assert "unknown" in told.out
    assert (run / "index").is_dir()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--model", "nonesuch"], "'nonesuch' is not a model"),
        (["--judge", MODEL], "which does not take --judge"),
        (["--evaluation"], "is not the folder of a run"),
        (["--prices", "none.yaml"], "no such price file: none.yaml"),
    ],
)
def test_an_estimate_refuses_what_it_cannot_use(
    uaeval: Uaeval, options: list[str], says: str
) -> None:
    refused = uaeval("estimate", DOCUMENTS, *options)
    assert refused.code == 2
    assert says in refused.err


def test_an_estimate_of_a_finished_offline_run_says_that_nothing_is_left(
    uaeval: Uaeval, documents: Path, tmp_path: Path
) -> None:
    selected = ("--categories", "nonsensical", "--size", "2")
    assert uaeval("synthesize", documents, "-o", tmp_path / "run", *selected).code == 0
    shown = uaeval("estimate", tmp_path / "run")
    assert (shown.code, shown.err) == (0, "")
    assert "needs no further calls" in shown.out


@pytest.mark.slow
def test_rates_and_measured_prompts_tell_a_whole_run_of_the_offline_engine_within_a_fifth(
    tmp_path: Path,
) -> None:
    from uaeval import synthesize

    selected = ("false_presupposition", "nonsensical", "modality_limited")
    given: SynthesisKeywords = {"size": 30, "categories": selected}
    with OpenAIServer(counted_by_length(offline_answer)) as server:
        asked: SynthesisKeywords = {**given, "model": MODEL, "base_url": server.url}
        synthesize(DOCUMENTS, tmp_path / "run", **asked)
        config = settings(DOCUMENTS, tmp_path / "fresh", server, **given)
    material = asyncio.run(prepare(Session.of(config, ProgressListener())))
    lines = plan_categories(config, material)
    sample = asyncio.run(measure(lines, material.index, config, open_prompts(None)))
    manifest = manifest_of(tmp_path / "run")
    with reopen_run(tmp_path / "run", manifest) as run:
        entries = run.models.ledger.entries()
    expected: dict[str, float] = {}
    for line in lines:
        rates = observed(
            line.name, manifest, {each.prompt: each.first_attempts for each in entries}
        )
        assert rates
        attempts = attempts_of(line, rates.accepted, batch=False)
        expected |= {prompt: attempts * share for prompt, share in rates.calls.items()}
    real = {entry.prompt: entry for entry in entries}
    made = sum(used.calls for used in real.values())
    tokens = sum(used.prompt_tokens for used in real.values())
    assert sum(expected.values()) == pytest.approx(made, rel=0.2)
    sent = sum(calls * sample.sizes[prompt].prompt for prompt, calls in expected.items())
    assert sent == pytest.approx(tokens, rel=0.2)
