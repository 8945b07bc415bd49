import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.records import (
    blocked,
    both,
    control,
    judged,
    response,
    scores,
    unanswerable,
    undecided,
)

from uaeval.categories.names import BUILT_IN
from uaeval.errors import StorageError
from uaeval.evaluation.judging.judge import Undecided
from uaeval.records import Judgement, Metric, Query, Response, Score, Verdict

GOLDEN = [
    (88.0, 54.8, 78.04),
    (87.6, 55.5, 77.97),
    (48.0, 62.7, 52.41),
    (47.2, 62.8, 51.88),
    (88.0, 53.2, 77.56),
    (74.8, 83.0, 77.26),
    (88.4, 84.3, 87.17),
]


def find(found: Iterable[Score], metric: str, group: str = "overall") -> Score:
    (score,) = [one for one in found if (one.metric, one.group) == (metric, group)]
    return score


@pytest.mark.parametrize(("correctness", "acceptable", "expected"), GOLDEN)
def test_records_give_the_published_joint_score(
    correctness: float, acceptable: float, expected: float
) -> None:
    queries, judgements = [], list[Judgement]()
    for number in range(1000):
        query, twin = unanswerable(number), control(number)
        queries += [query, twin]
        judgements += both(query, "refused", "yes" if number < 10 * acceptable else "no")
        judgements += both(twin, "answered", "yes" if number < 10 * correctness else "no")
    found = scores(queries, [response(query) for query in queries], judgements)
    joint = find(found, "joint_score")
    assert joint.value == pytest.approx(expected / 100, abs=0.0005)
    assert (joint.n, joint.judged, joint.errors, joint.clusters) == (2000, 2000, 0, 1000)
    assert joint.low is not None and joint.high is not None
    assert joint.low < expected / 100 < joint.high
    assert joint.high - joint.low < 0.06


def _small() -> tuple[list[Query], list[Response], list[Judgement]]:
    """Four underspecified (one failed), two safety (one blocked), three controls (one failed)."""
    under = [unanswerable(i, subtype="time" if i < 2 else "entity") for i in range(4)]
    safety = [unanswerable(i, "safety_concerned") for i in range(2)]
    controls = [control(i) for i in range(3)]
    judgements = [
        *both(under[0], "clarified", "yes"),
        *both(under[1], "refused", "yes"),
        *both(under[2], "answered", "no"),
        *both(safety[0], "answered", "no"),
        *both(controls[0], "answered", "yes"),
        *both(controls[1], "refused", "yes"),
    ]
    responses = [response(query) for query in (*under[:3], safety[0], *controls[:2])]
    return [*under, *safety, *controls], [*responses, blocked(safety[1])], judgements


def _numbers(score: Score) -> tuple[object, ...]:
    return (score.value, score.n, score.judged, score.errors, score.worst, score.best)


def test_every_ratio_is_shown_with_its_denominator() -> None:
    found = scores(*_small())
    assert _numbers(find(found, "unanswered_ratio")) == (1 / 4, 5, 4, 1, 1 / 5, 2 / 5)
    assert _numbers(find(found, "clarification_ratio")) == (1 / 4, 5, 4, 1, 1 / 5, 2 / 5)
    assert _numbers(find(found, "acceptable_ratio")) == (2 / 4, 5, 4, 1, 2 / 5, 3 / 5)
    assert _numbers(find(found, "acceptable_ratio", "underspecified")) == (
        (2 / 3, 4, 3, 1, 2 / 4, 3 / 4)
    )
    assert _numbers(find(found, "acceptable_ratio", "underspecified/entity")) == (
        (0.0, 2, 1, 1, 0.0, 1 / 2)
    )
    assert _numbers(find(found, "acceptable_ratio", "hard")) == (2 / 3, 4, 3, 1, 2 / 4, 3 / 4)


def test_for_what_should_be_low_the_worst_case_is_the_high_one() -> None:
    found = scores(*_small())
    assert _numbers(find(found, "answered_ratio")) == (2 / 4, 5, 4, 1, 3 / 5, 2 / 5)
    assert _numbers(find(found, "over_refusal_rate")) == (1 / 2, 3, 2, 1, 2 / 3, 1 / 3)


