"""The measured accuracy of the offline judge, in one sentence."""

from typing import Final

from uaeval.resources import shipped_table

CARD: Final = "evaluation/judging/judge_card.yaml"
_FIGURE: Final = "{task}, {accuracy:.0%} of {rows:,} on {data}, keywords alone {keywords:.0%}"


def judge_worth(option: str | None = None) -> str:
    """Return a sentence on the reliability of the offline judge.

    `option` is the command-line option that makes the configured model the judge.
    """
    accuracy = "; ".join(_FIGURE.format(**row) for row in shipped_table(CARD)["figures"])
    instead = f": `{option}` takes the model that is configured here" if option else ""
    return (
        "The judge is the offline engine, not a language model (accuracy on data that it was not "
        f"tuned on: {accuracy}); use a language model as judge before you rely on these "
        f"figures{instead}."
    )
