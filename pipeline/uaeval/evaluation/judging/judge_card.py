"""The measured accuracy of the offline judge, in one sentence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, Field

CARD: Final = Path(__file__).with_suffix(".yaml")


class Measured(BaseModel, extra="forbid", frozen=True):
    """Accuracy on one set of labelled responses."""

    task: str
    data: str
    rows: int = Field(ge=1)
    accuracy: float = Field(ge=0, le=1)
    keywords: float = Field(ge=0, le=1)
    """Accuracy of the keyword baseline on the same rows."""


def measured() -> tuple[Measured, ...]:
    """Return the accuracy of the shipped judge on each set of labelled responses."""
    card = yaml.safe_load(CARD.read_text(encoding="utf-8"))
    return tuple(map(Measured.model_validate, card["figures"]))


def judge_worth(option: str | None = None, figures: Sequence[Measured] | None = None) -> str:
    """Return a sentence on the reliability of the offline judge.

    `option` is the command-line option that makes the configured model the judge.
    """
    shown = measured() if figures is None else figures
    accuracy = "; ".join(
        f"{row.task}, {row.accuracy:.0%} of {row.rows:,} on {row.data}, keywords alone "
        f"{row.keywords:.0%}"
        for row in shown
    )
    scores = f" (accuracy on data that it was not tuned on: {accuracy})" if shown else ""
    instead = f": `{option}` takes the model that is configured here" if option else ""
    return (
        f"The judge is the offline engine, not a language model{scores}; use a language model as "
        f"judge before you rely on these figures{instead}."
    )
