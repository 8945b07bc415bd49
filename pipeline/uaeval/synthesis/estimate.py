"""Estimate the calls, tokens and cost of a synthesis, or of the rest of one."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.registry import category as category_of
from uaeval.config import SynthesisConfig
from uaeval.errors import ConfigError
from uaeval.llm.ledger import LedgerEntry
from uaeval.llm.prices import PriceTable, open_prices
from uaeval.llm.roles import ModelSettings, Role, role_of
from uaeval.llm.sizing import (
    CHARACTERS_PER_TOKEN,
    DECLINED,
    RoleForecast,
    Size,
    forecast,
)
from uaeval.prompts import open_prompts
from uaeval.records import Category
from uaeval.run.progress import ProgressListener
from uaeval.run.run import reopen_run
from uaeval.run_folder import Count, Manifest
from uaeval.synthesis.category_progress import CategoryProgress, batch_size
from uaeval.synthesis.material import prepare
from uaeval.synthesis.panel import CLOSED_BOOK, RAG_PROMPT
from uaeval.synthesis.run import compared, planned_lines, roles_of
from uaeval.synthesis.sample import Sample, measure
from uaeval.synthesis.sessions import Session, earlier_session

LOWEST_ACCEPTANCE, HIGHEST_ACCEPTANCE = 0.5, 0.9
"""Between these lies the share of attempts that become queries, before anything was observed."""
FEWEST_CALLS = 10
"""Calls under a prompt after which its observed size is used."""
FEWEST_SETTLED = 10
"""Attempts of a category that must have ended before its own acceptance rate is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Calls, tokens and cost of a synthesis, or of the rest of one."""

    ends: tuple[tuple[RoleForecast, ...], tuple[RoleForecast, ...]]
    """At the highest and at the lowest acceptance; by role."""
    wanted: int
    """Queries that were requested."""
    missing: int
    """Queries that are still to be written."""
    observed: tuple[Category, ...]
    """Categories whose acceptance was observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How attempts at one category end, as shares of all."""

    accepted: float
    """Become usable queries."""
    calls: Mapping[str, float]
    """Calls of each prompt, for one attempt."""


def written_share(accepted: float) -> float:
    """Return the share of attempts that is assumed to reach the verifier."""
    return (1 + accepted) / 2


def assumed(category: Category, accepted: float, sample: Sample, samples: int = 1) -> Rates:
    """Return the rates where nothing was observed.

    Of what is not accepted, half never reaches the verifier: declined, or stopped by code. Of the
    rest, half fails at the first of two questions to the verifier.
    """
    asked, written = sample.asked[category], written_share(accepted)
    if not asked:
        return Rates(accepted=0.0, calls={})
    calls = {f"{category}/generate": asked, f"{category}/verify": samples * asked * written}
    if second := category_of(category).prove:
        calls[f"{category}/{second.role}"] = samples * asked * (written + accepted) / 2
    return Rates(accepted=accepted * asked, calls=calls)


def observed(
    category: Category, manifest: Manifest | None, made: Mapping[str, int]
) -> Rates | None:
    """Return the rates of a run so far, or `None` if too few attempts have ended.

    `made` are its calls by prompt. An attempt that was interrupted has made calls but has no
    outcome. Half of these are assumed to have reached the verifier; without them, declined
    attempts, which end first, would count too much.
    """
    stages = manifest.stages if manifest else {}
    written, verified, chosen = (
        stages.get(stage, {}).get(category, Count()) for stage in ("generate", "verify", "select")
    )
    ended = sum((verified.kept, verified.rejected, verified.failed, verified.blocked))
    settled = written.rejected + written.failed + written.blocked + ended
    if settled < FEWEST_SETTLED or not ended:
        return None
    usable: float = chosen.kept + chosen.reasons.get("spare", 0)
    looked_at = verified.kept - chosen.waiting
    usable += chosen.waiting * (usable / looked_at if looked_at else 1)
    calls = {prompt: n for prompt, n in made.items() if prompt.partition("/")[0] == category}
    author = {prompt for prompt in calls if role_of(prompt) is Role.GENERATOR}
    interrupted = max(0, sum(map(calls.__getitem__, author)) - settled - verified.waiting)
    asked = ended + interrupted / 2
    reached = asked + verified.waiting
    begun = settled - ended + reached
    shares = {
        prompt: min(1.0, n / begun) if prompt in author else n / asked * reached / begun
        for prompt, n in calls.items()
    }
    return Rates(accepted=usable / ended * reached / begun, calls=shares)


def attempts_of(line: CategoryProgress, accepted: float, *, batch: bool, spare: int) -> int:
    """Return how many attempts a run starts to fill a quota at a steady acceptance rate.

    `spare` are superfluous ones, in live mode.
    """
    wanted = math.ceil(category_of(line.category).oversample * line.quota)
    if not accepted:
        return len(line.plan)
    if not batch:
        return min(math.ceil(wanted / accepted) + spare, len(line.plan))
    tried = usable = 0
    while (missing := wanted - usable) > 0:
        tried += batch_size(missing, usable, tried)
        usable = math.floor(tried * accepted)
    return min(tried, len(line.plan))


async def estimate_synthesis(config: SynthesisConfig, progress: ProgressListener) -> Estimate:
    """Return what the rest of the run takes; no model is called.

    The knowledge base is indexed in `config.output`.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
    """
    if config.queries:
        raise ConfigError("a run on your own queries is not estimated; leave `queries` out")
    session = Session.of(config, progress)
    folder, earlier = session.folder, earlier_session(session)
    if earlier and earlier.status == "complete":
        return Estimate(ends=((), ()), wanted=config.size, missing=0, observed=())
    models = roles_of(config)
    prices = open_prices(config.prices, earlier.prices if earlier else None)
    entries: tuple[LedgerEntry, ...] = ()
    if folder.store_path.exists():
        with reopen_run(folder.path, earlier) as run:
            entries = run.ledger.entries()
    material = await prepare(session)
    with material.index as index:
        lines = planned_lines(config, material, compared(config, material))
        progress.started("measuring prompts on a sample of the plan")
        sample = await measure(lines, index, config, open_prompts(config.prompts))
    return _estimate(config, lines, sample, earlier, entries, models, prices)


def _estimate(
    config: SynthesisConfig,
    lines: Sequence[CategoryProgress],
    sample: Sample,
    earlier: Manifest | None,
    entries: Sequence[LedgerEntry],
    models: Mapping[Role, ModelSettings],
    prices: PriceTable,
) -> Estimate:
    spare, batch = math.ceil(config.concurrency / len(lines)), config.mode == "batch"
    made = Counter[str]()
    for entry in entries:
        made[entry.prompt] += entry.asked
    seen = {line.category: observed(line.category, earlier, made) for line in lines}

    def at(accepted: float) -> tuple[RoleForecast, ...]:
        calls: dict[str, float] = {}
        proven = 0.0
        for line in lines:
            name = line.category
            rates = seen[name] or assumed(name, accepted, sample, config.samples)
            attempts = attempts_of(line, rates.accepted, batch=batch, spare=spare)
            calls |= calls_left(attempts, rates, made)
            proven += attempts * rates.accepted
            if config.ask_rag and category_of(name).outside:
                calls[RAG_PROMPT] = max(0.0, attempts * rates.accepted - made[RAG_PROMPT])
        if config.closed_book_check:
            calls[CLOSED_BOOK] = max(0.0, 2 * proven - made[CLOSED_BOOK])
        return forecast(calls, _sizes(sample, entries, accepted), models, prices)

    wanted = sum(line.quota for line in lines)
    chosen = sum(earlier.chosen.values()) if earlier else 0
    return Estimate(
        ends=(at(HIGHEST_ACCEPTANCE), at(LOWEST_ACCEPTANCE)),
        wanted=wanted,
        missing=wanted - chosen,
        observed=tuple(name for name, rates in seen.items() if rates),
    )


def _sizes(sample: Sample, entries: Iterable[LedgerEntry], accepted: float) -> dict[str, Size]:
    """Return the size of a call by prompt: observed from `FEWEST_CALLS` on, else measured.

    To what was measured of an author, the short replies are added of one that declines.
    """
    written, sizes = written_share(accepted), dict(sample.sizes)
    declined = (1 - written) * DECLINED / CHARACTERS_PER_TOKEN
    for name, size in sample.sizes.items():
        if role_of(name) is Role.GENERATOR:
            completion = written * size.completion + declined
            sizes[name] = Size(prompt=size.prompt, completion=completion)
    for entry in entries:
        enough = entry.asked >= FEWEST_CALLS or entry.prompt not in sizes
        if enough and entry.asked and not entry.without_usage:
            sizes[entry.prompt] = Size(
                prompt=entry.prompt_tokens / entry.asked,
                completion=entry.completion_tokens / entry.asked,
            )
    return sizes


def calls_left(attempts: int, rates: Rates, made: Mapping[str, int]) -> dict[str, float]:
    """Return the calls by prompt that so many attempts take, after those `made`."""
    return {
        prompt: max(0.0, attempts * share - made.get(prompt, 0))
        for prompt, share in rates.calls.items()
    }
