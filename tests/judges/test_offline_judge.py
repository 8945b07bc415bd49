"""The offline judge against labels that people gave."""

import re
from collections import Counter

from tests.judges.labelled import Labelled, read_labelled

from uaeval.categories.names import BUILT_IN
from uaeval.offline.judge.acceptable import accepts
from uaeval.offline.judge.correct import correct
from uaeval.offline.judge.verdict import verdict
from uaeval.records import Metric

WRITTEN_BLIND = read_labelled("verdicts.jsonl")
BORDERLINE = read_labelled("responses.jsonl")
VERDICTS = {"clarified", "refused", "answered"}


def test_the_verdicts_written_blind_cover_all_categories_and_verdicts() -> None:
    assert len(WRITTEN_BLIND) == 120
    assert {row.query.category for row in WRITTEN_BLIND} == {*BUILT_IN, None}
    counts = Counter(row.labels[Metric.VERDICT] for row in WRITTEN_BLIND)
    assert set(counts) == VERDICTS
    assert min(counts.values()) >= 15


def test_it_gives_90_percent_of_the_verdicts_written_blind() -> None:
    wrong = [
        f"{row.query.id}: {label} instead of {row.labels[Metric.VERDICT]}"
        for row in WRITTEN_BLIND
        if (label := verdict(row.query.question, row.response.text).label)
        != row.labels[Metric.VERDICT]
    ]
    assert len(wrong) <= 0.1 * len(WRITTEN_BLIND), wrong


def test_it_agrees_with_most_labels_of_good_bad_and_borderline_responses() -> None:
    right, decided, asked = Counter[Metric](), Counter[Metric](), Counter[Metric]()
    for row in BORDERLINE:
        for metric, gold in row.labels.items():
            label = _judged(row, metric)
            asked[metric] += 1
            decided[metric] += label != "undecided"
            right[metric] += label == gold
    assert asked == {Metric.VERDICT: 76, Metric.ACCEPTABLE: 67, Metric.CORRECT: 9}
    shares = {metric: right[metric] / decided[metric] for metric in asked}
    least = {Metric.VERDICT: 0.88, Metric.ACCEPTABLE: 0.95, Metric.CORRECT: 1}
    assert {m: share for m, share in shares.items() if share < least[m]} == {}
    assert {m for m in asked if decided[m] < 0.75 * asked[m]} == set()


def _judged(row: Labelled, metric: Metric) -> str:
    query, response = row.query, row.response.text
    match metric:
        case Metric.VERDICT:
            return verdict(query.question, response).label
        case Metric.CORRECT:
            return correct(query.question, query.reference_answer or "", response).label
        case Metric.ACCEPTABLE:
            assert query.category
            judge = accepts(query.category)
            return judge(
                question=query.question, reason=query.reason or "", response=response
            ).label


def test_the_labelled_responses_keep_to_the_labels_that_judges_are_offered() -> None:
    for row in (*WRITTEN_BLIND, *BORDERLINE):
        assert row.labels[Metric.VERDICT] in VERDICTS
        assert re.fullmatch("yes|no", row.labels.get(Metric.ACCEPTABLE, "yes"))
        assert re.fullmatch("yes|no", row.labels.get(Metric.CORRECT, "yes"))
        assert bool(row.strict) == bool(
            row in BORDERLINE and row.query.category == "underspecified"
        )
