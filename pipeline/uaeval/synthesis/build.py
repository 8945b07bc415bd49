"""Work through the plan in rounds until every quota is full or the plan is used up.

What is chosen depends on the plan and on the replies alone: not on the order in which replies come,
on the concurrency, or on how often the run was interrupted.
"""

from collections.abc import Callable, Mapping, Sequence

from uaeval.errors import StopRun
from uaeval.runner import Outage, attempt, run_all
from uaeval.synthesis.attempts import Attempt, Built, Line
from uaeval.synthesis.generate import Generate
from uaeval.synthesis.select import Selection, Shelf, select
from uaeval.synthesis.verify import Verify
from uaeval.synthesis.watcher import Watcher
from uaeval.types import Assignment, Candidate, Category


async def build(
    lines: Sequence[Line],
    generate: Generate,
    verify: Verify,
    *,
    concurrency: int,
    watcher: Watcher,
    save: Callable[[Built], None],
) -> Built:
    """Fill every line's quota, or use its plan up, or stop where answers are still to come.

    `save` is called with the state before the first round, after each, and when the run stops.
    """
    outage = Outage()

    async def work(assignment: Assignment) -> Attempt:
        candidate = await attempt("generate", assignment, generate)
        outage.note(candidate)
        if not isinstance(candidate, Candidate):
            return Attempt(assignment=assignment, candidate=None, outcome=candidate)
        outcome = await attempt("verify", candidate, verify)
        outage.note(outcome)
        return Attempt(assignment=assignment, candidate=candidate, outcome=outcome)

    while True:
        selections = choose(lines)
        built = Built(lines=tuple(lines), selections=selections)
        save(built)
        batch = [one for line in lines for one in line.next_up(selections[line.category])]
        if not batch or built.waiting:
            return built
        watcher.round(lines, selections, len(batch))
        ended: dict[str, Attempt] = {}

        def note(one: Attempt, ended: dict[str, Attempt] = ended) -> None:
            ended[one.assignment.id] = one
            watcher.attempt(one)

        try:
            await run_all(batch, work, concurrency=concurrency, done=note)
        except StopRun:
            _add(lines, batch, ended)
            save(Built(lines=tuple(lines), selections=choose(lines)))
            raise
        _add(lines, batch, ended)


def _add(lines: Sequence[Line], batch: Sequence[Assignment], ended: Mapping[str, Attempt]) -> None:
    """Give each line what ended of its assignments, in plan order."""
    for line in lines:
        own = (one for one in batch if one.category is line.category)
        line.attempts += [ended[one.id] for one in own if one.id in ended]


def choose(lines: Sequence[Line]) -> Mapping[Category, Selection]:
    """Select each category's quota; a query is compared with those of the categories before it."""
    shelf = Shelf()
    return {
        line.category: select(line.proven, line.category, line.quota, shelf, line.per_document)
        for line in lines
    }