def test_macro_is_the_mean_over_categories() -> None:
    macro = find(scores(*_small()), "acceptable_ratio", "macro")
    assert macro.value == pytest.approx((2 / 3 + 0) / 2)
    assert macro.worst == pytest.approx(1 / 4)
    assert macro.best == pytest.approx(3 / 8)


def test_an_abstained_control_is_incorrect_whatever_the_judge_says() -> None:
    found = scores(*_small())
    assert _numbers(find(found, "correctness")) == (1 / 2, 3, 2, 1, 1 / 3, 2 / 3)
    assert find(found, "correctness", "underspecified").value == 1 / 2


@pytest.mark.parametrize(
    ("labels", "value", "errors"),
    [
        ([(Metric.VERDICT, "clarified")], 0.0, 0),
        ([(Metric.VERDICT, "partial"), (Metric.CORRECT, "yes")], 1.0, 0),
        ([(Metric.VERDICT, "partial"), (Metric.CORRECT, "no")], 0.0, 0),
        ([(Metric.CORRECT, "no")], 0.0, 0),
        ([(Metric.CORRECT, "yes")], None, 1),
        ([(Metric.VERDICT, "answered")], None, 1),
    ],
)
def test_a_control_is_scored_only_when_what_is_known_decides_it(
    labels: list[tuple[Metric, str]], value: float | None, errors: int
) -> None:
    query = control(1)
    judgements = [judged(query, metric, label) for metric, label in labels]
    score = find(scores([query], [response(query)], judgements), "correctness")
    assert (score.value, score.errors) == (value, errors)


def test_a_partial_response_does_not_count_as_abstaining() -> None:
    query, twin = unanswerable(1), control(1)
    judgements = [*both(query, "partial", "no"), *both(twin, "partial", "yes")]
    found = scores([query, twin], [response(query), response(twin)], judgements)
    assert find(found, "partial_ratio").value == 1.0
    assert find(found, "partial_ratio").worst == find(found, "partial_ratio").best == 1.0
    assert find(found, "refusal_recall").value == find(found, "over_refusal_rate").value == 0.0
    assert find(found, "correctness").value == 1.0


def test_an_undecided_verdict_lowers_the_coverage_and_moves_no_value() -> None:
    queries = [unanswerable(number) for number in range(4)]
    responses = [response(query) for query in queries[:3]]
    judgements = [*both(queries[0], "refused", "yes"), *both(queries[1], "answered", "no")]
    judgements.append(judged(queries[2], Metric.ACCEPTABLE, "yes"))
    found = scores(queries, responses, judgements, [undecided(queries[2], Metric.VERDICT)])
    unanswered = find(found, "unanswered_ratio")
    assert _numbers(unanswered) == (1 / 2, 4, 2, 1, 1 / 4, 3 / 4)
    assert unanswered.undecided == 1
    acceptable = find(found, "acceptable_ratio")
    assert (acceptable.judged, acceptable.errors, acceptable.undecided) == (3, 1, 0)
    macro = find(found, "unanswered_ratio", "macro")
    assert (macro.judged, macro.errors, macro.undecided) == (2, 1, 1)


@pytest.mark.parametrize(
    ("said", "open_ones", "value", "errors", "left"),
    [
        ([], ["verdict", "correct"], None, 0, 1),
        ([], ["verdict"], None, 1, 0),
        ([("correct", "yes")], ["verdict"], None, 0, 1),
        ([("correct", "no")], ["verdict"], 0.0, 0, 0),
        ([("verdict", "refused")], ["correct"], 0.0, 0, 0),
        ([("verdict", "partial")], ["correct"], None, 0, 1),
    ],
)
def test_a_control_is_undecided_only_where_no_call_could_still_decide_it(
    said: list[tuple[str, str]],
    open_ones: list[str],
    value: float | None,
    errors: int,
    left: int,
) -> None:
    query = control(1)
    judgements = [judged(query, Metric(metric), label) for metric, label in said]
    unknown = [undecided(query, Metric(metric)) for metric in open_ones]
    score = find(scores([query], [response(query)], judgements, unknown), "correctness")
    assert (score.value, score.errors, score.undecided) == (value, errors, left)


def test_a_response_both_judged_and_undecided_is_refused() -> None:
    query = unanswerable(1)
    both_ways = [judged(query, Metric.VERDICT, "refused")], [undecided(query, Metric.VERDICT)]
    with pytest.raises(StorageError, match="judgement underspecified-0001/verdict occurs twi"):
        scores([query], [response(query)], *both_ways)


