"""The prices of tokens: the shipped list prices, and the user's own in their place."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ValidationError

from uaeval.config.files import read_file
from uaeval.errors import ConfigError
from uaeval.llm.usage import Usage
from uaeval.resources import PACKAGE
from uaeval.run_folder import Price, PriceSource, TokenPrices

SHIPPED: Final = PACKAGE / "llm" / "prices.yaml"
_DATED: Final = re.compile(r"-(?:20\d\d-\d\d-\d\d|20\d{6})\Z")


class _Provider(PriceSource, frozen=True):
    models: dict[str, TokenPrices]


class _File(BaseModel, extra="forbid"):
    providers: dict[str, _Provider]


class PriceTable(dict[str, Price]):
    """Prices by `provider:model`."""

    def price(self, model: str) -> Price | None:
        """Return the price of a model; `None` if it is unknown.

        A model with a release date (`-2025-04-14` or `-20250514`) and without a price of its own
        has the price of the name without the date.
        """
        return self.get(model) or self.get(_DATED.sub("", model))

    def cost(self, model: str, used: Usage, *, batch: bool = False) -> float | None:
        """Return the cost of `used` in US dollars; `None` if the price is unknown."""
        price = self.price(model)
        if price is None:
            return None
        cached = price.input if price.cached_input is None else price.cached_input
        dollars = (
            (used.prompt_tokens - used.cached_tokens) * price.input
            + used.cached_tokens * cached
            + used.completion_tokens * price.output
        ) / 1_000_000
        return dollars * (price.batch_factor or 1) if batch else dollars


def total_cost(costs: Iterable[float | None]) -> float | None:
    """Return the sum of costs in US dollars; `None` if one of them is unknown."""
    costs = list(costs)
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def open_prices(file: Path | None, earlier: Mapping[str, Price] | None = None) -> PriceTable:
    """Return the shipped prices, overridden by `earlier` (of a former session), then by `file`."""
    return PriceTable(_read(SHIPPED) | dict(earlier or {}) | (_read(file) if file else {}))


def _read(file: Path) -> dict[str, Price]:
    try:
        providers = _File.model_validate(read_file(file, "price")).providers
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys = [str(part) for part in first["loc"]]
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise ConfigError(
            f"{file}, line {_line(file, keys)}: {'.'.join(keys) or 'the file'}: {message}; "
            f"{SHIPPED.name} in the package shows the shape"
        ) from error
    return {
        f"{name}:{model}": Price(**dict(prices), **provider.model_dump(exclude={"models"}))
        for name, provider in providers.items()
        for model, prices in provider.models.items()
    }


def _line(file: Path, keys: Sequence[str]) -> int:
    """Return the line, from 1, of the innermost of the nested `keys` that the file has."""
    node = yaml.compose(file.read_text(encoding="utf-8"), yaml.SafeLoader)
    line = 0
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        pair = next((pair for pair in pairs if pair[0].value == key), None)
        if pair is None:
            break
        line, node = pair[0].start_mark.line, pair[1]
    return line + 1
