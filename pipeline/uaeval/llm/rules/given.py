"""What the rules can add to a user's own query: a twin, and what denies its premise."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from uaeval.llm.replies import CompletionDraft, TwinDraft, Written
from uaeval.llm.rules import evidence
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.facts import Fact
from uaeval.llm.rules.mining.sentences import sentences
from uaeval.llm.rules.mining.twins import twin_facts
from uaeval.llm.rules.stance import Stance
from uaeval.types import Category, Passage

UNKNOWN = "nothing"
_NEEDED = {
    Category.UNDERSPECIFIED: "its readings",
    Category.FALSE_PRESUPPOSITION: "its premise",
    Category.OUT_OF_DATABASE: "an outside answer",
}
"""What the rules cannot read out of a query of the category."""


def complete(
    *, question: str, category: str, known: str, language: str, passages: Sequence[Passage]
) -> Written[CompletionDraft]:
    """Answer the prompt `given/complete`."""
    kind = Category(category)
    if kind in _NEEDED and known == UNKNOWN:
        return _declined(f"the rules cannot find {_NEEDED[kind]}; give it, or use a model")
    found = max(_candidates(question, passages), key=lambda one: one[0], default=None)
    if found is None:
        return _declined("no passage near the query states a fact that a twin can be asked about")
    _, passage, fact = found
    denied = _denial(known, passages) if kind is Category.FALSE_PRESUPPOSITION else None
    if kind is Category.FALSE_PRESUPPOSITION and denied is None:
        return _declined("no passage denies the premise in one sentence")
    draft = CompletionDraft(
        twin=TwinDraft(question=fact.question, answer=fact.answer, quote=fact.sentence),
        passage=passage.number,
        reason="It is given as a query that should not be answered.",
        premise=known if kind is Category.FALSE_PRESUPPOSITION else None,
        fact=denied,
        readings=[],
        outside_answer=known if kind is Category.OUT_OF_DATABASE else None,
        phrasings=[f"{question} {known}"] if kind is Category.OUT_OF_DATABASE else [],
    )
    return Written[CompletionDraft](declined=None, draft=draft)


def _declined(reason: str) -> Written[CompletionDraft]:
    return Written[CompletionDraft](declined=reason, draft=None)


def _candidates(question: str, passages: Sequence[Passage]) -> Iterator[tuple[int, Passage, Fact]]:
    """Yield the facts of the passages with the count of words that they share with the query."""
    wanted = grammar.content(question)
    for passage in passages:
        for fact in twin_facts(passage):
            yield len(wanted & grammar.content(fact.question)), passage, fact


def _denial(premise: str, passages: Sequence[Passage]) -> str | None:
    """Return the first sentence that contradicts the premise by itself."""
    for passage in passages:
        for sentence in sentences(passage):
            alone = replace(passage, text=sentence.raw)
            if evidence.stance(premise, alone) is Stance.CONTRADICTS:
                return sentence.raw
    return None
