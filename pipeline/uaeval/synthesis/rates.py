"""Rates at which attempts become queries: observed in a run, or assumed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from uaeval.categories.registry import category as category_of
from uaeval.llm.ledger import LedgerEntry
from uaeval.llm.roles import Role, role_of
from uaeval.records import Category
from uaeval.run_folder import Count, Manifest
from uaeval.synthesis.sample import Sample

FEWEST_SETTLED = 10
"""Attempts of a category that must have ended before its own acceptance rate is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How attempts at one category end, as shares of all."""

    accepted: float
    """Become usable queries."""
    calls: Mapping[str, float]
    """Calls of each prompt, for one attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedRates:
    """What a run's manifest and ledger record of one category."""

    settled: int
    """Attempts that ended in a query, a rejection or a failure."""
    verified: int
    """How many of them ended with the verifier."""
    waiting: int
    """Attempts whose verification waits for a batch."""
    usable: float
    """Proven pairs that can be selected; of pairs not yet considered, the same share."""
    calls: Mapping[str, int]
    """Calls so far by prompt."""

    def rates(self) -> Rates | None:
        """Return the rates so far, or `None` if too few attempts have ended.

        An attempt that was interrupted has made calls but has no outcome. Half of these are assumed
        to have reached the verifier; without them, declined attempts, which end first, would count
        too much.
        """
        if self.settled < FEWEST_SETTLED or not self.verified:
            return None
        author = (n for prompt, n in self.calls.items() if role_of(prompt) is Role.GENERATOR)
        interrupted = max(0, sum(author) - self.settled - self.waiting)
        asked = self.verified + interrupted / 2
        reached = asked + self.waiting
        begun = self.settled - self.verified + reached
        shares = {
            prompt: min(1.0, made / begun)
            if role_of(prompt) is Role.GENERATOR
            else made / asked * reached / begun
            for prompt, made in self.calls.items()
        }
        return Rates(accepted=self.usable / self.verified * reached / begun, calls=shares)


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


def observe(
    category: Category, manifest: Manifest | None, entries: Iterable[LedgerEntry]
) -> ObservedRates:
    """Return how the attempts at a category ended, and their calls."""
    stages = manifest.stages if manifest else {}
    written, verified, chosen = (
        stages.get(stage, {}).get(category, Count()) for stage in ("generate", "verify", "select")
    )
    ended = sum((verified.kept, verified.rejected, verified.failed, verified.blocked))
    calls = Counter[str]()
    for entry in entries:
        if entry.prompt.partition("/")[0] == category:
            calls[entry.prompt] += entry.asked
    usable = chosen.kept + chosen.reasons.get("spare", 0)
    looked_at = verified.kept - chosen.waiting
    return ObservedRates(
        settled=written.rejected + written.failed + written.blocked + ended,
        verified=ended,
        waiting=verified.waiting,
        usable=usable + chosen.waiting * (usable / looked_at if looked_at else 1),
        calls=calls,
    )
