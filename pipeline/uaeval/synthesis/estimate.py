"""Estimate the calls, tokens and cost of a synthesis, or of the rest of one.

The prompts are measured on a sample of the plan, with real passages but without calls.
"""

import math
import random
from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from uaeval.categories.registry import category as category_of
from uaeval.config import SynthesisConfig
from uaeval.errors import ConfigError
from uaeval.knowledge.index import HybridIndex
from uaeval.llm import sizing
from uaeval.llm.ledger import LedgerEntry
from uaeval.llm.prices import PriceTable, open_prices
from uaeval.llm.roles import ModelSettings, Role, role_of
from uaeval.prompts import PromptLibrary, open_prompts
from uaeval.records import Assignment, Candidate, Category, Reading, Twin
from uaeval.run.progress import ProgressListener
from uaeval.run.run import reopen_run
from uaeval.run_folder import Count, Manifest
from uaeval.synthesis.category_progress import CategoryProgress, batch_size
from uaeval.synthesis.generate import author_context, generate
from uaeval.synthesis.material import prepare
from uaeval.synthesis.run import plan_categories, roles_of
from uaeval.synthesis.sessions import Session, earlier_session
from uaeval.synthesis.verify import CLOSED_BOOK, RAG_PROMPT, Verify, ask_closed_book, ask_rag

LOWEST_ACCEPTANCE, HIGHEST_ACCEPTANCE = 0.5, 0.9
"""Bounds of the assumed share of attempts that become queries, before any share was observed."""
ENOUGH = 10
"""Number of calls of a prompt, or of ended attempts of a category, that replace assumptions."""
SAMPLE = 24
"""Number of assignments of each category that are measured."""
HEAD = 3
"""The sample is drawn from the first assignments of the plan: this multiple of the quota."""
QUESTION_WORDS, ANSWER_WORDS = 14, 7
"""Typical lengths of a question and of an answer, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Calls, tokens and cost of a synthesis, or of the rest of one."""

    ends: tuple[tuple[sizing.RoleForecast, ...], tuple[sizing.RoleForecast, ...]]
    """The forecasts by role at the highest, and at the lowest acceptance rate."""
    wanted: int
    """Number of queries that were requested."""
    missing: int
    """Number of queries that are still to be written."""
    observed: tuple[Category, ...]
    """Categories whose acceptance rate was observed, not assumed."""


class Rates(NamedTuple):
    """What an attempt at one category leads to, on average."""

    accepted: float
    """Share of attempts that become usable queries."""
    calls: Mapping[str, float]
    """Calls per attempt, by prompt."""


class Sample(NamedTuple):
    """The measured prompts."""

    sizes: Mapping[str, sizing.Size]
    """Mean tokens of a call, by prompt."""
    asked: Mapping[Category, float]
    """Share of assignments that have suitable passages and reach the author."""


