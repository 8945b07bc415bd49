"""What the judges' labels of an open answer add up to, and its grade."""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

HIGH: Final = 0.8
"""From this correctness, and this relevancy, on an answer passes."""
PARTLY: Final = 0.6
"""From this correctness on it passes in part."""


class GradedMetric(StrEnum):
    """What an open answer is judged for, from 0 to 1."""

    CORRECTNESS = "correctness"
    RELEVANCY = "answer_relevancy"
    FAITHFULNESS = "faithfulness"
    PRECISION = "contextual_precision"
    RECALL = "contextual_recall"
    CONTEXT_RELEVANCY = "contextual_relevancy"


ALWAYS: Final = (GradedMetric.CORRECTNESS, GradedMetric.RELEVANCY)
"""What every judge is asked of every answer."""
OF_CONTEXT: Final = tuple(metric for metric in GradedMetric if metric not in ALWAYS)
"""What the primary judge is asked of answers that were given a context."""


class Grade(StrEnum):
    """How good an open answer is, by its primary judge."""

    PASS = "PASS"
    PARTIAL = "PARTIAL"
    FAIL = "FAIL"


def grade(format_ok: bool, scores: Mapping[GradedMetric, float | None]) -> Grade:
    """Grade an answer by its form, correctness and relevancy; a missing score fails it."""
    correctness = scores.get(GradedMetric.CORRECTNESS)
    relevancy = scores.get(GradedMetric.RELEVANCY)
    if not format_ok or correctness is None or relevancy is None or relevancy < HIGH:
        return Grade.FAIL
    if correctness >= HIGH:
        return Grade.PASS
    return Grade.PARTIAL if correctness >= PARTLY else Grade.FAIL


def share(labels: Sequence[bool], *, of_none: float) -> float:
    """Return the share of the statements that hold; `of_none` where there is no statement."""
    return sum(labels) / len(labels) if labels else of_none


def ranked_precision(relevant: Sequence[bool]) -> float:
    """Return the contextual precision of passages in the order of retrieval (as DeepEval has it).

    The mean, over the relevant passages, of the share of relevant ones up to each; 0 if none is.
    """
    up_to = [sum(relevant[:place]) / place for place, here in enumerate(relevant, 1) if here]
    return math.fsum(up_to) / len(up_to) if up_to else 0.0
