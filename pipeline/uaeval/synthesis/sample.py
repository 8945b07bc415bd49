"""Measure the prompts of a run on a sample of its plan, with real passages and no call."""

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
"""Assignments of each category that are measured."""
HEAD = 3
"""The sample is drawn from the first assignments, so many times the quota."""
QUESTION_WORDS, ANSWER_WORDS = 14, 7
"""Typical lengths of a question and of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The measured prompts."""

    sizes: Mapping[str, Size]
    """Mean tokens of a call, by prompt."""
    asked: Mapping[Category, float]
    """The share of assignments that reach the author, as they have passages to write from."""


async def measure(
    lines: Sequence[CategoryProgress],
    index: HybridIndex,
    config: SynthesisConfig,
    prompts: PromptLibrary,
) -> Sample:
    """Render the author's and the verifier's prompt for a seeded sample of each category's plan.

    Words of the passage, of typical length, replace what a reply would provide.
    """
    model = SizingModel(prompts)
    generate = Generate(author_context(index), model, config.language)
    verify = Verify(index, model, config.modalities, config.shown_to_verifier)
    asked = {}
    for line in lines:
        head = line.plan[: max(SAMPLE, HEAD * line.quota)]
        chance = random.Random(f"{config.seed}/estimate/{line.category}")
        drawn = chance.sample(head, min(SAMPLE, len(head)))
        for assignment in drawn:
            await model.measure([generate(assignment)])
            await model.measure(_asks(stand_in(assignment, index), verify))
        put = model.calls().get(f"{line.category}/generate", 0)
        asked[line.category] = put / len(drawn) if drawn else 0.0
    return Sample(sizes=model.sizes(), asked=asked)


def _asks(candidate: Candidate, verify: Verify) -> Iterator[Awaitable[object]]:
    """Yield what may be asked about a candidate once it is written."""
    spec = category(candidate.category)
    yield spec.ask_verifier(verify, candidate)
    if spec.outside:
        yield ask_rag(verify.retriever, verify.model, candidate.question)
    yield ask_closed_book(verify.model, candidate.question)
    if second := spec.prove:
        yield second.ask(verify, candidate)


def stand_in(assignment: Assignment, index: HybridIndex) -> Candidate:
    """Return a candidate of typical length in the words of its passage, to search with."""
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
