"""Measure a model as judge on the labelled responses of this folder.

    python -m tests.judges.measure FOLDER --model openai:gpt-4.1-mini
    python -m tests.judges.measure FOLDER --model openai:gpt-4.1-mini --mode batch
    uaeval batch export FOLDER requests.jsonl
    uaeval batch import FOLDER answers.jsonl --no-go-on

Answers are kept in FOLDER; calling it again asks only what is missing.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from tests.judges.labelled import Labelled, read_labelled

from uaeval.categories.names import BUILT_IN
from uaeval.evaluation.judging.judge import JudgeTask, Policy, Undecided, judge, judge_tasks
from uaeval.llm.ledger import Ledger
from uaeval.llm.model import Model
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Models, ModelSettings
from uaeval.llm.store import ResponseStore
from uaeval.prompts import PromptLibrary
from uaeval.records import Blocked, Failure, Judgement, Metric, Rejection
from uaeval.runner import Attempts, PendingRecord, keep_busy

Outcome = Judgement | Undecided | Rejection | Failure | Blocked | PendingRecord


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to the judge, and the label that people gave."""

    task: JudgeTask
    gold: str
    kind: str
    policy: Policy

    @property
    def id(self) -> str:
        return f"{self.task.id}/{self.policy}"


def main(
    folder: Path,
    model: Annotated[str, typer.Option()] = "offline",
    base_url: Annotated[str | None, typer.Option()] = None,
    mode: Annotated[str, typer.Option()] = "live",
    responses: Annotated[str, typer.Option(help="A file of tests/judges.")] = "responses.jsonl",
    details: Annotated[bool, typer.Option(help="List what was judged wrongly.")] = False,
) -> None:
    """Print the confusion of each metric: how often a response of one label got which."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = ModelSettings(name=model, base_url=base_url, batch=mode == "batch")
    questions = [one for labelled in read_labelled(responses) for one in _questions(labelled)]
    with ResponseStore(folder / "responses.sqlite") as store:
        asked = Models({}, PromptLibrary(), Ledger(store, open_prices(None))).built(settings)
        outcomes = asyncio.run(_judge(questions, asked))
    console = Console(highlight=False, soft_wrap=True)
    console.print(_summary(questions, outcomes))
    for metric, labels in _LABELS.items():
        console.print(_confusion(metric, labels, questions, outcomes))
    if details:
        _list_wrong(questions, outcomes, Console(highlight=False, markup=False, soft_wrap=True))


_LABELS = {
    Metric.VERDICT: ("clarified", "refused", "partial", "answered"),
    Metric.ACCEPTABLE: ("yes", "no"),
    Metric.CORRECT: ("yes", "no"),
}


def _questions(labelled: Labelled) -> list[Asked]:
    """List what is asked about one response; of underspecified ones the strict rule too."""
    policies: tuple[Policy, ...] = ("lenient", "strict")
    return [
        Asked(task, labelled.label(task.metric, policy), labelled.kind, policy)
        for policy in policies
        for task in judge_tasks(labelled.query, labelled.response.text, policy)
        if task.metric in labelled.labels
        and (policy == "lenient" or (labelled.strict and task.metric is Metric.ACCEPTABLE))
    ]


async def _judge(questions: Sequence[Asked], model: Model) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}

    async def one(asked: Asked) -> tuple[str, Outcome]:
        work = partial(judge, asked.task, model)
        return asked.id, await Attempts()("judge", asked.id, work)

    left = iter(questions)
    await keep_busy(
        lambda: next(left, None), one, concurrency=16, done=lambda pair: found.update([pair])
    )
    return found


def _summary(questions: Sequence[Asked], outcomes: dict[str, Outcome]) -> Table:
    table = Table("asked", "right", "undecided", "failed", "blocked", "awaited")
    groups: list[tuple[str, list[Asked]]] = [
        (str(metric), [one for one in questions if one.task.metric is metric])
        for metric in (Metric.VERDICT, Metric.CORRECT)
    ]
    for category in BUILT_IN:
        acceptable = [
            one
            for one in questions
            if one.task.metric is Metric.ACCEPTABLE and one.task.prompt.startswith(f"{category}/")
        ]
        for policy in ("lenient", "strict"):
            members = [one for one in acceptable if one.policy == policy]
            name = f"acceptable, {category}" + (" (strict)" if policy == "strict" else "")
            groups.append((name, members))
    for name, members in groups:
        if members:
            table.add_row(name, *_row(members, outcomes))
    return table


def _row(questions: Sequence[Asked], outcomes: dict[str, Outcome]) -> tuple[str, ...]:
    said = [(one.gold, outcomes[one.id]) for one in questions]
    judged = [(gold, found.label) for gold, found in said if isinstance(found, Judgement)]
    right = sum(gold == label for gold, label in judged)
    share = f"{right}/{len(judged)} ({right / len(judged):.0%})" if judged else "–"
    others = (sum(isinstance(found, kind) for _, found in said) for kind in _OTHERS)
    return share, *map(str, others)


_OTHERS = (Undecided, Failure, Blocked, PendingRecord)


def _confusion(
    metric: Metric,
    labels: Sequence[str],
    questions: Sequence[Asked],
    outcomes: dict[str, Outcome],
) -> Table:
    table = Table("people say", *(f"judge: {label}" for label in labels), title=str(metric))
    counts = Counter(
        (one.gold, found.label)
        for one in questions
        if one.task.metric is metric and isinstance(found := outcomes[one.id], Judgement)
    )
    for gold in labels:
        table.add_row(gold, *(str(counts[gold, label]) for label in labels))
    return table


def _list_wrong(questions: Sequence[Asked], outcomes: dict[str, Outcome], console: Console) -> None:
    for one in questions:
        found = outcomes[one.id]
        if isinstance(found, Judgement) and found.label != one.gold:
            task = one.task
            console.print(
                f"{task.query_id} {task.metric} ({one.policy}), {one.kind}: {one.gold}, judged "
                f"{found.label}\n  {task.fields['question']}\n  {task.fields['response']}\n  "
                f"[{found.rationale}]"
            )


if __name__ == "__main__":
    typer.run(main)
