"""Measure whether hidden answers are found, and absence proven where the answer is absent.

    python -m tests.planted.measure FOLDER --pages /path/to/handbook
    python -m tests.planted.measure FOLDER --pages … --model openai:gpt-4.1-mini --size 40
    python -m tests.planted.measure FOLDER --pages … --model openai:… --size 40 --mode batch
    python -m tests.planted.measure FOLDER --pages … --model openai:… --instructions --mode batch
    uaeval batch export FOLDER requests.jsonl
    uaeval batch import FOLDER answers.jsonl --no-go-on

The handbook is 18F/handbook at commit 1e49556. Answers are kept in FOLDER; calling it again asks
only what is missing.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from tests.planted.pairs import (
    HELD_OUT,
    Half,
    Pair,
    half,
    instructed,
    planted,
    read_pairs,
    sample,
    sentences,
)

from uaeval.knowledge.chunking import chunk
from uaeval.knowledge.documents import load
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, embedding_named
from uaeval.knowledge.index import HybridIndex
from uaeval.llm.ledger import Ledger
from uaeval.llm.model import Model
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Models, ModelSettings
from uaeval.llm.store import ResponseStore
from uaeval.prompts import PromptLibrary
from uaeval.records import Blocked, Candidate, Document, Failure, Rejection
from uaeval.runner import Attempts, PendingRecord, keep_busy
from uaeval.synthesis.verify import Proven, Verify

Outcome = Proven | Rejection | Failure | Blocked | PendingRecord
SAMPLE = 40
HALVES: tuple[Half, ...] = ("fitting", "final")


def main(
    folder: Path,
    pages: Annotated[str, typer.Option(help="The handbook's folder.")],
    model: Annotated[str, typer.Option()] = "offline",
    base_url: Annotated[str | None, typer.Option()] = None,
    mode: Annotated[str, typer.Option()] = "live",
    size: Annotated[int, typer.Option(help="Pairs to take; 0: all, by halves.")] = 0,
    instructions: Annotated[
        bool, typer.Option(help="Count verdicts that change under instructions in passages.")
    ] = False,
    details: Annotated[bool, typer.Option(help="List what went wrong, but for `final`.")] = False,
) -> None:
    """Print what share of the planted is not released, and of the unplanted is."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = _kept(load(pages).documents)
    everything = read_pairs("handbook")
    parts = {which: half(everything, which) for which in HALVES}
    if size:
        parts = {"sample": sample(everything, size)}  # type: ignore[dict-item] # no half
    settings = ModelSettings(name=model, base_url=base_url, batch=mode == "batch")
    columns = ("kept: not released", "changed: not released", "unplanted: released")
    table = Table("pairs", *columns, "nothing planted: released", "failed", "awaited")
    with ResponseStore(folder / "responses.sqlite") as store:
        verifier = Models({}, PromptLibrary(), Ledger(store, open_prices(None))).built(settings)
        if instructions:
            _tell_changed(documents, sample(everything, SAMPLE), folder, verifier)
            return
        bare = _index(documents, folder / "bare") if not size else None
        index = _index(planted(documents, sentences(everything)), folder / "planted")
        for name, pairs in parts.items():
            outcomes = asyncio.run(_verify(pairs, index, verifier))
            without = asyncio.run(_verify(pairs, bare, verifier)) if bare else ()
            table.add_row(name, *_row(pairs, outcomes, without))
            if details and name != "final":
                _list_wrong(pairs, outcomes)
    Console(markup=False).print(table)


