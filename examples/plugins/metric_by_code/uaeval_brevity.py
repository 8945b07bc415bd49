"""How short a response is, measured by code."""

from uaeval.evaluation.metrics.judged import Case, JudgedMetric, JudgedScore
from uaeval.evaluation.metrics.spec import MetricSpec

ENOUGH = 50


async def measure(case: Case) -> JudgedScore:
    words = len(case.response.text.split())
    score = 1.0 if words <= ENOUGH else ENOUGH / words
    return JudgedScore(query_id=case.query.id, score=score, rationale=f"{words} words")


METRIC = JudgedMetric(
    name="brevity",
    title="counting words",
    prompts=(),
    record=JudgedScore,
    open=lambda _sources: measure,
    metrics=(MetricSpec(name="brevity", definition="1 for up to 50 words.", value="score"),),
    file="brevity.jsonl",
)
