"""Find the data that is shipped with this package, in a wheel or in a checkout."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

PACKAGE = Path(__file__).resolve().parent


@cache
def shipped_table(path: str) -> Any:
    """Return the content of a YAML file of this package, such as `formats/scales.yaml`."""
    return yaml.safe_load((PACKAGE / path).read_text(encoding="utf-8"))


def shipped(name: str) -> Path:
    """Return the shipped folder called `name` (`prompts` or `knowledge_bases`)."""
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / name
