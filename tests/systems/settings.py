"""Settings of an evaluation for tests of one system."""

from pathlib import Path
from typing import Any

from uaeval.config import EvaluationConfig
from uaeval.systems.extract import Paths


def configured(system: str = "http", paths: Paths | None = None, **given: Any) -> EvaluationConfig:
    """Return settings with few attempts; `paths` are those of answer and contexts."""
    settings = {"timeout": 5, "max_retries": 2, **given}
    if paths:
        settings |= {"answer_path": paths.answer, "contexts_path": paths.contexts}
    return EvaluationConfig(dataset=Path("dataset"), system=system, **settings)
