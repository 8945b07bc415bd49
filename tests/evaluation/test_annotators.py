"""Validity with its interval, and agreement between annotators."""

import pytest
from tests.evaluation.records import control, unanswerable

from uaeval.evaluation.labels.annotators import counts, disagreements, pairs, validity
from uaeval.evaluation.statistics.intervals import wilson
from uaeval.labels import Label


def _label(query_id: str, annotator: str, valid: str, chance: float = 1.0) -> Label:
    return Label.model_validate(
        {
            "query_id": query_id,
            "annotator": annotator,
            "valid": valid,
            "inclusion_probability": chance,
        }
    )


def test_validity_is_the_share_of_labelled_queries_that_are_valid() -> None:
    queries = [unanswerable(n) for n in range(30)]
    words = ["valid"] * 18 + ["invalid"] * 6 + ["unsure"] * 1
    labels = [_label(query.id, "a", word) for query, word in zip(queries, words, strict=False)]
    by_group = {score.group: score for score in validity(queries, labels)}
    score = by_group["underspecified"]
    assert (score.n, score.judged, score.errors) == (25, 24, 1)
    assert score.value == 0.75
    low, high = wilson(0.75, 23)  # 24 documents of one query each are worth 23
    assert score.low == pytest.approx(low)
    assert score.high == pytest.approx(high)
    assert (score.worst, score.best) == (18 / 25, 19 / 25)
    assert score.reliable


def test_overall_weighs_by_the_chance_to_be_drawn_and_leaves_controls_out() -> None:
    rare = [unanswerable(n) for n in range(2)]
    common = [unanswerable(n, "nonsensical") for n in range(3)]
    twin = control(0)
    labels = [
        *(_label(query.id, "a", "valid", 1.0) for query in rare),
        *(_label(query.id, "a", "invalid", 0.25) for query in common[:2]),
        _label(common[2].id, "a", "unsure", 0.25),
        _label(twin.id, "a", "valid"),
    ]
    by_group = {score.group: score for score in validity([*rare, *common, twin], labels)}
    assert by_group["overall"].value == pytest.approx(2 / (2 + 8))
    assert by_group["controls"].value == 1.0
    overall = by_group["overall"]
    assert (overall.n, overall.errors) == (5, 1)
    assert (overall.worst, overall.best) == (2 / 14, 6 / 14)
    assert list(by_group) == ["underspecified", "nonsensical", "controls", "overall"]


def test_nothing_labelled_has_no_validity() -> None:
    assert validity([unanswerable(0)], []) == ()


def test_kappa_is_cohens() -> None:
    # The worked example of Cohen's kappa: 20 + 15 agree of 50, kappa 0.4.
    cells = {("valid", "valid"): 20, ("valid", "invalid"): 5}
    cells |= {("invalid", "valid"): 10, ("invalid", "invalid"): 15}
    words = [pair for pair, count in cells.items() for _ in range(count)]
    labels = [
        _label(f"q{n}", name, word)
        for n, pair in enumerate(words)
        for name, word in zip("ab", pair, strict=True)
    ]
    (found,) = pairs(labels, {f"q{n}": "query" for n in range(50)})
    assert (found.first, found.second, found.n, found.same) == ("a", "b", 50, 35)
    assert found.kappa == pytest.approx(0.4)


def test_kappa_takes_only_what_both_labelled_and_is_nothing_where_all_say_the_same() -> None:
    labels = [_label("q", "a", "valid"), _label("q", "b", "valid"), _label("r", "a", "invalid")]
    (found,) = pairs(labels, {"q": "query", "r": "query"})
    assert (found.n, found.kappa) == (1, None)
    assert pairs(labels[:1], {"q": "query"}) == ()


def test_three_annotators_are_compared_pair_by_pair() -> None:
    labels = [_label("q", name, "valid") for name in "abc"]
    found = pairs(labels, {"q": "query"})
    assert [(one.first, one.second) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_disagreements_are_listed_with_what_settled_them_last() -> None:
    labels = [
        *(_label("ended", "a", "valid"), _label("ended", "b", "invalid")),
        *(_label("left", "a", "valid"), _label("left", "b", "unsure")),
        *(_label("same", "a", "valid"), _label("same", "b", "valid")),
        _label("ended", "b", "valid").model_copy(update={"settles": True}),
    ]
    found = disagreements(labels)
    assert [(one.item, one.resolution) for one in found] == [("left", None), ("ended", "valid")]
    assert counts(labels) == {"a": {"valid": 3}, "b": {"invalid": 1, "unsure": 1, "valid": 1}}
