"""Estimate the calls, tokens and cost of a synthesis, or of the rest of one."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.registry import category as category_of
from uaeval.config import SynthesisConfig
from uaeval.errors import ConfigError
from uaeval.llm.ledger import LedgerEntry
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import (
    CHARACTERS_PER_TOKEN,
    DECLINED,
    RoleForecast,
    RolePrices,
    Size,
    amounts,
)
from uaeval.prompts import open_prompts
from uaeval.records import Category
from uaeval.run.progress import ProgressListener
from uaeval.run.run import reopen_run
from uaeval.run_folder import Manifest
from uaeval.synthesis.category_progress import CategoryProgress, batch_size
from uaeval.synthesis.easy import CLOSED_BOOK
from uaeval.synthesis.material import prepare
from uaeval.synthesis.panel import RAG_PROMPT
from uaeval.synthesis.rates import Rates, assumed, observe, written_share
from uaeval.synthesis.run import compared, planned_lines, roles_of
from uaeval.synthesis.sample import Sample, measure
from uaeval.synthesis.sessions import Session, earlier_session

LOWEST_ACCEPTANCE, HIGHEST_ACCEPTANCE = 0.5, 0.9
"""Between these lies the share of attempts that become queries, before anything was observed."""
FEWEST_CALLS = 10
"""Calls under a prompt after which its observed size is used."""


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
    prices = open_prices(config.prices, earlier.prices if earlier else None)
    names = {role: settings.name for role, settings in roles_of(config).items()}
    terms = RolePrices(models=names, prices=prices, batch=config.mode == "batch")
    entries: tuple[LedgerEntry, ...] = ()
    if folder.store_path.exists():
        with reopen_run(folder.path, earlier) as run:
            entries = run.ledger.entries()
    material = await prepare(session)
    with material.index as index:
        lines = planned_lines(config, material, compared(config, material))
        progress.started("measuring prompts on a sample of the plan")
        sample = await measure(lines, index, config, open_prompts(config.prompts))
    return _estimate(config, lines, sample, earlier, entries, terms)


def _estimate(
    config: SynthesisConfig,
    lines: Sequence[CategoryProgress],
    sample: Sample,
    earlier: Manifest | None,
    entries: Sequence[LedgerEntry],
    terms: RolePrices,
) -> Estimate:
    spare = math.ceil(config.concurrency / len(lines))
    seen = {line.category: observe(line.category, earlier, entries) for line in lines}
    asked_rag = sum(entry.asked for entry in entries if entry.prompt == RAG_PROMPT)
    asked_closed_book = sum(entry.asked for entry in entries if entry.prompt == CLOSED_BOOK)
    known = {name: rates for name, observed in seen.items() if (rates := observed.rates())}

    def at(accepted: float) -> tuple[RoleForecast, ...]:
        calls: dict[str, float] = {}
        proven = 0.0
        for line in lines:
            rates = known.get(line.category) or assumed(
                line.category, accepted, sample, config.samples
            )
            attempts = attempts_of(line, rates.accepted, batch=terms.batch, spare=spare)
            calls |= calls_left(attempts, rates, seen[line.category].calls)
            proven += attempts * rates.accepted
            if config.ask_rag and category_of(line.category).outside:
                calls[RAG_PROMPT] = max(0.0, attempts * rates.accepted - asked_rag)
        if config.closed_book_check:
            calls[CLOSED_BOOK] = max(0.0, 2 * proven - asked_closed_book)
        return amounts(calls, _sizes(sample, entries, accepted), terms)

    wanted = sum(line.quota for line in lines)
    chosen = sum(earlier.chosen.values()) if earlier else 0
    return Estimate(
        ends=(at(HIGHEST_ACCEPTANCE), at(LOWEST_ACCEPTANCE)),
        wanted=wanted,
        missing=wanted - chosen,
        observed=tuple(known),
    )


def _sizes(sample: Sample, entries: Iterable[LedgerEntry], accepted: float) -> dict[str, Size]:
    """Return the size of a call by prompt: observed from `FEWEST_CALLS` on, else measured."""
    sizes = {name: _with_declined(name, size, accepted) for name, size in sample.sizes.items()}
    for entry in entries:
        enough = entry.asked >= FEWEST_CALLS or entry.prompt not in sizes
        if enough and entry.asked and not entry.without_usage:
            sizes[entry.prompt] = Size(
                prompt=entry.prompt_tokens / entry.asked,
                completion=entry.completion_tokens / entry.asked,
            )
    return sizes


def _with_declined(prompt: str, size: Size, accepted: float) -> Size:
    """Mix in the short replies of an author that declines."""
    if role_of(prompt) is not Role.GENERATOR:
        return size
    written = written_share(accepted)
    declined = (1 - written) * DECLINED / CHARACTERS_PER_TOKEN
    return Size(prompt=size.prompt, completion=written * size.completion + declined)


def calls_left(attempts: int, rates: Rates, made: Mapping[str, int]) -> dict[str, float]:
    """Return the calls by prompt that so many attempts take, after those `made`."""
    return {
        prompt: max(0.0, attempts * share - made.get(prompt, 0))
        for prompt, share in rates.calls.items()
    }
