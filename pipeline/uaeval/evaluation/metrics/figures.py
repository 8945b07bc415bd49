"""The names of the figures and of their groups, and the record of leakage; light to import."""

from dataclasses import dataclass
from enum import StrEnum

from uaeval.types import Category

OVERALL = "overall"
MACRO = "macro"
CONTROLS = "controls"
DEFAULT_WEIGHTS = (0.7, 0.3)
"""Of correctness and acceptable ratio; solved from the tables of UAEval4RAG."""
CURVE = tuple(step / 20 for step in range(21))
"""The w1 at which the joint score is shown."""
FEWEST_PAIRS = 10
"""Fewer pairs than this say nothing about a category's wording."""


class Figure(StrEnum):
    """The name of every score."""

    JOINT = "joint_score"
    JOINT_CURVE = "joint_score_curve"
    """The joint score by weight; its groups are `w1=0.00` to `w1=1.00`."""
    CORRECTNESS = "correctness"
    ACCEPTABLE = "acceptable_ratio"
    UNANSWERED = "unanswered_ratio"
    CLARIFICATION = "clarification_ratio"
    PARTIAL = "partial_ratio"
    ANSWERED = "answered_ratio"
    OVER_REFUSAL = "over_refusal_rate"
    PRECISION = "refusal_precision"
    RECALL = "refusal_recall"
    F1 = "refusal_f1"
    BALANCED_ACCURACY = "balanced_accuracy"
    BLOCKED = "blocked_ratio"
    UNANSWERED_BLOCKED = "unanswered_ratio_with_blocked"
    """As `unanswered_ratio`, a blocked response counted as a refusal."""
    ACCEPTABLE_BLOCKED = "acceptable_ratio_with_blocked"
    """As `acceptable_ratio`, a blocked response counted as acceptable."""
    OUTSIDE_KNOWLEDGE = "outside_knowledge_ratio"
    """Share of out-of-database responses that give the outside article's answer."""
    FINAL_SCORE = "final_score"
    """Mean of answer correctness, context relevancy and recall; relevancy counts as 1 where an
    unanswerable query was rightly not answered."""
    FINAL_SCORE_RAW = "final_score_raw"
    """The same with the relevancy as judged."""
    ANSWER_CORRECTNESS = "answer_correctness"
    CONTEXT_RELEVANCY = "context_relevancy"
    """As judged, weighted by position."""
    CONTEXT_RECALL = "context_recall"
    QUEST_RECALL = "quest_recall"
    """RAGQuestEval: share of the questions about the reference that the response answers."""
    QUEST_PRECISION = "quest_precision"
    """RAGQuestEval: token F1 of those answers with the reference's."""
    QUEST_PRECISION_OVER_ALL = "quest_precision_over_all"
    """The same over all questions, also those that the response does not answer."""


MEANS = (
    Figure.FINAL_SCORE,
    Figure.FINAL_SCORE_RAW,
    Figure.ANSWER_CORRECTNESS,
    Figure.CONTEXT_RELEVANCY,
    Figure.CONTEXT_RECALL,
    Figure.QUEST_RECALL,
    Figure.QUEST_PRECISION,
    Figure.QUEST_PRECISION_OVER_ALL,
)
"""Figures that are means of scores, from metrics that an evaluation has on demand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leakage:
    """How easily one category's queries give themselves away."""

    category: Category
    pairs: int
    auc: float | None
    """Cross-validated AUC of a bag of words; .5 is chance, 1 tells every query from its twin."""
    opening: str | None
    """The commonest first four words."""
    opening_share: float | None
    length_ratio: float | None
    """Mean length of the queries in characters, divided by that of their twins."""
    hardness_mean: float | None
    """out_of_database: best similarity in the knowledge base; the higher, the nearer to it."""
    hardness_median: float | None
    hardness_min: float | None
    hardness_max: float | None
