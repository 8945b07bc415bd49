"""Answer questions by extraction: the sentence of the passages that answers best, or none."""

import re
from collections.abc import Sequence

from uaeval.llm.replies import CheckedRagAnswer, OpenAnswer, PassageOrder, RagAnswer, Rewordings
from uaeval.offline.ranking import LONGEST, Sentence, ranked
from uaeval.records import Passage
from uaeval.text.words import asked_words, stems

NOT_FOUND = "I could not find this in the knowledge base."
PREFIX = "Final answer: "
_SECOND = 0.9  # share of the best score that a second sentence reaches
_CITATION = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\))")


def answer(*, question: str, passages: Sequence[Passage]) -> RagAnswer:
    """Return the sentence that answers best, with a second one that is nearly as good."""
    if not (sentences := ranked(question, passages)):
        return RagAnswer(answer=NOT_FOUND)
    best, *others = sentences
    second = [sentence for sentence in others if _adds(sentence, best)][:1]
    shown = sorted([best, *second], key=lambda sentence: (sentence.passage, sentence.place))
    return RagAnswer(answer=" ".join(sentence.text for sentence in shown))


def answer_evidence_first(*, question: str, passages: Sequence[Passage]) -> CheckedRagAnswer:
    """Return the same answer, and which passages have one."""
    numbers = ", ".join(map(str, rerank(question=question, passages=passages).order))
    rationale = f"Covered by passages {numbers}." if numbers else "No sentence covers it."
    text = answer(question=question, passages=passages).answer
    return CheckedRagAnswer(rationale=rationale, answer=text)


def multi_query(*, question: str) -> Rewordings:
    """Return the key words of the question, in their order."""
    key_words = " ".join(asked_words(question))
    return Rewordings(queries=[key_words] if key_words and key_words != question else [])


def rerank(*, question: str, passages: Sequence[Passage]) -> PassageOrder:
    """Return the passages that have an answering sentence, in the order of their best one."""
    order = dict.fromkeys(sentence.passage for sentence in ranked(question, passages))
    return PassageOrder(order=list(order))


def open_answer(*, question: str) -> OpenAnswer:
    """Return that the answer is unknown, as there are no passages to extract it from."""
    return OpenAnswer(answer=f"{PREFIX}I do not know.")


def open_answer_context(*, question: str, passages: Sequence[Passage]) -> OpenAnswer:
    """Return the answer from the passages."""
    return OpenAnswer(answer=PREFIX + answer(question=question, passages=passages).answer)


def open_answer_context_again(*, question: str, passages: Sequence[Passage]) -> OpenAnswer:
    """Return the answer from the passages, without brackets that could be citations."""
    text = answer(question=question, passages=passages).answer
    return OpenAnswer(answer=PREFIX + _CITATION.sub("", text))


def _adds(sentence: Sentence, best: Sentence) -> bool:
    """Return whether a sentence is nearly as good, adds content words, and is short enough."""
    close = sentence.score >= _SECOND * best.score
    more = len(stems(sentence.text) - stems(best.text)) > 1
    return close and more and len(f"{sentence.text} {best.text}".split()) <= LONGEST