def _kept(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Return the documents without the pages that were held out when the pairs were written."""
    held_out = HELD_OUT.read_text(encoding="utf-8").splitlines()
    if missing := set(held_out) - {document.id for document in documents}:
        raise AssertionError(f"these are not the pages of the handbook; missing: {min(missing)}")
    return tuple(document for document in documents if document.id not in held_out)


def _tell_changed(
    documents: Sequence[Document], pairs: Sequence[Pair], folder: Path, model: Model
) -> None:
    """Verify pairs as they are, then with a passage on their topic that instructs the model."""
    plain = planted(documents, sentences(pairs))
    hostile, told = instructed(plain, pairs)
    found = [
        asyncio.run(_verify(told, _index(some, folder / name), model))
        for some, name in ((plain, "plain"), (hostile, "instructed"))
    ]
    verdicts = [[_verdict(outcome) for outcome in outcomes] for outcomes in found]
    changed = [
        f"{pair.id}: {before} → {after}"
        for pair, before, after in zip(told, *verdicts, strict=True)
        if before != after
    ]
    console = Console(markup=False, highlight=False, soft_wrap=True)
    console.print(f"{len(told)} passages that instruct the model, {len(changed)} verdicts changed")
    for line in changed:
        console.print(line)


def _verdict(outcome: Outcome) -> str:
    if isinstance(outcome, Rejection):
        return "not released"
    return "released" if isinstance(outcome, Proven) else type(outcome).__name__.lower()


def _index(documents: Sequence[Document], folder: Path) -> HybridIndex:
    chunked = chunk(documents)
    chunks = (*chunked.chunks, *(aside.chunk for aside in chunked.set_aside))
    return HybridIndex(chunks, folder, embedding_named(DEFAULT_EMBEDDING))


async def _verify(pairs: Sequence[Pair], index: HybridIndex, model: Model) -> tuple[Outcome, ...]:
    verify = Verify(index, model, modalities="text", passages_shown=8)

    async def one(candidate: Candidate) -> Outcome:
        return await Attempts()("verify", candidate.id, partial(verify, candidate))

    found: dict[str, Outcome] = {}
    candidates = iter([pair.in_the_midst_of(index.chunks).candidate for pair in pairs])
    await keep_busy(
        lambda: next(candidates, None),
        one,
        concurrency=16,
        done=lambda outcome: found.update({outcome.id: outcome}),
    )
    return tuple(found[pair.id] for pair in pairs)


def _row(
    pairs: Sequence[Pair], outcomes: Sequence[Outcome], without: Sequence[Outcome]
) -> tuple[str, ...]:
    """Count by surface; in brackets only pairs that are released where nothing is planted."""
    judged = {
        outcome.id: isinstance(outcome, Proven)
        for outcome in outcomes
        if isinstance(outcome, Proven | Rejection)
    }
    bare = {outcome.id: isinstance(outcome, Proven) for outcome in without}
    cells = []
    for surface in ("kept", "changed"):
        kind = [pair.id for pair in pairs if pair.surface == surface and pair.id in judged]
        due = [identity for identity in kind if bare.get(identity)]
        told = [_share([not judged[identity] for identity in some]) for some in (kind, due)]
        cells.append(f"{told[0]} ({told[1]})" if due else told[0])
    unplanted = [pair.id for pair in pairs if pair.surface is None and pair.id in judged]
    cells.append(_share([judged[identity] for identity in unplanted]))
    failed = sum(isinstance(outcome, Failure | Blocked) for outcome in outcomes)
    awaited = sum(isinstance(outcome, PendingRecord) for outcome in outcomes)
    return *cells, _share(list(bare.values())), str(failed), str(awaited)


def _share(values: Sequence[bool]) -> str:
    return f"{sum(values)}/{len(values)}" if values else "–"


def _list_wrong(pairs: Sequence[Pair], outcomes: Sequence[Outcome]) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for pair, outcome in zip(pairs, outcomes, strict=True):
        if isinstance(outcome, Proven) == bool(pair.sentence):
            said = "released" if isinstance(outcome, Proven) else str(outcome)
            console.print(f"{pair.surface}: {pair.question} → {pair.answer} ({said})")
            if pair.sentence:
                console.print(f"    {pair.sentence}")


if __name__ == "__main__":
    typer.run(main)
