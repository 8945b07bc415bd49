"""The names of the categories, which can be listed without loading a category."""

from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, Field

from uaeval.plugins import plugins, refused

GROUP: Final = "uaeval.categories"
"""The entry-point group under which installed packages register a `CategorySpec`."""
BUILT_IN: Final = (
    "underspecified",
    "false_presupposition",
    "nonsensical",
    "modality_limited",
    "safety_concerned",
    "out_of_database",
)
"""The modules of this package that declare a category, in the order of plans and reports."""


def category_names() -> tuple[str, ...]:
    """Return the names of all built-in and installed categories, in the order of reports.

    Raise `ConfigError` if an installed one cannot be loaded, or has the name of a built-in one.
    """
    names = list(BUILT_IN)
    for name, declared in plugins(GROUP).items():
        if name in BUILT_IN:
            raise refused(GROUP, name, "is built in; rename the installed category")
        place: int | None = getattr(declared, "place", None)
        names.insert(len(names) if place is None else place, name)
    return tuple(names)


def known_category(name: str) -> str:
    """Return `name`; raise `ValueError` if no category has this name."""
    known = category_names()
    if name not in known:
        raise ValueError(
            f"unknown category {name!r}; install the package that defines it; "
            f"known: {', '.join(known)}"
        )
    return name


Category: TypeAlias = Annotated[str, AfterValidator(known_category), Field(examples=[*BUILT_IN])]
"""The name of a category, built in or installed."""
