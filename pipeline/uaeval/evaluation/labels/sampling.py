"""A stratified sample of judgements for people to label, with the chance that each had."""

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from uaeval.errors import ConfigError
from uaeval.evaluation.metrics.spec import CONTROLS
from uaeval.records import Judgement, Metric, Query
from uaeval.storage import read_journal, write_journal

T = TypeVar("T", bound=Judgement | Query)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledJudgement:
    """One judgement that is to be labelled."""

    judgement: Judgement
    query: Query
    inclusion_probability: float
    """The chance that this judgement had to be drawn: drawn / there, of its stratum."""


def draw_sample(
    queries: Sequence[Query], judgements: Sequence[Judgement], size: int, *, seed: int = 0
) -> tuple[SampledJudgement, ...]:
    """Draw `size` judgements (all, if there are fewer), as evenly over the strata as these allow.

    Strata are metric, category and the judge's label, so that rare labels are seen often enough to
    tell how far the judge can be trusted with them. Within a stratum every judgement has the same
    chance. The same seed draws the same sample, in an order that tells nothing.

    Raises:
        ConfigError: there is nothing to label.
    """
    if not judgements:
        raise ConfigError("no judgement to label; run the evaluation to its end first")
    by_id = {query.id: query for query in queries}

    def stratum(judgement: Judgement) -> str:
        return f"{judgement.metric}/{group_of(by_id[judgement.query_id])}/{judgement.label}"

    return tuple(
        SampledJudgement(judgement=drawn, query=by_id[drawn.query_id], inclusion_probability=share)
        for drawn, share in stratified(judgements, stratum, size, seed)
    )


def stratified(
    records: Iterable[T], stratum_of: Callable[[T], str], size: int, seed: int
) -> list[tuple[T, float]]:
    """Draw `size` records, as evenly over the strata as these allow, each with its chance.

    The same seed draws the same sample, in an order that tells nothing.
    """
    strata: dict[str, list[T]] = {}
    for record in sorted(records, key=lambda record: record.id):
        strata.setdefault(stratum_of(record), []).append(record)
    chance = random.Random(seed)
    sizes = {name: len(members) for name, members in strata.items()}
    drawn = [
        (record, count / sizes[name])
        for name, count in sorted(allocation(sizes, size).items())
        for record in chance.sample(strata[name], count)
    ]
    chance.shuffle(drawn)
    return drawn


def group_of(query: Query) -> str:
    """Return the category of a query, or `controls`."""
    return CONTROLS if query.category is None else query.category


def allocation(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Share `total` out evenly; what a small stratum cannot take goes to the others.

    Where it does not come out even, strata with more members, then those earlier in the alphabet,
    get one more.
    """
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    given = dict.fromkeys(order, 0)
    for _ in range(min(total, sum(sizes.values()))):
        unfilled = [name for name in order if given[name] < sizes[name]]
        given[min(unfilled, key=given.__getitem__)] += 1
    return {name: count for name, count in given.items() if count}


def metric_named(name: str) -> Metric:
    """Return the metric of this name.

    Raises:
        ConfigError: there is none.
    """
    if name not in {*Metric}:
        raise ConfigError(f"unknown metric {name!r}; a judge is asked for {', '.join(Metric)}")
    return Metric(name)


# --- the rows of a sheet --------------------------------------------------------------------------
# A judgement's id names the category of its query, and the chance that it had to be drawn tells the
# judge's label; so a sheet has neither, and `sampled.jsonl` of the evaluation has both.

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
    identity = f"{drawn.judgement.id} {drawn.inclusion_probability!r}"
    return hashlib.sha256(identity.encode()).hexdigest()[:12]


def read_sampled(folder: Path) -> Mapping[str, LabelSheetRow]:
    """Return what was drawn from an evaluation so far, by the name in the sheets.

    Raises:
        StorageError: the file is damaged.
    """
    path = folder / SAMPLED
    return {row.id: row for row in read_journal(path, LabelSheetRow)} if path.exists() else {}


def note_sampled(folder: Path, drawn: Sequence[SampledJudgement]) -> None:
    """Record the judgements behind the rows of a new sheet, beside those of earlier ones."""
    rows = (
        LabelSheetRow(
            id=sheet_id(sampled),
            judgement=sampled.judgement.id,
            inclusion_probability=sampled.inclusion_probability,
        )
        for sampled in drawn
    )
    known = {**read_sampled(folder), **{row.id: row for row in rows}}
    write_journal(folder / SAMPLED, LabelSheetRow, [known[name] for name in sorted(known)])
