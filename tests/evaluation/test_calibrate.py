from collections.abc import Sequence

import pytest
from tests.evaluation.records import both, control, response, unanswerable, undecided

from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio, agreements, calibrated
from uaeval.evaluation.labels.sampling import draw_sample
from uaeval.evaluation.metrics.items import read_items
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.labels import JudgementLabel
from uaeval.records import Judgement, Metric, Query

GROUPS = ("nonsensical", "underspecified")
QUERIES = [
    query
    for number in range(200)
    for query in (unanswerable(number, GROUPS[number % 2]), control(number, GROUPS[number % 2]))
]


def _number(query: Query) -> int:
    return int(query.id.split("-")[1])


def _truth(query: Query, metric: Metric) -> str:
    """Human labels: 60 % acceptable, all controls correct, refused when acceptable."""
    good = query.answerable or _number(query) % 10 < 6
    if metric is Metric.VERDICT:
        return "refused" if good and not query.answerable else "answered"
    return "yes" if good else "no"


def _judgements() -> list[Judgement]:
    """The judge calls one in five of the bad responses acceptable, and is right otherwise."""
    found = list[Judgement]()
    for query in QUERIES:
        metric = Metric.CORRECT if query.answerable else Metric.ACCEPTABLE
        fooled = not query.answerable and _number(query) % 20 in (7, 9)
        second = "yes" if fooled else _truth(query, metric)
        found += both(query, _truth(query, Metric.VERDICT), second)
    return found


def _items(
    judgements: Sequence[Judgement], unsure: Sequence[Undecided] = ()
) -> tuple[QueryOutcomeRow, ...]:
    return read_items(QUERIES, [response(query) for query in QUERIES], judgements, unsure)


def _labels(size: int) -> list[JudgementLabel]:
    return [
        JudgementLabel.model_validate(
            {
                "query_id": one.query.id,
                "annotator": "a",
                "metric": one.judgement.metric,
                "label": _truth(one.query, one.judgement.metric),
                "inclusion_probability": one.inclusion_probability,
            }
        )
        for one in draw_sample(QUERIES, _judgements(), size, seed=3)
    ]


def _agreement(found: Sequence[Agreement], metric: Metric, group: str = "overall") -> Agreement:
    (one,) = [one for one in found if (one.metric, one.group) == (metric, group)]
    return one


def _ratio(
    found: Sequence[CalibratedRatio], metric: str, group: str = "overall"
) -> CalibratedRatio:
    (one,) = [one for one in found if (one.metric, one.group) == (metric, group)]
    return one


def test_with_every_label_the_figures_are_those_of_the_whole() -> None:
    found = agreements(_items(_judgements()), _labels(10_000))
    acceptable = _agreement(found, Metric.ACCEPTABLE)
    assert (acceptable.n, acceptable.judged) == (200, 200)
    assert acceptable.accuracy == pytest.approx(180 / 200)
    assert acceptable.f1 == pytest.approx(2 * 120 / (2 * 120 + 20))
    assert acceptable.confusion == {"yes": {"yes": 120, "no": 0}, "no": {"yes": 20, "no": 60}}
    agreed_by_chance = (0.6 * 0.7) + (0.4 * 0.3)
    assert acceptable.kappa == pytest.approx((0.9 - agreed_by_chance) / (1 - agreed_by_chance))
    verdict = _agreement(found, Metric.VERDICT)
    assert (verdict.accuracy, verdict.f1, verdict.kappa) == (1.0, 1.0, 1.0)
    assert _agreement(found, Metric.VERDICT, "controls").kappa is None
    assert _agreement(found, Metric.ACCEPTABLE, "nonsensical").n == 100


def test_a_weighted_stratified_sample_estimates_the_same_figures() -> None:
    labels = _labels(160)
    acceptable = _agreement(agreements(_items(_judgements()), labels), Metric.ACCEPTABLE)
    assert acceptable.interval is not None
    assert acceptable.interval.low < 180 / 200 < acceptable.interval.high
    bare = [one.model_copy(update={"inclusion_probability": 1.0}) for one in labels]
    unweighted = _agreement(agreements(_items(_judgements()), bare), Metric.ACCEPTABLE)
    assert acceptable.accuracy is not None and unweighted.accuracy is not None
    assert acceptable.accuracy != unweighted.accuracy


def test_the_corrected_ratio_is_what_people_would_have_said() -> None:
    items = _items(_judgements())
    found = calibrated(items, _labels(10_000))
    acceptable = _ratio(found, "acceptable_ratio")
    assert (acceptable.raw, acceptable.value) == pytest.approx((0.7, 0.6))
    assert (acceptable.sensitivity, acceptable.specificity) == pytest.approx((1.0, 0.75))
    assert (acceptable.positives, acceptable.negatives) == (120, 80)
    assert acceptable.interval is not None
    assert acceptable.interval.low < 0.6 < acceptable.interval.high
    assert _ratio(found, "unanswered_ratio").value == pytest.approx(0.6)


def test_without_labels_of_both_kinds_there_is_no_corrected_ratio() -> None:
    items = _items(_judgements())
    correctness = _ratio(calibrated(items, _labels(10_000)), "correctness")
    assert (correctness.raw, correctness.value, correctness.interval) == (1.0, None, None)
    assert (correctness.sensitivity, correctness.specificity) == (1.0, None)
    assert all(one.value is None for one in calibrated(items, []))


def test_undecided_replies_count_in_no_accuracy() -> None:
    said = [one for one in _judgements() if one.query_id != QUERIES[0].id]
    found = agreements(_items(said, [undecided(QUERIES[0], Metric.VERDICT)]), _labels(10_000))
    verdict = _agreement(found, Metric.VERDICT)
    assert (verdict.n, verdict.judged, verdict.undecided) == (400, 399, 1)
    assert (verdict.accuracy, sum(map(len, verdict.confusion.values()))) == (1.0, 16)
    acceptable = _agreement(found, Metric.ACCEPTABLE)
    assert (acceptable.judged, acceptable.undecided) == (199, 0)


def test_responses_without_a_judgement_are_counted_apart() -> None:
    judgements = [one for one in _judgements() if one.metric is not Metric.VERDICT][4:]
    found = agreements(_items(judgements), _labels(10_000))
    assert (_agreement(found, Metric.VERDICT).judged, _agreement(found, Metric.VERDICT).n) == (
        0,
        400,
    )
    verdict = _agreement(found, Metric.VERDICT)
    assert (verdict.accuracy, verdict.interval, verdict.f1, verdict.kappa) == (None,) * 4
    acceptable = _agreement(found, Metric.ACCEPTABLE)
    assert (acceptable.n, acceptable.judged) == (200, 198)
