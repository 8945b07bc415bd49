"""Giskard: one sample a line, for `QATestset.load`."""

import re
from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts, kind
from uaeval.formats.given import each_line, object_of, query_of
from uaeval.formats.output import write_lines
from uaeval.types import Query

_WORDY = re.compile(r"(?!(?:nan|inf|infinity)$)[^\W\d]", re.I)


def write(dataset: Dataset, place: Path) -> None:
    """Write one sample a line; its report groups by `topic` and `question_type`."""
    write_lines(place, (_sample(query, dataset) for query in dataset))


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    sources = dataset.sources(query)
    topic = next((source.title for source in sources if source.title), None)
    return {
        "id": _kept_as_text(query.id),
        "question": query.question,
        "reference_answer": query.reference_answer or expected_behaviour(query),
        "reference_context": "\n\n".join(source.text or "" for source in sources),
        "conversation_history": [],
        "metadata": {
            "question_type": kind(query),
            "topic": topic or query.provenance.document_id,
            **facts(query),
        },
    }


def _kept_as_text(name: str) -> str:
    """Keep pandas, which Giskard reads with, from taking an id such as `0007` for a number."""
    return name if _WORDY.match(name) else f"id-{name}"


def read(place: Path) -> Iterator[Query]:
    """Read samples; one without a category is a question with a reference answer."""
    for where, sample in each_line(place):
        known = object_of(sample.get("metadata") or {}, where)
        yield query_of({**sample, **known}, where)
