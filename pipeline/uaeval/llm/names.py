"""Names of models in settings and records: `offline`, or `provider:model`."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

OFFLINE: Final = "offline"
"""The offline engine."""


def model_name(given: str) -> str:
    """Return the name of a model, with `offline` in place of its alias `rules`."""
    return OFFLINE if given == "rules" else given


ModelName = Annotated[str, AfterValidator(model_name)]


def is_offline(recorded: str | None) -> bool:
    """Return whether a recorded name, such as `offline-2`, is of the offline engine."""
    return recorded is not None and re.match(rf"{OFFLINE}\b", recorded) is not None


def file_name(model: str) -> str:
    """Return a model's name for use in file names."""
    return re.sub(r"[^\w.]+", "-", model).strip("-.") or "model"