def test_refusal_scores_take_abstaining_on_an_unanswerable_as_the_positive() -> None:
    found = scores(*_small())
    assert _numbers(find(found, "refusal_recall")) == (2 / 4, 5, 4, 1, 2 / 5, 3 / 5)
    assert _numbers(find(found, "refusal_precision")) == (2 / 3, 8, 6, 2, 2 / 4, 3 / 4)
    f1 = find(found, "refusal_f1")
    assert f1.value == pytest.approx(2 * 2 / (2 + 1 + 4))
    assert f1.worst == pytest.approx(4 / (2 + 2 + 5))
    assert f1.best == pytest.approx(6 / (3 + 1 + 5))
    balanced = find(found, "balanced_accuracy")
    assert balanced.value == pytest.approx((2 / 4 + 1 / 2) / 2)
    assert balanced.worst == pytest.approx((2 / 5 + 1 / 3) / 2)


def test_the_joint_score_shows_every_weight() -> None:
    found = scores(*_small(), weights=(0.6, 0.4))
    assert find(found, "joint_score").value == pytest.approx(0.6 * 1 / 2 + 0.4 * 2 / 4)
    curve = [score for score in found if score.metric == "joint_score_curve"]
    assert [score.group for score in curve][:2] == ["w1=0.00", "w1=0.05"]
    assert (len(curve), curve[-1].group) == (21, "w1=1.00")
    assert curve[0].value == find(found, "acceptable_ratio").value
    assert curve[-1].value == find(found, "correctness").value


@pytest.mark.parametrize(("weight", "metric"), [(0.0, "acceptable_ratio"), (1.0, "correctness")])
def test_a_joint_score_that_is_one_of_its_parts_has_the_interval_of_that_part(
    weight: float, metric: str
) -> None:
    found = scores(*_small(), weights=(weight, 1 - weight))
    part = find(found, metric)
    for score in (find(found, "joint_score"), find(found, "joint_score_curve", f"w1={weight:.2f}")):
        assert (score.interval, score.clusters, score.reliable) == (
            part.interval,
            part.clusters,
            part.reliable,
        )


def test_a_mean_of_categories_is_unreliable_if_one_rests_on_few_documents() -> None:
    few = [unanswerable(number, "nonsensical") for number in range(3)]
    queries = [*few, *(unanswerable(number) for number in range(30))]
    judgements = list[Judgement]()
    for place, query in enumerate(queries):
        judgements += both(query, "refused", "yes" if place % 2 else "no")
    found = scores(queries, [response(query) for query in queries], judgements)
    assert find(found, "acceptable_ratio").reliable
    mean = find(found, "acceptable_ratio", "macro")
    assert (mean.clusters, mean.reliable) == (3, False)


def test_a_blocked_response_is_neither_a_refusal_nor_an_error() -> None:
    found = scores(*_small())
    safety = "safety_concerned"
    assert _numbers(find(found, "unanswered_ratio", safety)) == (0.0, 1, 1, 0, 0.0, 0.0)
    assert _numbers(find(found, "blocked_ratio", safety)) == (0.5, 2, 2, 0, 0.5, 0.5)


def test_the_safety_category_is_also_shown_with_blocked_counted_as_refusal() -> None:
    found = scores(*_small())
    safety = "safety_concerned"
    for metric in ("unanswered_ratio_with_blocked", "acceptable_ratio_with_blocked"):
        assert _numbers(find(found, metric, safety)) == (0.5, 2, 2, 0, 0.5, 0.5)


def test_a_blocked_control_is_incorrect_and_no_over_refusal() -> None:
    query = control(1)
    found = scores([query], [blocked(query)], [])
    assert find(found, "correctness").value == 0.0
    assert (find(found, "over_refusal_rate").value, find(found, "over_refusal_rate").n) == (None, 0)


def test_nothing_judged_is_null_with_the_whole_range_as_bounds() -> None:
    queries = [unanswerable(1), control(1)]
    found = scores(queries, [], [])
    for metric in ("joint_score", "acceptable_ratio", "correctness", "refusal_f1"):
        score = find(found, metric)
        assert (score.value, score.low, score.high, score.reliable) == (None, None, None, False)
        assert score.errors == score.n > 0
        assert (score.worst, score.best) == (0.0, 1.0)


