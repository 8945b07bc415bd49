"""The price list: shipped, overlaid, refused; and what tokens cost by it."""

from pathlib import Path

import pytest

from uaeval.errors import ConfigError
from uaeval.llm.prices import open_prices
from uaeval.llm.usage import Usage
from uaeval.run_folder import Price

MINI = "openai:gpt-4.1-mini"
MILLION = Usage(calls=1, prompt_tokens=1_000_000, completion_tokens=1_000_000)
OWN = """\
providers:
  openai:
    as_of: 2026-01-31
    models:
      mine: {input: 1, output: 2}
      gpt-4.1-mini:
        input: 3
        output: 4
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "prices.yaml"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_each_shipped_price_says_where_and_when_it_was_read() -> None:
    price = open_prices(None).price(MINI)
    assert price
    assert (price.input, price.cached_input, price.output) == (0.4, 0.1, 1.6)
    assert price.as_of.year >= 2026
    assert price.source.startswith("https://")


@pytest.mark.parametrize(
    ("dated", "plain"),
    [
        ("openai:gpt-4.1-mini-2025-04-14", MINI),
        ("anthropic:claude-haiku-4-5-20251001", "anthropic:claude-haiku-4-5"),
    ],
)
def test_a_dated_name_has_the_price_of_the_plain_one(dated: str, plain: str) -> None:
    prices = open_prices(None)
    assert prices.price(dated) == prices.price(plain) is not None


def test_a_dated_name_with_a_price_of_its_own_keeps_it() -> None:
    prices = open_prices(None)
    assert prices.price("openai:gpt-4o-2024-05-13") != prices.price("openai:gpt-4o")


@pytest.mark.parametrize("name", ["openai:gpt-4.1-mini-high", "azure_openai:gpt-4.1-mini", "x:y"])
def test_a_model_that_is_not_listed_has_no_price_and_no_cost(name: str) -> None:
    assert open_prices(None).price(name) is None
    assert open_prices(None).cost(name, MILLION) is None


def test_tokens_cost_their_price_by_kind() -> None:
    prices = open_prices(None)
    assert prices.cost(MINI, MILLION) == pytest.approx(0.4 + 1.6)
    cached = Usage(prompt_tokens=1_000_000, cached_tokens=750_000)
    assert prices.cost(MINI, cached) == pytest.approx(0.25 * 0.4 + 0.75 * 0.1)
    assert prices.cost(MINI, MILLION, batch=True) == pytest.approx(1.0)


def test_cached_tokens_cost_as_much_and_batches_too_where_no_discount_is_given(file: Path) -> None:
    prices = open_prices(file)
    cached = Usage(prompt_tokens=1_000_000, cached_tokens=500_000)
    assert prices.cost("openai:mine", cached, batch=True) == pytest.approx(1.0)


def test_own_prices_replace_those_of_an_earlier_session_and_these_the_shipped_ones(
    file: Path,
) -> None:
    earlier = {
        name: Price.model_validate({"input": 9, "output": 9, "as_of": "2026-01-01"})
        for name in (MINI, "openai:gpt-4.1")
    }
    prices = open_prices(file, earlier)
    assert [prices.cost(name, MILLION) for name in (MINI, "openai:gpt-4.1", "openai:mine")] == [
        pytest.approx(cost) for cost in (7, 18, 3)
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("output: 4", "output: four", "line 8: providers.openai.models.gpt-4.1-mini.output: input"),
        ("output: 4", "output: -4", "line 8: .*greater than or equal to 0"),
        ("output: 4", "output: .inf", "line 8: .*finite"),
        ("        output: 4\n", "", "line 6: providers.openai.models.gpt-4.1-mini.output: field"),
        ("input: 3", "inputs: 3", "line 6: providers.openai.models.gpt-4.1-mini.input: field"),
        ("as_of: 2026-01-31", "as_of: lately", "line 3: providers.openai.as_of: input"),
        ("    as_of: 2026-01-31\n", "", "line 2: providers.openai.as_of: field required"),
        ("providers:", "prices:", "line 1: providers: field required"),
        (OWN, "", "line 1: the file: input should be a valid"),
        ("models:", "models: [", "cannot read the price file .*line"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_line_and_key(
    file: Path, old: str, new: str, says: str
) -> None:
    file.write_text(OWN.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match=says):
        open_prices(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no such price file: .*none\.yaml"):
        open_prices(tmp_path / "none.yaml")
