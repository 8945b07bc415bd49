"""What the offline judge is worth: its measured accuracy, in one sentence."""

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
    """Return the figures of the shipped judge."""
    card = yaml.safe_load(CARD.read_text(encoding="utf-8"))
    return tuple(map(Measured.model_validate, card["figures"]))


def judge_worth(option: str | None = None, figures: Sequence[Measured] | None = None) -> str:
    """Return a sentence on how far the offline judge can be relied on.

    `option` are the options of the command line that make a configured model the judge.
    """
    shown = measured() if figures is None else figures
    accuracy = "; ".join(
        f"{each.task}, {each.accuracy:.0%} of {each.rows:,} on {each.data}, keywords alone "
        f"{each.keywords:.0%}"
        for each in shown
    )
    scores = f" (accuracy on data that it was not tuned on: {accuracy})" if shown else ""
    instead = f": `{option}` takes the model that is configured here" if option else ""
    return (
        f"The judge is the offline engine, not a language model{scores}; use a language model as "
        f"judge before you rely on these figures{instead}."
    )
