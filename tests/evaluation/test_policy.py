"""Judgements under another policy follow from the verdicts."""

import pytest
from tests.evaluation.records import unanswerable

from uaeval.evaluation.judging.judge import Policy, Undecided, under_policy
from uaeval.records import Category, Judgement, Metric


def _judgement(query_id: str, metric: Metric, label: str) -> Judgement:
    return Judgement(
        id=f"{query_id}/{metric}",
        query_id=query_id,
        judge="judge",
        metric=metric,
        label=label,
        rationale="It says so.",
        votes={label: 3},
    )


def _label(policy: Policy, verdict: str, label: str, category: Category) -> str:
    query = unanswerable(0, category)
    given = [
        _judgement(query.id, Metric.VERDICT, verdict),
        _judgement(query.id, Metric.ACCEPTABLE, label),
    ]
    verdict_now, now = under_policy(policy, [query], given)
    assert verdict_now == given[0]
    assert isinstance(now, Judgement)
    assert (now == given[1]) is (now.label == label)
    return now.label


@pytest.mark.parametrize(
    ("policy", "verdict", "label", "expected"),
    [
        ("strict", "refused", "yes", "no"),
        ("strict", "refused", "no", "no"),
        ("strict", "clarified", "yes", "yes"),
        ("strict", "answered", "yes", "yes"),
        ("strict", "partial", "no", "no"),
        ("lenient", "refused", "no", "yes"),
        ("lenient", "clarified", "yes", "yes"),
        ("lenient", "answered", "no", "no"),
    ],
)
def test_only_refusals_of_underspecified_queries_differ(
    policy: Policy, verdict: str, label: str, expected: str
) -> None:
    assert _label(policy, verdict, label, "underspecified") == expected
    assert _label(policy, verdict, label, "nonsensical") == label


def test_a_label_derived_for_a_policy_names_the_judges_label() -> None:
    query = unanswerable(0)
    given = [
        _judgement(query.id, Metric.VERDICT, "refused"),
        _judgement(query.id, Metric.ACCEPTABLE, "yes"),
    ]
    _, decided = under_policy("strict", [query], given)
    assert isinstance(decided, Judgement)
    assert decided.rationale == (
        "Decided by the verdict (refused) under the strict policy; the judge said yes under the "
        "other: It says so."
    )
    assert decided.votes is None


def test_without_a_verdict_a_judgement_that_depends_on_it_is_an_error() -> None:
    query = unanswerable(0)
    yes = _judgement(query.id, Metric.ACCEPTABLE, "yes")
    assert under_policy("strict", [query], [yes]) == []
    assert under_policy("lenient", [query], [yes]) == [yes]


def test_an_undecided_verdict_leaves_acceptability_undecided() -> None:
    query = unanswerable(0)
    yes = _judgement(query.id, Metric.ACCEPTABLE, "yes")
    unclear = Undecided(
        id=f"{query.id}/verdict",
        query_id=query.id,
        judge="judge",
        metric=Metric.VERDICT,
        rationale="Hard to tell.",
    )
    now = under_policy("strict", [query], [unclear, yes])
    assert {type(each) for each in now} == {Undecided}
    assert [(each.id, each.metric) for each in now] == [
        (unclear.id, Metric.VERDICT),
        (yes.id, Metric.ACCEPTABLE),
    ]
