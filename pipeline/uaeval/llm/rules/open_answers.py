"""Open answers by rules, and what a judge by rules says of them and of their contexts."""

import re
from collections.abc import Sequence

from uaeval.llm.rag_replies import OpenAnswer
from uaeval.llm.replies import PassageLabels, StatementLabels
from uaeval.llm.rules import judge, rag
from uaeval.llm.rules.english.grammar import content
from uaeval.llm.rules.judging.correctness import agrees, figures
from uaeval.llm.rules.mining.sentences import split
from uaeval.types import Passage

_PREFIX = "Final answer: "
_UNKNOWN = "I do not know."
_MATTER = 0.5
"""Share of the question's content words that a statement about its matter has."""


def answer(*, question: str) -> OpenAnswer:
    """Answer without context: rules know nothing by heart."""
    return OpenAnswer(answer=_PREFIX + _UNKNOWN)


def answer_with_context(*, question: str, passages: Sequence[Passage]) -> OpenAnswer:
    """Answer with the sentences of the passages that answer best."""
    return OpenAnswer(answer=_PREFIX + rag.answer(question=question, passages=passages).answer)


def answer_again(*, question: str, first_answer: str, wrong: str) -> OpenAnswer:
    """Answer once more without context."""
    return answer(question=question)


def answer_with_context_again(
    *, question: str, first_answer: str, wrong: str, passages: Sequence[Passage]
) -> OpenAnswer:
    """Answer once more: the same sentences, without what a citation looks like."""
    said = rag.answer(question=question, passages=passages).answer
    return OpenAnswer(answer=_PREFIX + re.sub(r"\[[^\]]*\]|\([^)]*\)", "", said))


def answer_relevancy(*, question: str, response: str) -> StatementLabels:
    """Label the sentences: about the question's matter, or the first of an answer."""
    answered = judge.verdict(question, response).label == "answered"
    sentences = _sentences(response)
    return _labelled(
        "Sentences that share words with the question, or begin the answer, keep to it.",
        sentences,
        [
            (answered and (place == 0 or _about(question, one))) or not answered
            for place, one in enumerate(sentences)
        ],
    )


def faithfulness(*, response: str, passages: Sequence[Passage]) -> StatementLabels:
    """Label the sentences: contradicted if the passage nearest to one has other figures."""
    sentences = _sentences(response)
    return _labelled(
        "A claim is contradicted where no passage has its figures.",
        sentences,
        [_not_contradicted(one, passages) for one in sentences],
    )


def contextual_precision(
    *, question: str, reference: str, passages: Sequence[Passage]
) -> PassageLabels:
    """Label the passages: whether they state the reference answer."""
    labels = [_yes_no(agrees(question, reference, one.text)[0]) for one in passages]
    return PassageLabels.model_validate(
        {"rationale": "A passage helps if it states the reference.", "labels": labels}
    )


def contextual_recall(
    *, question: str, reference: str, passages: Sequence[Passage]
) -> StatementLabels:
    """Label the reference's sentences: whether a passage states them."""
    sentences = _sentences(reference)
    return _labelled(
        "A statement is held if a passage has its figures and most of its words.",
        sentences,
        [any(agrees(question, one, passage.text)[0] for passage in passages) for one in sentences],
    )


def contextual_relevancy(*, question: str, passages: Sequence[Passage]) -> StatementLabels:
    """Label the passages' sentences: whether they share half of the question's words."""
    sentences = [one for passage in passages for one in _sentences(passage.text)]
    return _labelled(
        "Sentences that share half of the question's words speak to it.",
        sentences,
        [_about(question, one) for one in sentences],
    )


def _sentences(text: str) -> list[str]:
    found = [one for line in text.splitlines() for one in (split(line) or [line])]
    return [one.strip() for one in found if content(one)]


def _about(question: str, sentence: str) -> bool:
    asked = content(question)
    return len(asked & content(sentence)) >= _MATTER * len(asked) > 0


def _not_contradicted(sentence: str, passages: Sequence[Passage]) -> bool:
    said = figures(sentence)
    words = content(sentence)
    nearest = max(passages, key=lambda one: len(words & content(one.text)), default=None)
    return not said or nearest is None or said <= figures(nearest.text)


def _labelled(rationale: str, sentences: Sequence[str], held: Sequence[bool]) -> StatementLabels:
    statements = [
        {"statement": one, "label": _yes_no(label)}
        for one, label in zip(sentences, held, strict=True)
    ]
    return StatementLabels.model_validate({"rationale": rationale, "statements": statements})


def _yes_no(held: bool) -> str:
    return "yes" if held else "no"
