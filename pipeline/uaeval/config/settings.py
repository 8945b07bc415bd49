"""Settings: their base class, types, names as options and keys, and validation."""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import get_annotations
from pathlib import Path
from typing import Annotated, ClassVar, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from uaeval.errors import ConfigError
from uaeval.redaction import is_secret

C = TypeVar("C", bound=BaseModel)
T = TypeVar("T")


class Settings(BaseModel):
    """Base class of all settings; the docstring of a field is the help text of its option."""

    heading: ClassVar[str] = "Options"
    """The heading of these settings' options in the help of a command."""
    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, defer_build=True
    )

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_truth(cls, value: object, info: ValidationInfo) -> object:
        """Refuse `yes` for a number, which YAML reads as true and pydantic as 1."""
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and kind in (int, float, int | None, float | None):
            raise ValueError(f"input should be a number, got {value}")
        return value


@dataclass(frozen=True, slots=True)
class Option:
    """The deviations of a setting's option from `--its-name VALUE`."""

    alias: str = ""
    """Another name of the option."""
    repeated: bool = False
    """Whether the option may be given several times."""
    names: Callable[[], tuple[str, ...]] | None = None
    """Returns the names to choose from; the help lists them."""


def marks(field: FieldInfo) -> list[Option]:
    """Return the `Option` declarations of a setting."""
    return [mark for mark in field.metadata if isinstance(mark, Option)]


def option_names(name: str, field: FieldInfo) -> list[str]:
    """Return the names of an option: the setting's name with dashes, and the aliases."""
    dashes = "-" if len(name) == 1 else "--"
    return [dashes + name.replace("_", "-"), *(mark.alias for mark in marks(field) if mark.alias)]


def key_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the name of the setting for each key that a file may use."""
    return {
        option.lstrip("-").replace("-", "_"): name
        for name, field in model.model_fields.items()
        for option in option_names(name, field)
    }


def declaring_classes(model: type[BaseModel]) -> dict[str, type[Settings]]:
    """Return the class that declares each setting; a model's own settings come first."""
    classes: dict[str, type[Settings]] = {}
    for base in (base for base in model.__mro__ if issubclass(base, Settings)):
        for name in get_annotations(base):
            if name in model.model_fields:
                classes.setdefault(name, base)
    return classes


def no_login(address: str) -> str:
    """Return `address`; raise `ValueError` if it has a password, as the manifest holds settings."""
    _, scheme, rest = "".join(address.split()).partition("://")  # clients ignore line ends
    if scheme and "@" in urlsplit(f"//{rest}").netloc:
        raise ValueError("leave name and password out; give a header or key from the environment")
    return address


def http_url(url: str | None) -> str | None:
    """Return `url`; raise `ValueError` if it is not an HTTP address, or has a password."""
    if url is None:
        return None
    parts = urlsplit(no_login(url))
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("give an address such as http://localhost:8000/v1")
    return url


def refuse_secrets(setting: T, is_secret_value: Callable[[str, str], bool] = is_secret) -> T:
    """Return `setting`; raise `ValueError` for a literal secret, as the manifest holds settings."""
    for name, value in texts_in(setting):
        if is_secret_value(name, value):
            raise ValueError(
                f"set the value of {name} in the environment and write $ITS_NAME here, "
                "because settings are stored in the manifest"
            )
    return setting


def texts_in(setting: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield name and text of each header, body field or URL parameter in a setting."""
    if isinstance(setting, dict):
        for inner, value in setting.items():
            yield from texts_in(value, inner)
    elif isinstance(setting, list | tuple):
        for value in setting:
            yield from texts_in(value, name)
    elif isinstance(setting, str):
        yield from [(name, setting)] if name else parse_qsl(setting.partition("?")[2])


def _distinct(names: tuple[T, ...]) -> tuple[T, ...]:
    if len(set(names)) != len(names):
        raise ValueError("each may be named only once")
    return names


def _comma_separated(value: object) -> object:
    return tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else value


Several: TypeAlias = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda value: (value,) if isinstance(value, str) else value),
    Option(repeated=True),
]
"""Texts that may contain commas; a single text is a list with one element."""
Mixed: TypeAlias = Annotated[tuple[T, ...], BeforeValidator(_comma_separated)]
"""Names, as a list or separated by commas; duplicates are allowed."""
Listed: TypeAlias = Annotated[Mixed[T], AfterValidator(_distinct)]
"""Distinct names, as a list or separated by commas."""


def _plain_name(name: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise ValueError(f"write a plain name of letters, digits, ., - and _, got {name!r}")
    return name


FolderName = Annotated[str, AfterValidator(_plain_name)]
"""The name of a folder inside the dataset's folder."""


def build(kind: type[C], files: Mapping[str, Path] | None = None, /, **settings: object) -> C:
    """Return validated settings; a value of `None` means the default.

    `files` names the files that settings were read from, for errors. Raise `ConfigError` if a
    setting is invalid or unknown.
    """
    values = canonical(kind, settings)
    if unknown_names := values.keys() - kind.model_fields.keys():
        raise ConfigError(unknown(unknown_names, kind.model_fields))
    try:
        return kind(**values)
    except ValidationError as error:
        errors = error.errors()
        # A list without its invalid values may be too short; that error is not reported as well.
        parents = {item["loc"][:-1] for item in errors}
        shown = [e for e in errors if e["type"] != "too_short" or e["loc"] not in parents]
        # Without the cause, which may contain an address with its password.
        raise ConfigError("; ".join(_problem(error, files or {}) for error in shown)) from None


def canonical(kind: type[BaseModel], settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that are not `None`, by name of the field; aliases (`rpm`) are replaced.

    Raise `ConfigError` if a setting is given by name and by alias.
    """
    names, values = key_names(kind), dict[str, object]()
    for key, value in settings.items():
        if (name := names.get(key, key)) in values:
            raise ConfigError(f"{key!r} is another name of {name!r}; give only one of the two")
        if value is not None:
            values[name] = value
    return values


def unknown(names: Iterable[str], known: Iterable[str]) -> str:
    """Return an error message about unknown settings."""
    known = sorted(known)
    described = []
    for name in sorted(names):
        similar = difflib.get_close_matches(name, known, 1)
        described.append(f"{name!r} (did you mean {similar[0]!r}?)" if similar else repr(name))
    return f"unknown setting {', '.join(described)}; known settings: {', '.join(known)}"


def _problem(error: ErrorDetails, files: Mapping[str, Path]) -> str:
    place = ".".join(map(str, error["loc"]))
    path = files.get(str(error["loc"][0])) if error["loc"] else None
    start = f"{path}: " if path else ""
    if error["type"] == "missing" and (outer := place.rpartition(".")[0]):
        return f"{start}{outer}: a value is missing, got {error['input']!r}"
    if error["type"] == "missing":
        return f"{start}{place} is missing; give it on the command line or in uaeval.yaml"
    message = str(error["msg"]).removeprefix("Value error, ").replace("valid tuple", "list")
    message = message.removesuffix(" for <class 'pathlib.Path'>")
    start += f"{place}: " if place else ""
    if error["type"] == "value_error":
        return f"{start}{message}"
    return f"{start}{message[0].lower()}{message[1:]}, got {error['input']!r}"
