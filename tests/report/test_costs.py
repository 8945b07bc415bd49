"""How calls, tokens and costs are shown."""

import pytest

from uaeval.llm.roles import Role
from uaeval.llm.sizing import RoleForecast
from uaeval.report.costs import forecast_table, usage_table
from uaeval.report.tables import money
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


def amount(role: Role, calls: float, cost: float | None) -> RoleForecast:
    return RoleForecast(
        role=role,
        model="openai:m",
        calls=calls,
        prompt_tokens=1000 * calls,
        completion_tokens=100 * calls,
        cost=cost,
    )


def test_roles_are_summed_and_shared_among_the_accepted() -> None:
    sheet = usage_table([used("generator", 0.5), used("verifier", 0.75)], 300, "accepted query")
    assert sheet.rows[0] == (
        "generator", "openai:m", "1,500", "3,000,000", "10", "90,000", "0.5000",
    )  # fmt: skip
    assert sheet.rows[-1][2:] == ("3,000", "6,000,000", "20", "180,000", "1.25")
    assert sheet.note == "$0.0042, 10.00 calls and 20,000 prompt tokens per accepted query."


def test_a_cost_that_is_unknown_makes_the_sum_unknown_and_says_why() -> None:
    sheet = usage_table([used("generator", 0.5), used("verifier", None)], 300, "accepted query")
    assert [row[-1] for row in sheet.rows] == ["0.5000", "unknown", "unknown"]
    assert "--prices" in sheet.note


def test_where_no_model_was_paid_there_is_nothing_to_show() -> None:
    assert usage_table([], 300, "accepted query").rows == ()


def test_retried_calls_are_reported() -> None:
    struck = used("judge", 0.5).model_copy(
        update={"retries": 1200, "rate_limited": 900, "timeouts": 7}
    )
    sheet = usage_table([used("generator", 0.5), struck], 0, "query")
    assert sheet.note == "Of the calls 1,200 were retries, 900 met a 429, 7 timed out."


def test_nothing_accepted_shares_nothing() -> None:
    assert usage_table([used("generator", 0.5)], 0, "accepted query").note == ""


@pytest.mark.parametrize(
    ("dollars", "written"),
    [(None, "unknown"), (0.0, "0.0000"), (0.00123, "0.0012"), (1.0, "1.00"), (12.345, "12.35")],
)
def test_money_is_written_to_the_cent_and_finer_below_a_dollar(
    dollars: float | None, written: str
) -> None:
    assert money(dollars) == written


def test_a_forecast_goes_from_the_least_to_the_most() -> None:
    most = (amount(Role.GENERATOR, 200, 2.0), amount(Role.VERIFIER, 90, 1.0))
    least = (amount(Role.GENERATOR, 100, 1.0), amount(Role.VERIFIER, 90, 1.0))
    sheet = forecast_table("t", (most, least), "n")
    assert sheet.rows == (
        ("generator", "openai:m", "100–200", "100k–200k", "10k–20k", "1.00–2.00"),
        ("verifier", "openai:m", "90", "90k", "9,000", "1.00"),
        ("all", "", "190–290", "190k–290k", "19k–29k", "2.00–3.00"),
    )


def test_costs_below_a_dollar_are_expected_to_the_cent_and_below_a_cent_finer() -> None:
    ends = ((amount(Role.JUDGE, 5, 0.1632),), (amount(Role.JUDGE, 5, 0.0021),))
    assert forecast_table("t", ends, "n").rows[0][-1] == "0.0021–0.16"


def test_a_forecast_without_a_price_is_unknown() -> None:
    sheet = forecast_table("t", ((amount(Role.JUDGE, 5, None),),), "n")
    assert sheet.rows[0][-1] == sheet.rows[1][-1] == "unknown"
    assert "--prices" in sheet.note


def test_the_amounts_of_several_cells_are_summed_by_role_and_model() -> None:
    cells = (amount(Role.JUDGE, 5, 0.5), amount(Role.SYSTEM, 3, None), amount(Role.JUDGE, 7, 0.5))
    sheet = forecast_table("t", (cells,), "n")
    assert [row[:3] for row in sheet.rows] == [
        ("judge", "openai:m", "12"), ("system", "openai:m", "3"), ("all", "", "15"),
    ]  # fmt: skip
    assert [row[-1] for row in sheet.rows] == ["1.00", "unknown", "unknown"]
