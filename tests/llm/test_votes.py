import pytest

from uaeval.llm.model import count_votes, majority, votes_text


@pytest.mark.parametrize(
    ("labels", "winner"),
    [
        (["yes"], "yes"),
        (["yes", "no", "yes"], "yes"),
        (["no", "yes", "yes", "yes"], "yes"),
        (["yes", "no"], None),
        (["refused", "clarified", "answered"], None),
        (["refused", "refused", "clarified", "answered"], None),
    ],
)
def test_a_majority_is_more_than_half_of_all_votes(labels: list[str], winner: str | None) -> None:
    assert majority(labels) == winner


def test_votes_are_listed_by_count_whatever_their_order() -> None:
    orders = (["b", "a", "c", "b"], ["c", "b", "b", "a"])
    assert {votes_text(count_votes(labels)) for labels in orders} == {"b 2, a 1, c 1"}
