"""Names of models in settings and records: `offline`, or `provider:model`."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

OFFLINE: Final = "offline"
"""The offline engine."""
EARLIER: Final = "rules"
"""The name of an earlier engine; still accepted as an alias of `offline`."""


def model_name(given: str) -> str:
    """Return the name of a model, with `offline` in place of its alias `rules`."""
    return OFFLINE if given == EARLIER else given


ModelName = Annotated[str, AfterValidator(model_name)]


def is_offline(recorded: str | None) -> bool:
    """Return whether a recorded name, such as `offline-2`, is of an embedded engine."""
    return recorded is not None and re.match(rf"({OFFLINE}|{EARLIER})\b", recorded) is not None


def describe_change(setting: str, was: object, now: object) -> str:
    """Describe a setting that differs from that of an earlier run."""
    if (was, now) == (EARLIER, OFFLINE):
        return f"{setting} was {was!r}, the engine of an earlier version, is {now!r}"
    return f"{setting} was {was!r}, is {now!r}"


def file_name(model: str) -> str:
    """Return a model's name for use in file names."""
    return re.sub(r"[^\w.]+", "-", model).strip("-.") or "model"