def assumed(category: Category, accepted: float, sample: Sample, samples: int = 1) -> Rates:
    """Return the rates of a category without enough observed attempts.

    Half of the attempts that are not accepted are assumed to end before the verifier, because the
    author declines or a code check fails. The others reach it; half of them fail its first
    question, where there are two.
    """
    asked, written = sample.asked[category], (1 + accepted) / 2
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

    `made` are its calls by prompt. An interrupted attempt has made calls but has no outcome. Half
    of the interrupted attempts are assumed to have reached the verifier; without them, declined
    attempts, which end first, would count too much.
    """
    stages = manifest.stages if manifest else {}
    written, verified, selected = (
        stages.get(stage, {}).get(category, Count()) for stage in ("generate", "verify", "select")
    )
    ended = sum((verified.kept, verified.rejected, verified.failed, verified.blocked))
    finished = written.rejected + written.failed + written.blocked + ended
    if finished < ENOUGH or not ended:
        return None
    usable: float = selected.kept + selected.reasons.get("spare", 0)
    decided = verified.kept - selected.waiting
    usable += selected.waiting * (usable / decided if decided else 1)
    calls = {prompt: n for prompt, n in made.items() if prompt.partition("/")[0] == category}
    author = {prompt for prompt in calls if role_of(prompt) is Role.GENERATOR}
    interrupted = max(0, sum(map(calls.__getitem__, author)) - finished - verified.waiting)
    verifying = ended + interrupted / 2
    reached = verifying + verified.waiting
    started = finished - ended + reached
    shares = {
        prompt: min(1.0, n / started) if prompt in author else n / verifying * reached / started
        for prompt, n in calls.items()
    }
    return Rates(accepted=usable / ended * reached / started, calls=shares)


def attempts_of(category: CategoryProgress, accepted: float, *, batch: bool) -> int:
    """Return how many attempts a run starts to fill a quota at a steady acceptance rate."""
    if not accepted:
        return len(category.plan)
    if not batch:
        return min(math.ceil(category.quota / accepted), len(category.plan))
    tried = usable = 0
    while (missing := category.quota - usable) > 0:
        tried += batch_size(missing, usable, tried)
        usable = math.floor(tried * accepted)
    return min(tried, len(category.plan))


async def estimate_synthesis(config: SynthesisConfig, progress: ProgressListener) -> Estimate:
    """Return the estimate for the rest of the run, without calling a model.

    The knowledge base is indexed in `config.output`. Raise `UsageError` as `synthesize` does.
    """
    if config.queries:
        raise ConfigError("a run on your own queries cannot be estimated; leave `queries` out")
    session = Session.of(config, progress)
    folder, earlier = session.folder, earlier_session(session)
    if earlier and earlier.status == "complete":
        return Estimate(ends=((), ()), wanted=config.size, missing=0, observed=())
    models = roles_of(config)
    prices = open_prices(config.prices, earlier.prices if earlier else None)
    entries: tuple[LedgerEntry, ...] = ()
    if folder.store_path.exists():
        with reopen_run(folder.path, earlier) as run:
            entries = run.models.ledger.entries()
    material = await prepare(session)
    with material.index as index:
        categories = plan_categories(config, material)
        progress.started("measuring prompts on a sample of the plan")
        sample = await measure(categories, index, config, open_prompts(config.prompts))
    return _estimate(config, categories, sample, earlier, entries, models, prices)


def _estimate(
    config: SynthesisConfig,
    categories: Sequence[CategoryProgress],
    sample: Sample,
    earlier: Manifest | None,
    entries: Sequence[LedgerEntry],
    models: Mapping[Role, ModelSettings],
    prices: PriceTable,
) -> Estimate:
    made = Counter[str]()
    for entry in entries:
        made[entry.prompt] += entry.first_attempts
    observed_rates = {each.name: observed(each.name, earlier, made) for each in categories}

    def at(accepted: float) -> tuple[sizing.RoleForecast, ...]:
        calls: dict[str, float] = {}
        proven = 0.0
        for category in categories:
            name = category.name
            rates = observed_rates[name] or assumed(name, accepted, sample, config.samples)
            attempts = attempts_of(category, rates.accepted, batch=config.mode == "batch")
            calls |= {prompt: attempts * share for prompt, share in rates.calls.items()}
            proven += attempts * rates.accepted
            if config.ask_rag and category_of(name).outside:
                calls[RAG_PROMPT] = attempts * rates.accepted
        if config.closed_book_check:
            calls[CLOSED_BOOK] = 2 * proven
        left = {prompt: max(0.0, count - made[prompt]) for prompt, count in calls.items()}
        return sizing.forecast(left, _sizes(sample, entries, accepted), models, prices)

    wanted = sum(category.quota for category in categories)
    selected = sum(earlier.selected.values()) if earlier else 0
    return Estimate(
        ends=(at(HIGHEST_ACCEPTANCE), at(LOWEST_ACCEPTANCE)),
        wanted=wanted,
        missing=wanted - selected,
        observed=tuple(name for name, rates in observed_rates.items() if rates),
    )


def _sizes(
    sample: Sample, entries: Iterable[LedgerEntry], accepted: float
) -> dict[str, sizing.Size]:
    """Return the size of a call by prompt: observed after `ENOUGH` calls, else measured.

    The measured size of an author's reply is averaged with the short replies that decline.
    """
    written, sizes = (1 + accepted) / 2, dict(sample.sizes)  # as `assumed`
    declined = (1 - written) * sizing.DECLINED / sizing.CHARACTERS_PER_TOKEN
    for name, size in sample.sizes.items():
        if role_of(name) is Role.GENERATOR:
            completion = written * size.completion + declined
            sizes[name] = sizing.Size(prompt=size.prompt, completion=completion)
    for entry in entries:
        enough = entry.first_attempts >= ENOUGH or entry.prompt not in sizes
        if enough and entry.first_attempts and not entry.without_usage:
            sizes[entry.prompt] = sizing.Size(
                prompt=entry.prompt_tokens / entry.first_attempts,
                completion=entry.completion_tokens / entry.first_attempts,
            )
    return sizes


async def measure(
    categories: Sequence[CategoryProgress],
    index: HybridIndex,
    config: SynthesisConfig,
    prompts: PromptLibrary,
) -> Sample:
    """Render the author's and the verifier's prompts for a seeded sample of each category's plan.

    Texts of a typical length, taken from the passage, replace what a reply would contain.
    """
    model = sizing.SizingModel(prompts)
    context = author_context(index)
    verify = Verify(index, model, config.modalities, config.shown_to_verifier)
    asked = {}
    for progress in categories:
        head = progress.plan[: max(SAMPLE, HEAD * progress.quota)]
        rng = random.Random(f"{config.seed}/estimate/{progress.name}")
        drawn = rng.sample(head, min(SAMPLE, len(head)))
        for assignment in drawn:
            await model.measure([generate(context, model, config.language, assignment)])
            await model.measure(_asks(_stand_in(assignment, index), verify))
        calls = model.calls().get(f"{progress.name}/generate", 0)
        asked[progress.name] = calls / len(drawn) if drawn else 0.0
    return Sample(sizes=model.sizes(), asked=asked)


def _asks(candidate: Candidate, verify: Verify) -> Iterator[Awaitable[object]]:
    spec = category_of(candidate.category)
    yield spec.ask_verifier(verify, candidate)
    if spec.outside:
        yield ask_rag(verify.retriever, verify.model, candidate.question)
    yield ask_closed_book(verify.model, candidate.question)
    if second := spec.prove:
        yield second.ask(verify, candidate)


def _stand_in(assignment: Assignment, index: HybridIndex) -> Candidate:
    """Return a candidate of a typical length whose texts are taken from its passage."""
    source, spec = assignment.chunk, category_of(assignment.category)
    twin_chunk = index.search(source.text, 1)[0].chunk if spec.outside else source
    words, twin_words = source.text.split(), twin_chunk.text.split()
    question, answer = " ".join(words[:QUESTION_WORDS]), " ".join(words[:ANSWER_WORDS])
    return Candidate(
        id=assignment.id,
        category=assignment.category,
        subtype=assignment.subtype,
        question=question,
        reason="",
        twin=Twin(
            question=" ".join(twin_words[-QUESTION_WORDS:]),
            reference_answer=" ".join(twin_words[:ANSWER_WORDS]),
            chunk_id=twin_chunk.id,
            quote="",
        ),
        source_chunk_id=source.id,
        readings=tuple(
            Reading(question=question, value=words[0], chunk_id=hit.chunk.id, answer=answer)
            for hit in index.search(source.text, spec.typical_readings)
        ),
        premise=question,
        outside_answer=answer,
        phrasings=(question, " ".join(words[-QUESTION_WORDS:])),
    )
