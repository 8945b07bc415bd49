"""What a grading is."""

from typing import Literal

from uaeval.evaluation.manifest import WorkManifest


class GradingManifest(WorkManifest):
    """Written before the first question and after the last."""

    what = "grading"
    status: Literal["running", "lacking", "complete"]
    """`lacking`: calls failed, and running it again asks them again."""
    embedding: str
    questions: int
    answers: int = 0
    blocked: int = 0
