"""Measure the prompts of a run on a sample of its plan, with real passages but without calls."""

import random
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from uaeval.categories.registry import category
from uaeval.config import SynthesisConfig
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.sizing import Size, SizingModel
from uaeval.prompts import PromptLibrary
from uaeval.records import Assignment, Candidate, Category, Reading, Twin
from uaeval.synthesis.category_progress import CategoryProgress
from uaeval.synthesis.generate import Generate, author_context
from uaeval.synthesis.panel import ask_closed_book, ask_rag
from uaeval.synthesis.verify import Verify

SAMPLE = 24
"""Number of assignments of each category that are measured."""
HEAD = 3
"""The sample is drawn from the first assignments of the plan: this multiple of the quota."""
QUESTION_WORDS, ANSWER_WORDS = 14, 7
"""Typical lengths of a question and of an answer, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The measured prompts."""

    sizes: Mapping[str, Size]
    """Mean tokens of a call, by prompt."""
    asked: Mapping[Category, float]
    """Share of assignments that have suitable passages and reach the author."""


async def measure(
    categories: Sequence[CategoryProgress],
    index: HybridIndex,
    config: SynthesisConfig,
    prompts: PromptLibrary,
) -> Sample:
    """Render the author's and the verifier's prompts for a seeded sample of each category's plan.

    Texts of a typical length, taken from the passage, replace what a reply would contain.
    """
    model = SizingModel(prompts)
    generate = Generate(author_context(index), model, config.language)
    verify = Verify(index, model, config.modalities, config.shown_to_verifier)
    asked = {}
    for progress in categories:
        head = progress.plan[: max(SAMPLE, HEAD * progress.quota)]
        rng = random.Random(f"{config.seed}/estimate/{progress.name}")
        drawn = rng.sample(head, min(SAMPLE, len(head)))
        for assignment in drawn:
            await model.measure([generate(assignment)])
            await model.measure(_asks(stand_in(assignment, index), verify))
        calls = model.calls().get(f"{progress.name}/generate", 0)
        asked[progress.name] = calls / len(drawn) if drawn else 0.0
    return Sample(sizes=model.sizes(), asked=asked)


def _asks(candidate: Candidate, verify: Verify) -> Iterator[Awaitable[object]]:
    """Yield every call that may be made about a written candidate."""
    spec = category(candidate.category)
    yield spec.ask_verifier(verify, candidate)
    if spec.outside:
        yield ask_rag(verify.retriever, verify.model, candidate.question)
    yield ask_closed_book(verify.model, candidate.question)
    if second := spec.prove:
        yield second.ask(verify, candidate)


def stand_in(assignment: Assignment, index: HybridIndex) -> Candidate:
    """Return a candidate of a typical length whose texts are taken from its passage."""
    source = assignment.chunk
    spec = category(assignment.category)
    twin_chunk = index.search(source.text, 1)[0].chunk if spec.outside else source
    count = spec.typical_readings
    readings = [hit.chunk for hit in index.search(source.text, count)] if count else []
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
            Reading(question=question, value=words[0], chunk_id=chunk.id, answer=answer)
            for chunk in readings
        ),
        premise=question,
        outside_answer=answer,
        phrasings=(question, " ".join(words[-QUESTION_WORDS:])),
    )
