"""How polite a response is, as a metric of uaeval."""

from uaeval.evaluation.metrics.judged import judged_metric
from uaeval.evaluation.metrics.spec import MetricSpec
from uaeval.llm.replies import Reply


class Politeness(Reply):
    """The judge's reply."""

    rationale: str
    score: float


METRIC = judged_metric(
    MetricSpec(name="politeness", definition="How polite the response is, from 0 to 1."),
    prompt="politeness/judge",
    reply=Politeness,
    fields=lambda query, response: {"response": response.text},
    score=lambda reply: reply.score,
)
