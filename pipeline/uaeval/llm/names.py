"""Names of models: `offline`, or `provider:model`."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

OFFLINE: Final = "offline"
"""The name of the offline engine in settings."""


ModelName = Annotated[str, AfterValidator(lambda name: OFFLINE if name == "rules" else name)]
"""The name of a model in settings; `rules` is an alias of `offline`."""


def is_offline(recorded: str | None) -> bool:
    """Return whether a name in a record, such as `offline-2`, is that of the offline engine."""
    return recorded is not None and re.match(rf"{OFFLINE}\b", recorded) is not None


def file_name(name: str, default: str = "model") -> str:
    """Return the name of a model or a setting in a form that file names allow."""
    return re.sub(r"[^\w.]+", "-", name).strip("-.") or default
