"""Giskard: samples of a `QATestset`, one a line."""

import re
from typing import Final

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, facts, kind
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines, part_of
from uaeval.records import Query

_WORDY: Final = re.compile(r"(?!(?:nan|inf|infinity)$)[^\W\d]", re.I)
"""The beginning of an id that Giskard's pandas does not read as a number, as it would `0007`."""


def _sample(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return a sample; Giskard's report groups by `topic` and `question_type`."""
    sources = dataset.sources(query)
    topic = next((source.title for source in sources if source.title), None)
    return {
        "id": query.id if _WORDY.match(query.id) else f"id-{query.id}",
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


FORMAT = Format(
    name="giskard",
    purpose="Giskard `QATestset.load(FILE)`; its report groups by topic and question type",
    loses=(
        "evidence and checks; the reference answer of an unanswerable query is its expected "
        "behaviour; an id that looks like a number gets `id-` before it, as pandas reads it"
    ),
    write=lines_of(_sample),
    read=from_lines(lambda sample, where: sample | part_of(sample, "metadata", where)),
    keys=frozenset({"question", "conversation_history"}),
)