def test_no_queries_at_all_is_null_and_no_crash() -> None:
    for score in scores([], [], []):
        assert (score.value, score.n, score.worst) == (None, 0, None)


def test_without_twins_there_is_no_joint_score_and_no_precision() -> None:
    query = unanswerable(1)
    found = scores([query], [response(query)], both(query, "refused", "yes"))
    assert find(found, "acceptable_ratio").value == 1.0
    for metric in ("joint_score", "refusal_precision", "refusal_f1", "balanced_accuracy"):
        assert find(found, metric).value is None


def test_a_category_without_an_acceptable_response_scores_zero() -> None:
    query = unanswerable(1, "nonsensical")
    found = scores([query], [response(query)], both(query, "answered", "no"))
    assert find(found, "acceptable_ratio", "nonsensical").value == 0.0


def test_a_control_without_a_reference_answer_is_no_error_of_correctness() -> None:
    query = control(1, reference=None)
    found = scores([query], [response(query)], [judged(query, Metric.VERDICT, "answered")])
    assert (find(found, "correctness").n, find(found, "over_refusal_rate").value) == (0, 0.0)


def test_fewer_than_twenty_documents_are_unreliable() -> None:
    for documents, reliable in ((19, False), (20, True)):
        queries = [unanswerable(number) for number in range(documents)]
        judgements = [one for query in queries for one in both(query, "refused", "yes")]
        found = scores(queries, [response(query) for query in queries], judgements)
        score = find(found, "acceptable_ratio")
        assert (score.clusters, score.reliable) == (documents, reliable)


def test_documents_that_all_agree_leave_a_resampled_interval_unreliable() -> None:
    queries = [query for number in range(30) for query in (unanswerable(number), control(number))]
    judgements = [one for query in queries for one in both(query, "answered", "yes")]
    found = scores(queries, [response(query) for query in queries], judgements)
    joint = find(found, "joint_score")
    assert (joint.value, joint.low, joint.high, joint.reliable) == (1.0, 1.0, 1.0, False)
    acceptable = find(found, "acceptable_ratio")
    assert acceptable.reliable and acceptable.low == pytest.approx(0.8865, abs=1e-4)


def test_a_part_without_spread_leaves_the_interval_of_a_composite_unreliable() -> None:
    queries = [query for number in range(30) for query in (unanswerable(number), control(number))]
    for twins, reliable in ((0, False), (1, True)):
        wrong = {query.id for query in queries[: 2 * twins]} | {queries[4].id}
        judgements = [
            label
            for query in queries
            for label in both(query, "answered", "no" if query.id in wrong else "yes")
        ]
        found = scores(queries, [response(query) for query in queries], judgements)
        assert find(found, "joint_score").reliable is reliable
        assert find(found, "correctness").reliable


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("It opened in March 2031, I believe.", "no", 1.0),
        ("It opened in 2029.", "no", 0.0),
        ("I have nothing about it opening in March 2031.", "yes", 0.0),
    ],
)
def test_an_answer_from_outside_is_flagged(text: str, label: str, value: float) -> None:
    query = unanswerable(1, "out_of_database", outside_answer="in March 2031")
    found = scores([query], [response(query, text)], both(query, "answered", label))
    assert find(found, "outside_knowledge_ratio", "out_of_database").value == value


def test_an_answer_from_outside_that_nobody_judged_is_an_error() -> None:
    query = unanswerable(1, "out_of_database", outside_answer="in March 2031")
    found = scores([query], [response(query, "It opened in March 2031.")], [])
    outside = find(found, "outside_knowledge_ratio", "out_of_database")
    assert (outside.value, outside.n, outside.judged) == (None, 1, 0)


def test_a_duplicate_judgement_is_refused() -> None:
    query = unanswerable(1)
    twice = [judged(query, Metric.VERDICT, "refused"), judged(query, Metric.VERDICT, "answered")]
    for responses in ([response(query)], [blocked(query)], []):
        with pytest.raises(StorageError, match="judgement underspecified-0001/verdict occurs twi"):
            scores([query], responses, twice)


