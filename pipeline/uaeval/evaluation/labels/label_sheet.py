"""Which judgement each row of a sheet stands for, kept away from those who fill it in.

A judgement's id tells the category of its query, and the chance that it had to be drawn tells the
judge's label; so a sheet has neither, and `sampled.jsonl` of the evaluation has both.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from uaeval.evaluation.labels.sampling import SampledJudgement
from uaeval.storage import read_journal, write_journal

SAMPLED: Final = "sampled.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSheetRow:
    """One row of a sheet."""

    id: str
    """What stands in the sheet: a name that tells nothing."""
    judgement: str
    """`<query id>/<metric>`."""
    inclusion_probability: float


def sheet_id(drawn: SampledJudgement) -> str:
    """Name a drawn judgement; drawn again with the same chance, it has the same name."""
    told = f"{drawn.judgement.id} {drawn.inclusion_probability!r}"
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def read_sampled(folder: Path) -> Mapping[str, LabelSheetRow]:
    """Return what was drawn from an evaluation so far, by the name in the sheets.

    Raises:
        StorageError: the file is damaged.
    """
    path = folder / SAMPLED
    return {one.id: one for one in read_journal(path, LabelSheetRow)} if path.exists() else {}


def note_sampled(folder: Path, drawn: Sequence[SampledJudgement]) -> None:
    """Write down what the rows of a new sheet stand for, beside those of earlier ones."""
    new = [
        LabelSheetRow(
            id=sheet_id(one),
            judgement=one.judgement.id,
            inclusion_probability=one.inclusion_probability,
        )
        for one in drawn
    ]
    known = {**read_sampled(folder), **{one.id: one for one in new}}
    write_journal(folder / SAMPLED, LabelSheetRow, [known[name] for name in sorted(known)])
