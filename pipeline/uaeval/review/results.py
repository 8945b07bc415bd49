"""What an annotator is shown at the end; others' labels only once their own are complete."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from uaeval.evaluation.labels.annotators import counts, disagreements, pairs, validity
from uaeval.labels import UNSURE, Label, LabelBase
from uaeval.review.task import Task


def results(task: Task, annotator: str) -> dict[str, object]:
    """Return the figures of a task as JSON.

    Until the annotator has labelled the whole sample they rest on their own labels alone.
    """
    finished = task.finished(annotator)
    rows = [row for row in task.log.rows if finished or row.annotator == annotator]
    disputed = list(_disputed(task, rows))
    return {"finished": finished, **figures(task, rows), "disagreements": disputed}


def figures(task: Task, rows: Sequence[LabelBase]) -> dict[str, object]:
    """Return counts, validity and agreement as JSON."""
    labels = [row for row in rows if isinstance(row, Label)]
    return {
        "counts": counts(rows),
        "validity": [asdict(score) for score in validity(task.queries, labels)],
        "agreement": [asdict(pair) for pair in pairs(rows, task.kinds)],
    }


def _disputed(task: Task, rows: Sequence[LabelBase]) -> Iterator[dict[str, object]]:
    places = {item.id: (place, item) for place, item in enumerate(task.items)}
    for one in disagreements(rows):
        place, item = places.get(one.item, (None, None))
        words = [choice.word for choice in item.choices if choice.word != UNSURE] if item else []
        yield {
            "item": one.item,
            "place": place,
            "question": item.question if item else "",
            "words": words,
            "said": {name: [row.word, row.reason] for name, row in one.said.items()},
            "settled": one.settled,
        }