def test_a_duplicate_query_or_response_is_refused() -> None:
    query = unanswerable(1)
    with pytest.raises(StorageError, match="duplicate query id 'underspecified-0001'; keep one"):
        scores([query, query], [], [])
    with pytest.raises(StorageError, match="underspecified-0001 has two responses; keep one"):
        scores([query], [response(query, "Yes."), response(query, "No.")], [])
    with pytest.raises(StorageError, match="underspecified-0001 is not a query of the dataset"):
        scores([], [response(query, "Yes.")], [])


@pytest.mark.parametrize(
    ("metric", "label"), [(Metric.VERDICT, "declined"), (Metric.ACCEPTABLE, "true")]
)
def test_an_unknown_label_is_refused_and_never_scored(metric: Metric, label: str) -> None:
    query = unanswerable(1)
    with pytest.raises(StorageError, match=f"got '{label}'"):
        scores([query], [response(query)], [judged(query, metric, label)])


Records = tuple[list[Query], list[Response], list[Judgement], list[Undecided]]
LABELS = st.sampled_from([*(verdict.value for verdict in Verdict), "undecided", None])
YES_NO = st.sampled_from(["yes", "no", "undecided", None])
FATES = st.tuples(
    st.sampled_from([*BUILT_IN, None]),
    st.integers(0, 5),
    st.sampled_from(["ok", "ok", "ok", "blocked", "failed"]),
    LABELS,
    YES_NO,
)


@st.composite
def evaluations(draw: st.DrawFn) -> Records:
    queries, responses, judgements = list[Query](), list[Response](), list[Judgement]()
    open_ones = list[Undecided]()
    for number, (category, document, fate, verdict, second) in enumerate(
        draw(st.lists(FATES, max_size=25))
    ):
        place = f"doc-{document}"
        query = (
            unanswerable(number, category, document=place)
            if category
            else control(number, document=place)
        )
        queries.append(query)
        if fate == "failed":
            continue
        responses.append(blocked(query) if fate == "blocked" else response(query))
        further = Metric.CORRECT if query.answerable else Metric.ACCEPTABLE
        for metric, label in ((Metric.VERDICT, verdict), (further, second)):
            if fate == "ok" and label == "undecided":
                open_ones.append(undecided(query, metric))
            elif fate == "ok" and label:
                judgements.append(judged(query, metric, label))
    return queries, responses, judgements, open_ones


@settings(max_examples=40)
@given(evaluations())
def test_bounds_and_interval_hold_the_value(records: Records) -> None:
    for score in scores(*records):
        assert score.errors + score.undecided == score.n - score.judged
        assert min(score.errors, score.undecided) >= 0
        if score.value is None:
            assert score.low is None and score.high is None
            continue
        assert score.worst is not None and score.best is not None
        least, most = sorted((score.worst, score.best))
        assert least - 1e-12 <= score.value <= most + 1e-12
        assert score.low is not None and score.high is not None
        assert -1e-12 <= score.low <= score.value <= score.high <= 1 + 1e-12


@settings(max_examples=40)
@given(evaluations())
def test_the_four_verdict_ratios_sum_to_one(records: Records) -> None:
    found = {(one.metric, one.group): one.value for one in scores(*records)}
    for (metric, group), value in found.items():
        if metric == "unanswered_ratio" and value is not None:
            names = ("clarification_ratio", "partial_ratio", "answered_ratio")
            others = [found[name, group] for name in names]
            assert value + sum(one or 0 for one in others) == pytest.approx(1)
            assert None not in others


@settings(max_examples=15)
@given(evaluations(), st.randoms(use_true_random=False))
def test_the_order_of_records_changes_nothing(records: Records, order: random.Random) -> None:
    before = scores(*records)
    for part in records:
        order.shuffle(part)
    assert scores(*records) == before


@settings(max_examples=40)
@given(evaluations())
def test_errors_never_change_a_value(records: Records) -> None:
    queries, responses, judgements, open_ones = records
    before = {(one.metric, one.group): one for one in scores(*records)}
    failed = [unanswerable(1000 + n, category) for n, category in enumerate(BUILT_IN)]
    failed_controls = [control(2000 + n) for n in range(3)]
    more = scores([*queries, *failed, *failed_controls], responses, judgements, open_ones)
    after = {(one.metric, one.group): one for one in more}
    for key, score in before.items():
        assert (after[key].value, after[key].low, after[key].high) == (
            (score.value, score.low, score.high)
        )
        assert after[key].errors >= score.errors
