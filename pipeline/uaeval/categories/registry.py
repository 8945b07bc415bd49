"""Look up the categories of this package and of installed packages by name."""

from importlib import import_module
from typing import Any

from uaeval.categories.base import CategorySpec
from uaeval.categories.names import BUILT_IN, GROUP, category_names
from uaeval.plugins import plugins, refused


def category(name: str) -> CategorySpec[Any]:
    """Return a category; raise `KeyError` for an unknown name, `ConfigError` for another object."""
    if name in BUILT_IN:
        declared: object = import_module(f"uaeval.categories.{name}").CATEGORY
    else:
        declared = plugins(GROUP)[name]
    if not isinstance(declared, CategorySpec) or declared.name != name:
        raise refused(GROUP, name, "should be a CategorySpec of that name")
    return declared


def categories() -> tuple[CategorySpec[Any], ...]:
    """Return all categories, in the order of reports."""
    return tuple(map(category, category_names()))
