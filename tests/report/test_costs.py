"""How calls, tokens and costs are shown."""

import pytest

from uaeval.report.costs import money, usage_sheet
from uaeval.run_folder import ModelUsage


def used(role: str, cost: float | None) -> ModelUsage:
    return ModelUsage(
        role=role,
        model="openai:m",
        calls=1500,
        prompt_tokens=3_000_000,
        cached_tokens=10,
        completion_tokens=90_000,
        cost_usd=cost,
    )


def test_roles_are_summed_and_shared_among_the_accepted() -> None:
    sheet = usage_sheet([used("generator", 0.5), used("verifier", 0.75)], 300, "accepted query")
    assert sheet.rows[0] == (
        "generator", "openai:m", "1,500", "3,000,000", "10", "90,000", "0.5000",
    )  # fmt: skip
    assert sheet.rows[-1][2:] == ("3,000", "6,000,000", "20", "180,000", "1.25")
    assert sheet.note == "$0.0042, 10.00 calls and 20,000 prompt tokens per accepted query."


def test_a_cost_that_is_unknown_makes_the_sum_unknown_and_says_why() -> None:
    sheet = usage_sheet([used("generator", 0.5), used("verifier", None)], 300, "accepted query")
    assert [row[-1] for row in sheet.rows] == ["0.5000", "unknown", "unknown"]
    assert "--prices" in sheet.note


def test_where_no_model_was_paid_there_is_nothing_to_show() -> None:
    assert usage_sheet([], 300, "accepted query").rows == ()


def test_nothing_accepted_shares_nothing() -> None:
    assert usage_sheet([used("generator", 0.5)], 0, "accepted query").note == ""


@pytest.mark.parametrize(
    ("dollars", "written"),
    [(None, "unknown"), (0.0, "0.0000"), (0.00123, "0.0012"), (1.0, "1.00"), (12.345, "12.35")],
)
def test_money_is_written_to_the_cent_and_finer_below_a_dollar(
    dollars: float | None, written: str
) -> None:
    assert money(dollars) == written
