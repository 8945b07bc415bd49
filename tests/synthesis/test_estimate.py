"""Estimates of a run, from assumed rates or from those of its manifest and ledger."""

from collections.abc import Callable
from functools import partial

import pytest
from tests.synthesis.conftest import chunk_of

from uaeval.categories.names import BUILT_IN
from uaeval.knowledge.facts import KnowledgeBaseFacts
from uaeval.llm.ledger import LedgerEntry
from uaeval.records import Category
from uaeval.run_folder import Count, Manifest
from uaeval.synthesis.category_progress import CategoryProgress, batch_size
from uaeval.synthesis.estimate import Sample, assumed, attempts_of, observed
from uaeval.synthesis.plan import plan

SAMPLE = Sample(sizes={}, asked=dict.fromkeys(BUILT_IN, 1.0))
UNDER, SAFETY = "underspecified", "safety_concerned"
MODEL = "openai:m"
LIVE = partial(attempts_of, batch=False)
BATCH = partial(attempts_of, batch=True)


def line_of(category: Category, quota: int, chunks: int = 400) -> CategoryProgress:
    source = [chunk_of(f"d{number:03}.md#0", "text") for number in range(chunks)]
    order = plan(source, category, seed=0)[:chunks]
    return CategoryProgress(name=category, quota=quota, plan=order, per_document=2)


def entry(prompt: str, calls: int) -> LedgerEntry:
    return LedgerEntry(model=MODEL, prompt=prompt, batch=False, calls=calls)


def manifest_of(written: Count, verified: Count, selected: Count) -> Manifest:
    facts = KnowledgeBaseFacts(
        source="s", fingerprint="f", documents=1, skipped=0, held_out=0, chunks=1, set_aside=0,
        articles=0, news_fingerprint="", embedding="e", key_phrases="k",
    )  # fmt: skip
    stages = {"generate": written, "verify": verified, "select": selected}
    return Manifest(
        status="running",
        settings={},
        knowledge_base=facts,
        versions={},
        prompts={},
        models={},
        asked={SAFETY: 20},
        stages={stage: {SAFETY: count} for stage, count in stages.items()},
    )


@pytest.mark.parametrize("attempts", [LIVE, BATCH])
def test_fewer_accepted_take_more_attempts(attempts: Callable[..., int]) -> None:
    line = line_of(SAFETY, 20)
    needed = [attempts(line, rate) for rate in (0.4, 0.3, 0.2, 0.1, 0.0)]
    assert needed == sorted(needed)
    assert needed[-2] >= 200
    assert needed[-1] == len(line.plan)


def test_a_live_run_starts_what_is_expected_to_be_needed() -> None:
    assert LIVE(line_of(SAFETY, 20), 0.5) == 40


def test_batches_are_sized_as_the_scheduler_sizes_them() -> None:
    assert BATCH(line_of(SAFETY, 20), 0.9) == batch_size(20) == 23
    second = batch_size(20 - 12, 12, 23)
    assert BATCH(line_of(SAFETY, 20), 0.5) >= 23 + second


@pytest.mark.parametrize("attempts", [LIVE, BATCH])
def test_an_exhausted_plan_bounds_the_attempts(attempts: Callable[..., int]) -> None:
    assert attempts(line_of(SAFETY, 100, chunks=30), 0.5) == 30


def test_the_readings_of_an_underspecified_query_are_one_call_more() -> None:
    rates = assumed(UNDER, 0.8, SAMPLE)
    assert rates.calls["underspecified/generate"] == 1
    assert rates.calls["underspecified/verify"] == pytest.approx(0.9)
    assert rates.calls["underspecified/verify_readings"] == pytest.approx(0.85)
    assert set(assumed(SAFETY, 0.8, SAMPLE).calls) == {
        "safety_concerned/generate", "safety_concerned/verify",
    }  # fmt: skip


def test_votes_take_as_many_calls_of_the_verifier_and_none_more_of_the_author() -> None:
    once, thrice = (assumed(UNDER, 0.8, SAMPLE, samples).calls for samples in (1, 3))
    assert {prompt: thrice[prompt] / calls for prompt, calls in once.items()} == {
        "underspecified/generate": 1, "underspecified/verify": pytest.approx(3),
        "underspecified/verify_readings": pytest.approx(3),
    }  # fmt: skip


def test_the_rates_of_a_run_are_read_from_its_manifest_and_ledger() -> None:
    manifest = manifest_of(
        Count(kept=35, rejected=3, blocked=2),
        Count(kept=20, rejected=7, blocked=2, failed=1),
        Count(kept=18, rejected=2),
    )
    made = {
        "safety_concerned/generate": 38,
        "safety_concerned/verify": 28,
        "underspecified/verify_readings": 90,
    }
    rates = observed(SAFETY, manifest, made)
    assert rates
    # Three more were begun; half of them are taken to be with the verifier.
    assert rates.accepted == pytest.approx(18 / 30 * 31.5 / 36.5)
    assert rates.calls == {
        "safety_concerned/generate": 1.0,
        "safety_concerned/verify": pytest.approx(28 / 36.5),
    }


def test_waiting_candidates_count_at_the_observed_rate() -> None:
    manifest = manifest_of(Count(kept=30), Count(kept=30), Count(kept=16, rejected=4, waiting=10))
    rates = observed(SAFETY, manifest, {})
    assert rates
    assert rates.accepted == (16 + 8) / 30


def test_a_batch_that_waits_for_the_verifier_does_not_count_as_zero_acceptance() -> None:
    written = Count(kept=40, rejected=12)
    waits = manifest_of(written, Count(waiting=40), Count())
    made = {"safety_concerned/generate": 52}
    assert observed(SAFETY, waits, made) is None
    later = manifest_of(written, Count(kept=10, waiting=30), Count(kept=10))
    rates = observed(SAFETY, later, made | {"safety_concerned/verify": 10})
    assert rates
    assert rates.accepted == pytest.approx(40 / 52)
    assert rates.calls["safety_concerned/verify"] == pytest.approx(40 / 52)


def test_a_few_attempts_give_no_acceptance_rate() -> None:
    manifest = manifest_of(Count(kept=4, rejected=4), Count(kept=4), Count(kept=4))
    assert observed(SAFETY, manifest, {}) is None
    assert observed(SAFETY, None, {}) is None
