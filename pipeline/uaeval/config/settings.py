"""Types of settings: one field is a key of a file, an argument and an option."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import get_annotations
from typing import Annotated, ClassVar, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict
from pydantic.fields import FieldInfo

from uaeval.redaction import is_secret

T = TypeVar("T")


class Settings(BaseModel):
    """Base of all settings; the docstring of a field is the help of its option."""

    heading: ClassVar[str] = "Options"
    """The group in the help of a command that has the options of these settings."""
    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, defer_build=True
    )


@dataclass(frozen=True, slots=True)
class Option:
    """How a setting is written on the command line, beyond `--its-name VALUE`."""

    alias: str = ""
    """Another name of the option."""
    repeated: bool = False
    """Whether the option may be given several times."""
    names: Callable[[], tuple[str, ...]] | None = None
    """Returns the names to choose from; the help lists them."""


def marks(field: FieldInfo) -> list[Option]:
    """Return what a setting declares about its option."""
    return [mark for mark in field.metadata if isinstance(mark, Option)]


def option_names(name: str, field: FieldInfo) -> list[str]:
    """Return the names of an option: the key of a file with dashes, and the alias."""
    dashes = "-" if len(name) == 1 else "--"
    return [dashes + name.replace("_", "-"), *(mark.alias for mark in marks(field) if mark.alias)]


def key_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the name of each setting by the keys that a file may have for it."""
    return {
        option.lstrip("-").replace("-", "_"): name
        for name, field in model.model_fields.items()
        for option in option_names(name, field)
    }


def declaring(model: type[BaseModel], name: str) -> type[Settings]:
    """Return the class that declares a setting of `model`."""
    bases = (base for base in model.__mro__ if issubclass(base, Settings))
    return next(base for base in bases if name in get_annotations(base))


def no_password(url: str | None) -> str | None:
    """Refuse an invalid address, and one with credentials: it is written into the manifest."""
    if url is None:
        return None
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise ValueError("leave name and password out, give them as a header from the environment")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("give an address such as http://localhost:8000/v1")
    return url


def refuse_secrets(setting: T, secret: Callable[[str, str], bool] = is_secret) -> T:
    """Refuse a secret that is written out: settings are written into the manifest."""
    for name, value in texts_in(setting):
        if secret(name, value):
            raise ValueError(
                f"set the value of {name} in the environment and write $ITS_NAME here, "
                "for the settings are written down"
            )
    return setting


def texts_in(setting: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and text of each header, field of a body, or part of an address's query."""
    if isinstance(setting, dict):
        for inner, value in setting.items():
            yield from texts_in(value, inner)
    elif isinstance(setting, list | tuple):
        for value in setting:
            yield from texts_in(value, name)
    elif isinstance(setting, str):
        yield from [(name, setting)] if name else parse_qsl(setting.partition("?")[2])


def _one_or_several(given: object) -> object:
    return (given,) if isinstance(given, str) else given


def _distinct(given: tuple[T, ...]) -> tuple[T, ...]:
    if len(set(given)) != len(given):
        raise ValueError("each may be named only once")
    return given


def _comma_separated(given: object) -> object:
    return tuple(part.strip() for part in given.split(",")) if isinstance(given, str) else given


Several: TypeAlias = Annotated[
    tuple[str, ...], BeforeValidator(_one_or_several), Option(repeated=True)
]
"""Texts that may hold commas; a single text is a list of one."""
Mixed: TypeAlias = Annotated[tuple[T, ...], BeforeValidator(_comma_separated)]
"""Names, as a list or separated by commas; one may come several times."""
Listed: TypeAlias = Annotated[Mixed[T], AfterValidator(_distinct)]
"""Different names, as a list or separated by commas."""


def _plain_name(given: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*", given):
        raise ValueError(f"write a plain name of letters, digits, ., - and _, got {given!r}")
    return given


FolderName = Annotated[str, AfterValidator(_plain_name)]
"""A folder below that of the dataset."""
