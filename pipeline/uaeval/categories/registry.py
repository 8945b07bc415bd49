"""Look up the categories of this package and of installed packages by name."""

from typing import Any

from uaeval.categories.base import CategorySpec
from uaeval.categories.names import BUILT_IN, GROUP, category_names
from uaeval.plugins import declared, plugins, refused


def category(name: str) -> CategorySpec[Any]:
    """Return a category; raise `KeyError` for an unknown name, `ConfigError` for another object."""
    if name in BUILT_IN:
        return declared(f"uaeval.categories.{name}", "CATEGORY", CategorySpec)
    plugin = plugins(GROUP)[name]
    if not isinstance(plugin, CategorySpec) or plugin.name != name:
        raise refused(GROUP, name, "should be a CategorySpec of that name")
    return plugin


def categories() -> tuple[CategorySpec[Any], ...]:
    """Return all categories, in the order of reports."""
    return tuple(map(category, category_names()))
