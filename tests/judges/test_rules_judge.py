"""The offline judge against labels that people gave."""

import re
from collections import Counter

from tests.judges.labelled import Labelled, read_labelled

from uaeval.llm.rules.judge import acceptable, correct, verdict
from uaeval.types import Category, Metric, Verdict

WRITTEN_BLIND = read_labelled("verdicts.jsonl")
BORDERLINE = read_labelled("responses.jsonl")
LEAST = 0.9


def test_the_verdicts_written_blind_cover_all_categories_and_verdicts() -> None:
    assert len(WRITTEN_BLIND) == 120
    assert {one.query.category for one in WRITTEN_BLIND} == {*Category, None}
    counts = Counter(one.labels[Metric.VERDICT] for one in WRITTEN_BLIND)
    assert set(counts) == {*Verdict} - {Verdict.PARTIAL}
    assert min(counts.values()) >= 15


def test_the_rules_give_95_percent_of_the_verdicts_written_blind() -> None:
    wrong = [
        f"{one.query.id}: {said} instead of {one.labels[Metric.VERDICT]}"
        for one in WRITTEN_BLIND
        if (said := verdict(one.query.question, one.response.text).label)
        != one.labels[Metric.VERDICT]
    ]
    assert len(wrong) <= 0.05 * len(WRITTEN_BLIND), wrong


def test_the_rules_agree_with_most_labels_of_good_bad_and_borderline_responses() -> None:
    right = Counter[Metric]()
    asked = Counter[Metric]()
    for one in BORDERLINE:
        for metric, label in one.labels.items():
            asked[metric] += 1
            right[metric] += _by_rules(one, metric) == label
    assert asked == {Metric.VERDICT: 76, Metric.ACCEPTABLE: 67, Metric.CORRECT: 9}
    assert {metric for metric in Metric if right[metric] < LEAST * asked[metric]} == set()


def _by_rules(one: Labelled, metric: Metric) -> str:
    query, said = one.query, one.response.text
    match metric:
        case Metric.VERDICT:
            return verdict(query.question, said).label
        case Metric.CORRECT:
            return correct(query.question, query.reference_answer or "", said).label
        case Metric.ACCEPTABLE:
            assert query.category
            return acceptable(query.category, query.question, query.reason or "", said).label


def test_the_labelled_responses_keep_to_the_labels_that_judges_are_offered() -> None:
    for one in (*WRITTEN_BLIND, *BORDERLINE):
        assert one.labels[Metric.VERDICT] in set(Verdict)
        assert re.fullmatch("yes|no", one.labels.get(Metric.ACCEPTABLE, "yes"))
        assert re.fullmatch("yes|no", one.labels.get(Metric.CORRECT, "yes"))
        assert bool(one.strict) == bool(
            one in BORDERLINE and one.query.category is Category.UNDERSPECIFIED
        )
