"""Names of models in settings and records: `offline`, or `provider:model`."""

import re
from typing import Final

OFFLINE: Final = "offline"
"""The offline engine."""


def is_offline(recorded: str | None) -> bool:
    """Return whether a recorded name, such as `offline-2`, is of the offline engine."""
    return recorded is not None and re.match(rf"{OFFLINE}\b", recorded) is not None


def file_name(model: str) -> str:
    """Return a model's name for use in file names."""
    return re.sub(r"[^\w.]+", "-", model).strip("-.") or "model"
