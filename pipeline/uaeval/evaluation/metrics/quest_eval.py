"""RAGQuestEval: how much of the ground truth a text holds, by questions about its key phrases."""

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

UNANSWERABLE: Final = "<Unanswerable>"
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_MARKS = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """One question with its answers; `UNANSWERABLE` where a text does not give one."""

    question: str
    truth: str
    """From the ground truth."""
    generated: str
    """From the system's response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestEval:
    """What the questions about one ground truth show."""

    questions: int
    """Those that the ground truth itself answers."""
    answered: int
    """Of them, those that the generated text answers."""
    recall: float | None
    """`None` without a single valid question: not evaluated, and no zero."""
    precision: float | None
    """Mean token F1 over the answered; `None` if there are none."""
    precision_over_all: float | None
    """The same sum over all valid questions."""


def quest_eval(asked: Sequence[QuestionAnswer]) -> QuestEval:
    """Score a text; questions that the ground truth cannot answer are dropped first.

    The source of the metric divides precision by all questions in its formula and by the answered
    ones in its example; the example decides, and the other stands beside it.
    """
    valid = [one for one in asked if is_answer(one.truth)]
    scores = [token_f1(one.generated, one.truth) for one in valid if is_answer(one.generated)]
    total = math.fsum(scores)
    return QuestEval(
        questions=len(valid),
        answered=len(scores),
        recall=len(scores) / len(valid) if valid else None,
        precision=total / len(scores) if scores else None,
        precision_over_all=total / len(valid) if valid else None,
    )


def is_answer(text: str) -> bool:
    """Say whether `text`, stripped, is anything but the sentinel."""
    return text.strip() != UNANSWERABLE


def token_f1(given: str, wanted: str) -> float:
    """Return the F1 over the tokens of two answers, as SQuAD compares them.

    Rajpurkar et al. (2016), EMNLP, 2383-2392: case, punctuation and English articles do not count.
    Both empty is 1, one empty is 0.
    """
    tokens, reference = _tokens(given), _tokens(wanted)
    if not tokens or not reference:
        return float(tokens == reference)
    shared = (Counter(tokens) & Counter(reference)).total()
    return 2 * shared / (len(tokens) + len(reference))


def _tokens(text: str) -> list[str]:
    return _ARTICLES.sub(" ", text.casefold().translate(_MARKS)).split()
