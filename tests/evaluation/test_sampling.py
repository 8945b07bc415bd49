from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.records import both, control, judged, unanswerable

from uaeval.errors import ConfigError
from uaeval.evaluation.labels.sampling import (
    SampledJudgement,
    allocation,
    draw_sample,
    group_of,
    judged_metric_named,
)
from uaeval.records import Judgement, Metric, Query

QUERIES: list[Query] = [unanswerable(n, "nonsensical") for n in range(50)]
QUERIES += [control(n, "nonsensical") for n in range(50)]
JUDGEMENTS: list[Judgement] = [
    judgement
    for n, query in enumerate(QUERIES)
    for judgement in both(query, "answered" if n % 10 else "refused", "yes" if n % 25 else "no")
]


def _stratum(drawn: SampledJudgement) -> str:
    return f"{drawn.judgement.metric}/{group_of(drawn.query)}/{drawn.judgement.label}"


def test_rare_labels_are_drawn_in_full_and_their_chance_is_written_down() -> None:
    drawn = draw_sample(QUERIES, JUDGEMENTS, 60)
    assert len(drawn) == 60 == len({one.judgement.id for one in drawn})
    per_stratum = Counter(map(_stratum, drawn))
    assert per_stratum["acceptable/nonsensical/no"] == 2
    assert per_stratum["verdict/controls/refused"] == 5
    chances = {_stratum(one): one.inclusion_probability for one in drawn}
    assert chances["acceptable/nonsensical/no"] == 1
    assert chances["verdict/nonsensical/answered"] == pytest.approx(
        per_stratum["verdict/nonsensical/answered"] / 45
    )


def test_weighting_by_inclusion_probability_restores_the_whole() -> None:
    drawn = draw_sample(QUERIES, JUDGEMENTS, 60)
    assert sum(1 / one.inclusion_probability for one in drawn) == pytest.approx(len(JUDGEMENTS))


def test_the_sample_depends_on_the_seed_and_not_on_the_order() -> None:
    first = draw_sample(QUERIES, JUDGEMENTS, 30, seed=1)
    assert first == draw_sample(QUERIES[::-1], JUDGEMENTS[::-1], 30, seed=1)
    assert first != draw_sample(QUERIES, JUDGEMENTS, 30, seed=2)


def test_more_than_there_is_draws_all_of_it() -> None:
    drawn = draw_sample(QUERIES, JUDGEMENTS, 10_000)
    assert len(drawn) == len(JUDGEMENTS)
    assert {one.inclusion_probability for one in drawn} == {1.0}


def test_nothing_to_label_is_said() -> None:
    with pytest.raises(ConfigError, match="no judgement to label"):
        draw_sample(QUERIES, [], 10)
    with pytest.raises(ConfigError, match="unknown metric 'tone'"):
        judged_metric_named("tone")


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 30), min_size=1), st.integers(1, 120))
def test_an_allocation_is_as_even_as_the_strata_allow(sizes: dict[str, int], total: int) -> None:
    given_out = allocation(sizes, total)
    assert sum(given_out.values()) == min(total, sum(sizes.values()))
    for name, count in given_out.items():
        assert 0 < count <= sizes[name]
    short = [given_out.get(name, 0) for name in sizes if given_out.get(name, 0) < sizes[name]]
    if short:
        assert max(given_out.values()) <= min(short) + 1


def test_a_judgement_is_drawn_with_its_query() -> None:
    (one,) = draw_sample(QUERIES, [judged(QUERIES[3], Metric.VERDICT, "refused")], 5)
    assert (one.query, _stratum(one)) == (QUERIES[3], "verdict/nonsensical/refused")
