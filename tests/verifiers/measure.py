"""Measure a model as verifier on the hand-made candidates of this folder.

    python tests/verifiers/measure.py FOLDER --model openai:gpt-4.1-mini
    python tests/verifiers/measure.py FOLDER --model openai:gpt-4.1-mini --mode batch
    uaeval batch export FOLDER requests.jsonl
    uaeval batch import FOLDER answers.jsonl --no-go-on

Answers are kept in FOLDER; calling it again asks only what is missing.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from tests.verifiers.cases import Case, read_cases

from uaeval.categories.names import BUILT_IN
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
from uaeval.records import Blocked, Candidate, Failure, Rejection
from uaeval.resources import shipped
from uaeval.runner import Attempts, PendingRecord, keep_busy
from uaeval.synthesis.verify import Proven, Verify

Outcome = Proven | Rejection | Failure | Blocked | PendingRecord


def main(
    folder: Path,
    model: Annotated[str, typer.Option()] = "offline",
    base_url: Annotated[str | None, typer.Option()] = None,
    mode: Annotated[str, typer.Option()] = "live",
    details: Annotated[bool, typer.Option(help="List what was judged wrongly.")] = False,
) -> None:
    """Print, by category, the share of good candidates kept and of bad ones stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = load(shipped("knowledge_bases") / "sample").documents
    chunks = chunk(documents).chunks
    settings = ModelSettings(name=model, base_url=base_url, batch=mode == "batch")
    table = Table("category", "good kept", "bad stopped", "failed", "blocked", "awaited")
    with (
        HybridIndex(chunks, folder / "index", embedding_named(DEFAULT_EMBEDDING)) as index,
        ResponseStore(folder / "responses.sqlite") as store,
    ):
        verifier = Models({}, PromptLibrary(), Ledger(store, open_prices(None))).built(settings)
        for category in BUILT_IN:
            cases = read_cases(category, index.chunks)
            outcomes = asyncio.run(_verify(cases, index, verifier))
            table.add_row(category, *_row(cases, outcomes))
            if details:
                _list_wrong(cases, outcomes)
    Console().print(table)


async def _verify(cases: Sequence[Case], index: HybridIndex, model: Model) -> tuple[Outcome, ...]:
    verify = Verify(index, model, modalities="text", passages_shown=8)

    async def one(candidate: Candidate) -> Outcome:
        return await Attempts()("verify", candidate.id, partial(verify, candidate))

    found: dict[str, Outcome] = {}
    candidates = (case.candidate for case in cases)
    await keep_busy(
        lambda: next(candidates, None),
        one,
        concurrency=16,
        done=lambda outcome: found.update({outcome.id: outcome}),
    )
    return tuple(found[case.candidate.id] for case in cases)


def _row(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    judged = [
        (case.good, isinstance(outcome, Proven))
        for case, outcome in zip(cases, outcomes, strict=True)
        if isinstance(outcome, Proven | Rejection)
    ]
    failed = sum(isinstance(outcome, Failure) for outcome in outcomes)
    blocked = sum(isinstance(outcome, Blocked) for outcome in outcomes)
    awaited = sum(isinstance(outcome, PendingRecord) for outcome in outcomes)
    kept = _share([passed for good, passed in judged if good])
    stopped = _share([not passed for good, passed in judged if not good])
    return kept, stopped, str(failed), str(blocked), str(awaited)


def _share(values: Sequence[bool]) -> str:
    return f"{sum(values)}/{len(values)} ({sum(values) / len(values):.0%})" if values else "–"


def _list_wrong(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for case, outcome in zip(cases, outcomes, strict=True):
        if isinstance(outcome, Proven | Rejection) and isinstance(outcome, Proven) != case.good:
            said = (
                "passed" if isinstance(outcome, Proven) else f"{outcome.check}: {outcome.rationale}"
            )
            console.print(
                f"{'good' if case.good else 'bad'} {case.kind}: {case.candidate.question} [{said}]"
            )


if __name__ == "__main__":
    typer.run(main)
